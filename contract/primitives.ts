import { z } from "zod";
import { parseChainId } from "#domain/chain-id.ts";
import { type Decimal, formatDecimal } from "#domain/decimal.ts";

/** An instant on the wire: ISO 8601 in UTC with `Z` and milliseconds (contract, part 1). */
export function instant(at: Date): string {
  return at.toISOString();
}

export function instantOrNull(at: Date | null): string | null {
  return at === null ? null : at.toISOString();
}

/** What newer engines give JSON beyond the types that the compiler knows. */
type SourceText = { rawJSON(text: string): number };
type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;
const exactJson = JSON as unknown as SourceText & { parse(text: string, reviver: Reviver): unknown };

/**
 * A number whose digits `JSON.stringify` writes as they are: a plain decimal, never an exponent, never a float. Typed as the
 * number that every JSON parser reads it as.
 */
export function exactNumber(value: Decimal): number {
  return exactJson.rawJSON(formatDecimal(value));
}

/** Parses JSON that we wrote ourselves; writing it again keeps each number's exact digits. */
function parseExactly(text: string): unknown {
  return exactJson.parse(text, (_key, value, { source }) =>
    typeof value === "number" && source !== undefined ? exactJson.rawJSON(source) : value,
  );
}

/** How an answer gives its numbers: `EXACT` with their very digits, to be written as JSON; `AS_READ` as the values that JSON is read as. */
export type Numbers = { of: (value: Decimal) => number; read: (json: string) => unknown };
export const EXACT: Numbers = { of: exactNumber, read: parseExactly };
export const AS_READ: Numbers = { of: (value) => Number(formatDecimal(value)), read: (json) => JSON.parse(json) };

/** An amount or a rate as answers show it, written by {@link exactNumber}. `t`: what it is, with its unit. */
export function exactAmount(t: string) {
  return z.number().describe(`${t}. A JSON number of at most 15 digits: parse it as a decimal, not as a float`);
}

/** An instant as answers show it. */
export const timestamp = z.iso
  .datetime({ precision: 3 })
  .describe("An instant: ISO 8601 in UTC with milliseconds, such as 2026-11-28T12:00:00.000Z");

/** A text of `minimum` to `maximum` characters that can be stored and shown as it was sent: well-formed, without NUL. */
export function plainText(minimum: number, maximum: number) {
  return z
    .string()
    .refine((text) => text.isWellFormed() && !text.includes("\u0000"), { error: "must be well-formed text without NUL" })
    .refine((text) => inRange([...text].length, minimum, maximum), { error: `must have ${minimum} to ${maximum} characters` })
    .meta({ minLength: minimum, maxLength: maximum });
}

function inRange(value: number, minimum: number, maximum: number): boolean {
  return value >= minimum && value <= maximum;
}

/** A whole number in a query string. */
export function wholeNumber(minimum: number, maximum: number) {
  return z
    .string()
    .regex(/^\d{1,16}$/, { error: "must be a whole number" })
    .transform(Number)
    .refine((value) => inRange(value, minimum, maximum), { error: `must be ${minimum} to ${maximum}` })
    .meta({ type: "integer", minimum, maximum });
}

/** An instant in a query string, with its zone. */
export const instantParameter = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text))
  .refine(isStorableInstant, { error: "must be in the years 1 to 9999, in UTC" });

/** Whether the database accepts the instant: `0000-01-01…` and `9999-12-31T23:59:59-05:00` are only valid in JavaScript. */
export function isStorableInstant(at: Date): boolean {
  return inRange(at.getUTCFullYear(), 1, 9_999);
}

/** A blockchain network; whether it is one of this installation's is for the service to say. */
export const caip2 = plainText(1, 64)
  .refine((text) => parseChainId(text) !== null, { error: "must be a CAIP-2 chain id such as eip155:1" })
  .describe("The blockchain network as a CAIP-2 id, such as eip155:1");

/** Its host is judged by the service, outside of any transaction. */
export const callbackUrl = plainText(1, 2_048).describe("An absolute https URL on a public host. A sandbox also calls http://127.0.0.1");

/** An entry of an allow-list. */
export const addressOrRange = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], { error: "must be an IP address or a CIDR range" });

/** A partner's own name for a thing. */
export const reference = plainText(1, 128);

/** A reference that says something. */
export const sayingReference = reference.refine((text) => text.trim() !== "", { error: "must not be blank" });

/** Fiat in ISO 4217 minor units. */
export const minorAmount = z.int().min(1).max(Number.MAX_SAFE_INTEGER);
