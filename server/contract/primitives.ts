import { z } from "zod";
import { type Decimal, formatDecimal } from "#server/domain/decimal.ts";

/** An instant on the wire: ISO 8601 in UTC with `Z` and milliseconds (contract, part 1). */
export function instant(at: Date): string {
  return at.toISOString();
}

export function instantOrNull(at: Date | null): string | null {
  return at === null ? null : at.toISOString();
}

/**
 * A number whose digits `JSON.stringify` writes as they are: a plain decimal, never an exponent, never a float. Typed as the
 * number that every JSON parser reads it as.
 */
export function exactNumber(value: Decimal): number {
  return (JSON as unknown as { rawJSON(text: string): number }).rawJSON(formatDecimal(value));
}

/** An instant as answers show it. */
export const timestamp = z.iso.datetime({ precision: 3 }).describe("ISO 8601 in UTC, with milliseconds");
