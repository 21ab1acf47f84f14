/** A path's segments, null where a parameter is, and the parameters by position. */
export type PathPattern = { fixed: readonly (string | null)[]; parameters: readonly { name: string; place: number }[] };

/** `/api/v1/settlements/{tx_id}` in its segments. */
export function readPattern(template: string): PathPattern {
  const segments = template.split("/");
  const names = segments.map((segment) => /^\{(\w+)\}$/.exec(segment)?.[1] ?? null);
  return {
    fixed: segments.map((segment, place) => (names[place] === null ? segment : null)),
    parameters: names.flatMap((name, place) => (name === null ? [] : [{ name, place }])),
  };
}

/** Fixed segments are compared byte for byte: a path has one spelling, so a trailing slash or an encoded letter is another path. */
export function fitsPath({ fixed }: PathPattern, segments: readonly string[]): boolean {
  return (
    fixed.length === segments.length && fixed.every((text, place) => (text === null ? segments[place] !== "" : text === segments[place]))
  );
}

/** The parameters of a path (in its segments) that fits the pattern, percent-decoded. */
export function readPathParameters({ parameters }: PathPattern, segments: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  for (const { name, place } of parameters) params[name] = decoded(segments[place] ?? "");
  return params;
}

/** A text that cannot be decoded, or contains a NUL, stays as it is: it then names nothing, which gives the right answer (404, not 422). */
function decoded(text: string): string {
  if (!text.includes("%")) return text;
  try {
    const read = decodeURIComponent(text);
    return read.includes("\u0000") ? text : read;
  } catch {
    return text;
  }
}
