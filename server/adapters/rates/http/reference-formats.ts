import { type Decimal, decimal } from "#domain/decimal.ts";
import { Rejected } from "#server/ports.ts";
import type { ReferenceFormat } from "./config.ts";
import { type ExactJson, isList, member, parseExactJson, readInstant, readPrice } from "./read-answer.ts";

/** The value of one unit of `base` in other currencies, and the sheet's time if it has one. */
export type ReferenceSheet = { base: string; perBase: ReadonlyMap<string, Decimal>; asOf: Date | null };

const READERS: Record<ReferenceFormat, (text: string) => ReferenceSheet> = { base_rates: readBaseRates, ecb_xml: readEcbXml };

/**
 * A reference's published sheet, without currencies whose number makes no sense.
 *
 * @throws Rejected when the answer is not of that format.
 */
export function readReference(format: ReferenceFormat, text: string): ReferenceSheet {
  return READERS[format](text);
}

function readBaseRates(text: string): ReferenceSheet {
  const answer = parseExactJson(text);
  const base = member(answer, "base") ?? member(answer, "base_code");
  const rates = member(answer, "rates") ?? member(answer, "conversion_rates");
  if (typeof base !== "string" || !/^[A-Z]{3}$/.test(base) || typeof rates !== "object" || rates === null || isList(rates))
    throw new Rejected("the answer is no sheet of rates");
  const time = member(answer, "time_last_update_unix") ?? member(answer, "timestamp") ?? member(answer, "date");
  return sheet(base, Object.entries(rates), readInstant(time));
}

function readEcbXml(text: string): ReferenceSheet {
  const date = /<Cube\s+time=['"](\d{4}-\d{2}-\d{2})['"]/.exec(text)?.[1];
  if (date === undefined) throw new Rejected("the answer is no sheet of the European Central Bank");
  const rows = text.matchAll(/<Cube\s+currency=['"]([A-Z]{3})['"]\s+rate=['"]([0-9.]{1,30})['"]/g);
  return sheet(
    "EUR",
    [...rows].map(([, currency = "", rate = ""]) => [currency, rate]),
    readInstant(date),
  );
}

function sheet(base: string, rows: readonly (readonly [string, ExactJson])[], asOf: Date | null): ReferenceSheet {
  const perBase = new Map<string, Decimal>();
  for (const [currency, rate] of rows) {
    try {
      perBase.set(currency, readPrice(rate));
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
    }
  }
  perBase.set(base, decimal("1"));
  return { base, perBase, asOf };
}
