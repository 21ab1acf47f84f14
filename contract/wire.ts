import { z } from "zod";

/** Names inside are written `camelCase`, names on the wire `snake_case`: here, and nowhere else, they turn into each other. */

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : "";
type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CamelCase<Tail>>}` : Name;

/** What JSON writes as it is. An instant becomes its text; an amount of base units or a map has to be rendered first. */
type Plain = string | number | boolean | null | readonly Plain[] | { readonly [name: string]: Plain };
type Renderable<Value> = { [Name in keyof Value]: Value[Name] extends Plain | Date ? Name : never }[keyof Value] & string;

type WireValue<Value> = Value extends Date ? string : Value extends readonly (infer Item)[] ? Item[] : Value;
type Wire<Value, Name extends keyof Value> = { [Key in Name & string as SnakeCase<Key>]: WireValue<Value[Key]> };

/** The named members of a record, in wire names and with instants as ISO 8601 in UTC. All others are dropped. */
export function toWire<Value extends object, Name extends Renderable<Value>>(value: Value, ...names: readonly Name[]): Wire<Value, Name> {
  const members = names.map((name) => {
    const member = value[name];
    return [wireName(name), member instanceof Date ? member.toISOString() : member];
  });
  return Object.fromEntries(members);
}

/** The names of the code's own records, so they are few. */
const wireNames = new Map<string, string>();

function wireName(name: string): string {
  const known = wireNames.get(name);
  if (known !== undefined) return known;
  const written = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  wireNames.set(name, written);
  return written;
}

type Given<Asked> = { [Key in keyof Asked as Key extends string ? CamelCase<Key> : Key]: Exclude<Asked[Key], undefined> };

/** A strict input in wire names, given to a command in the names inside, without what was left out. */
export function fromWire<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape).transform(toInside);
}

/** The members that were given, in the names inside. */
export function toInside<Asked extends object>(input: Asked): Given<Asked> {
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  const named = given.map(([name, value]) => [name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase()), value]);
  return Object.fromEntries(named);
}
