/** Since when an operation should no longer be used, and when it may be gone. */
export type Deprecation = { since: Date; sunset: Date };

/** The least time that a deprecated operation stays. */
export const DEPRECATED_FOR_DAYS = 365;

/** The page that announces changes. */
export const CHANGES_PATH = "/docs/changelog";

/** What every answer of a deprecated operation carries (RFC 9745, RFC 8594); of any other, nothing. */
export function deprecationHeaders({ deprecation }: { deprecation?: Deprecation }, baseUrl: string): Record<string, string> {
  if (deprecation === undefined) return {};
  return {
    Deprecation: `@${Math.floor(deprecation.since.getTime() / 1_000)}`,
    Sunset: deprecation.sunset.toUTCString(),
    Link: `<${baseUrl}${CHANGES_PATH}>; rel="deprecation"; type="text/html"`,
  };
}
