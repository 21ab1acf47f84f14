import { exactNumber } from "#contract/primitives.ts";
import { decimal } from "#domain/decimal.ts";

/**
 * Writes an answer's body. A number is a plain decimal, never with an exponent (contract, part 1): `1e-7` becomes `0.0000001`.
 * Exact amounts arrive as `exactNumber` and keep their very digits.
 */
export function renderJson(value: unknown): string {
  return JSON.stringify(value, plainNumbers);
}

function plainNumbers(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return exactNumber({ coefficient: value, scale: 0 });
  if (typeof value !== "number" || !String(value).includes("e")) return value;
  return exactNumber(decimal(String(value)));
}
