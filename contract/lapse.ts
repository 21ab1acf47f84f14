/** What a passkey has signed for the page's action: base64url of JSON, `{ticket, answer}`. */
export const SIGNED_HEADER = "x-signed-decision";

/** The deadline by which the console's server may begin a page's action: an instant, by the server's clock. */
export const LAPSES_HEADER = "x-lapses-at";

/** A request that arrives after that was delayed: nobody waits for it any more. Without a valid header there is no deadline. */
export function hasLapsed(header: string | null, now: Date): boolean {
  const at = Date.parse(header ?? "");
  return !Number.isNaN(at) && at < now.getTime();
}
