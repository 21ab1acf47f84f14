import { z } from "zod";

/** Names inside are written `camelCase`, names on the wire `snake_case`: here, and nowhere else, the console's turn into each other. */

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : "";
type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CamelCase<Tail>>}` : Name;

/** What JSON says as it stands. An instant is told as its text; an amount of base units or a map has to be rendered first. */
type Plain = string | number | boolean | null | readonly Plain[] | { readonly [name: string]: Plain };
type Tellable<Value> = { [Name in keyof Value]: Value[Name] extends Plain | Date ? Name : never }[keyof Value] & string;

export type Wire<Value, Name extends keyof Value> = {
  [Key in Name & string as SnakeCase<Key>]: Value[Key] extends Date | null ? Extract<Value[Key], null> | string : Value[Key];
};

/** Of a record what is named, in wire names and with instants as texts: what is not named is not told. */
export function toWire<Value extends object, Name extends Tellable<Value>>(value: Value, ...names: readonly Name[]): Wire<Value, Name> {
  const told = names.map((name) => {
    const member = value[name];
    return [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), member instanceof Date ? member.toISOString() : member];
  });
  return Object.fromEntries(told);
}

type Given<Asked> = { [Key in keyof Asked as Key extends string ? CamelCase<Key> : Key]: Exclude<Asked[Key], undefined> };

/** What is asked, strictly and in wire names, handed on in the names inside: without what was left out, so that it is a command's as it is. */
export function fromWire<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape).transform(toInside);
}

export function toInside<Asked extends object>(input: Asked): Given<Asked> {
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  const named = given.map(([name, value]) => [name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase()), value]);
  return Object.fromEntries(named);
}

/** For an action of which there is nothing to tell but that it is done. */
export async function done(doing: Promise<unknown>): Promise<Record<never, never>> {
  await doing;
  return {};
}
