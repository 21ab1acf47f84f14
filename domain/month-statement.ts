import { findFiatCurrency } from "./currency.ts";
import { decimal, floorToUnits, formatDecimal } from "./decimal.ts";

/** A month in UTC: `2026-11`. */
export const MONTH = /^20\d{2}-(0[1-9]|1[0-2])$/;

/** From its first instant to the first of the next month, which is no part of it. */
export function monthPeriod(month: string): { from: Date; to: Date } {
  const from = new Date(`${month}-01T00:00:00.000Z`);
  return { from, to: new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 1)) };
}

/** A row of a partner's own file: its reference or our id, and the source amount in the smallest unit. */
export type OwnRow = { name: string; minor: bigint; currency: string };

/** An amount of a file in the currency's smallest unit. A finer one equals no amount of ours, so that it is below all of them. */
export function minorOfFile(amount: string, currency: string): bigint {
  const exponent = findFiatCurrency(currency)?.exponent ?? 2;
  const units = floorToUnits(decimal(amount), exponent);
  return formatDecimal({ coefficient: units, scale: exponent }) === formatDecimal(decimal(amount)) ? units : -1n;
}

/** A settlement of ours, and whether it was paid out within the month. */
export type OurRow = { id: string; externalTxId: string | null; status: string; minor: bigint; currency: string; isInMonth: boolean };

export type RowDifference = {
  kind: "unknown" | "not_executed" | "other_month" | "other_currency" | "other_amount" | "twice" | "missing";
  /** As the file calls it; of a missing row our own reference. */
  name: string;
  ours: OurRow | null;
  own: OwnRow | null;
};

/**
 * Compares a partner's own rows with what was paid out in the month, and names every row that differs. A row matches by the partner's
 * reference, else by our id, and counts once.
 */
export function compareRows(own: readonly OwnRow[], found: readonly OurRow[], executed: readonly OurRow[]): RowDifference[] {
  const byName = new Map<string, OurRow>();
  for (const each of found) for (const name of [each.id, each.externalTxId]) if (name !== null) byName.set(name, each);
  const seen = new Set<string>();
  const differences: RowDifference[] = [];
  for (const row of own) {
    const ours = byName.get(row.name) ?? null;
    const kind = differenceOf(row, ours, seen);
    if (ours !== null) seen.add(ours.id);
    if (kind !== null) differences.push({ kind, name: row.name, ours, own: row });
  }
  for (const ours of executed)
    if (!seen.has(ours.id)) differences.push({ kind: "missing", name: ours.externalTxId ?? ours.id, ours, own: null });
  return differences;
}

function differenceOf(own: OwnRow, ours: OurRow | null, seen: ReadonlySet<string>): RowDifference["kind"] | null {
  if (ours === null) return "unknown";
  if (seen.has(ours.id)) return "twice";
  if (ours.status !== "executed") return "not_executed";
  if (!ours.isInMonth) return "other_month";
  if (ours.currency !== own.currency) return "other_currency";
  return ours.minor === own.minor ? null : "other_amount";
}
