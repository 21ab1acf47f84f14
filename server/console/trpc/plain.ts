/**
 * A browser reads an answer as JSON, a page that the server draws is handed it as it is: so an answer holds nothing that JSON would tell
 * otherwise. What of it does, by its type: nothing.
 */
export type Unplain<Value> = Value extends Date | bigint | symbol | ((...given: never[]) => unknown)
  ? Value
  : Value extends readonly (infer Item)[]
    ? Unplain<Item>
    : Value extends object
      ? { [Name in keyof Value]-?: Unplain<Value[Name]> }[keyof Value]
      : never;

/** Asked in the sandbox alone: it also finds what the types do not tell, such as a number that is written with its exact digits. */
export function assertPlain(value: unknown, place: string): void {
  if (typeof value === "bigint" || typeof value === "function" || typeof value === "symbol") throw unplain(place);
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) throw unplain(place);
  for (const [name, member] of Object.entries(value)) assertPlain(member, `${place}.${name}`);
}

function unplain(place: string): TypeError {
  return new TypeError(`${place} is answered as what JSON has no word for`);
}
