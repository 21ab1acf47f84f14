/** State that is in a page's address: one function for each parameter reads it. */

/** Reads a parameter; its text is null if the address does not have it. What it makes of null is usual, and the address leaves it out. */
export type AddressParam<Value> = (text: string | null) => Value;
export type AddressParams = Readonly<Record<string, AddressParam<unknown>>>;
export type ValuesOf<Params extends AddressParams> = { [Name in keyof Params]: ReturnType<Params[Name]> };
/** Changes the address and loads no page; omitted parameters stay. */
export type SetParams<Values> = (next: { [Name in keyof Values]?: Values[Name] | null }, options?: { history: "push" | "replace" }) => void;
/** A query as Next.js gives it to a page. */
export type SearchParams = Record<string, string | string[] | undefined>;

/** Any text. */
export const text: AddressParam<string | null> = (given) => given;

/** A whole number of zero or more; null for anything else. */
export const wholeNumber: AddressParam<number | null> = (given) => (given !== null && /^\d{1,15}$/.test(given) ? Number(given) : null);

/** One of these; anything else is what is usual, or null. */
export function oneOf<const Value extends string>(values: readonly Value[]): AddressParam<Value | null>;
export function oneOf<const Value extends string>(values: readonly Value[], usual: Value): AddressParam<Value>;
export function oneOf<const Value extends string>(values: readonly Value[], usual: Value | null = null): AddressParam<Value | null> {
  return (given) => values.find((value) => value === given) ?? usual;
}

/** What a query says. The first of several values counts. */
export function valuesIn<Params extends AddressParams>(params: Params, query: URLSearchParams | SearchParams): ValuesOf<Params> {
  const textOf = (name: string) => (query instanceof URLSearchParams ? query.get(name) : ([query[name]].flat()[0] ?? null));
  return Object.fromEntries(Object.entries(params).map(([name, read]) => [name, read(textOf(name))])) as ValuesOf<Params>;
}

/** The query with these values. Parameters that have none here stay; null removes one, as does the usual value. */
export function queryWith<Params extends AddressParams>(
  params: Params,
  query: string,
  values: Parameters<SetParams<ValuesOf<Params>>>[0],
): string {
  const changed = new URLSearchParams(query);
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === params[name]?.(null)) changed.delete(name);
    else changed.set(name, String(value));
  }
  return changed.toString();
}
