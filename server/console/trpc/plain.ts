/**
 * A browser reads an answer as JSON, and a server-rendered page gets it directly, so an answer must not contain anything that JSON would
 * change. This type names such parts of it: none.
 */
export type Unplain<Value> = Value extends Date | bigint | symbol | ((...given: never[]) => unknown)
  ? Value
  : Value extends readonly (infer Item)[]
    ? Unplain<Item>
    : Value extends object
      ? { [Name in keyof Value]-?: Unplain<Value[Name]> }[keyof Value]
      : never;

/** Only in the sandbox: it also finds what the types do not show, such as a number with exact digits. */
export function assertPlain(value: unknown, place: string): void {
  if (typeof value === "bigint" || typeof value === "function" || typeof value === "symbol") throw unplain(place);
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) throw unplain(place);
  for (const [name, member] of Object.entries(value)) assertPlain(member, `${place}.${name}`);
}

function unplain(place: string): TypeError {
  return new TypeError(`${place} is answered as what JSON has no word for`);
}
