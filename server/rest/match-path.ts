/**
 * The parameters of a path that fits the template (`/api/v1/settlements/{tx_id}`), percent-decoded; null when it does not fit.
 * Fixed segments are compared byte for byte: a path has one spelling, so a trailing slash or an encoded letter is another path.
 */
export function matchPath(template: string, path: string): Record<string, string> | null {
  const expected = template.split("/");
  const given = path.split("/");
  if (expected.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    const segment = given[index] ?? "";
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined) {
      if (part !== segment) return null;
      continue;
    }
    if (segment === "") return null;
    params[name] = decodeOr(segment, segment);
  }
  return params;
}

/** What cannot be decoded, or holds a NUL, stays as it is: it then names nothing, which is the right answer for it (404, not 422). */
function decodeOr(text: string, otherwise: string): string {
  try {
    const decoded = decodeURIComponent(text);
    return decoded.includes("\u0000") ? otherwise : decoded;
  } catch {
    return otherwise;
  }
}
