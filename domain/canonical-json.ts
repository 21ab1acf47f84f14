/** What canonical JSON is made of here. Whole numbers only; amounts are texts, so no parser rounds them. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** Names in the order of their UTF-16 code units, and no blanks: RFC 8785, as far as {@link Json} goes. */
export function canonicalJson(value: Json): string {
  if (isList(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const names = Object.keys(value).toSorted((left, right) => (left < right ? -1 : left > right ? 1 : 0));
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name] ?? null)}`).join(",")}}`;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
