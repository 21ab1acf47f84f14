/** A path's segments, those of the fixed text and those that are parameters by name. */
export type PathPattern = readonly ({ text: string } | { parameter: string })[];

/** `/api/v1/settlements/{tx_id}` in its segments. */
export function readPattern(template: string): PathPattern {
  return template.split("/").map((segment) => {
    const parameter = /^\{(\w+)\}$/.exec(segment)?.[1];
    return parameter === undefined ? { text: segment } : { parameter };
  });
}

/**
 * The parameters of a path (in its segments) that fits the pattern, percent-decoded; null when it does not fit.
 * Fixed segments are compared byte for byte: a path has one spelling, so a trailing slash or an encoded letter is another path.
 */
export function matchPath(pattern: PathPattern, segments: readonly string[]): Record<string, string> | null {
  if (pattern.length !== segments.length) return null;
  const fits = pattern.every((part, index) => ("text" in part ? part.text === segments[index] : segments[index] !== ""));
  if (!fits) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) if ("parameter" in part) params[part.parameter] = decoded(segments[index] ?? "");
  return params;
}

/** What cannot be decoded, or holds a NUL, stays as it is: it then names nothing, which is the right answer for it (404, not 422). */
function decoded(text: string): string {
  if (!text.includes("%")) return text;
  try {
    const read = decodeURIComponent(text);
    return read.includes("\u0000") ? text : read;
  } catch {
    return text;
  }
}
