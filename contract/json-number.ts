import { z } from "zod";
import { type Decimal, parseDecimal } from "#domain/decimal.ts";

/**
 * A JSON number whose exact value no JavaScript number has (`100.00000000000000000001`, `9007199254740993`). The strict
 * parser hands it on as this, so that no schema takes a rounded value for what was sent: numeric schemas refuse it, and
 * {@link jsonDecimal} reads it exactly.
 */
export class InexactNumber {
  readonly literal: string;

  constructor(literal: string) {
    this.literal = literal;
  }
}

/** A number of any precision, read by its exact value. */
export const jsonDecimal = z
  .union([z.number(), z.instanceof(InexactNumber)])
  .transform((value, context): Decimal => {
    const exact = parseDecimal(value instanceof InexactNumber ? value.literal : String(value));
    if (exact !== null) return exact;
    context.addIssue({ code: "custom", message: "must be a number of sensible size" });
    return z.NEVER;
  })
  .meta({ type: "number" });
