import { findFiatCurrency } from "./currency.ts";
import { type OpenLimitKind, toAtto } from "./exposure-limit.ts";

/** What is promised at a rate and not paid, of one pair: quotes that are valid or await an approval, and payments on their way. */
export type Exposure = {
  pair: string;
  /** The source currency. */
  currency: string;
  quotes: number;
  openMinor: bigint;
  /** What it costs more at the present rate than when it was priced, in units of 10⁻¹⁸; below zero: less. */
  lossAtto: bigint;
};

/** A limit on what is open, and what is open of what it concerns, in units of 10⁻¹⁸ of the source currency. */
export type OpenLimit = {
  id: string;
  kind: OpenLimitKind;
  amountAtto: bigint;
  openAtto: bigint;
  /** What the open quotes would cost more at the present rate than they were priced at; below zero: less. */
  lossAtto: bigint;
};

/**
 * The limit that a further quote of this amount would exceed; null: none. Amounts are added up. A loss is what the rate has done already: at
 * the limit, nothing more is quoted.
 */
export function findExceeded(limits: readonly OpenLimit[], amount: { amountMinor: bigint; currency: string }): OpenLimit | null {
  const added = toAtto(amount.amountMinor, findFiatCurrency(amount.currency)?.exponent ?? 0);
  return (
    limits.find(({ kind, amountAtto, openAtto, lossAtto }) =>
      kind === "open_loss" ? lossAtto >= amountAtto : openAtto + added > amountAtto,
    ) ?? null
  );
}

/** An amount in units of 10⁻¹⁸ as minor units of a currency, towards zero. */
export function minorOf(atto: bigint, currency: string): bigint {
  return atto / 10n ** BigInt(18 - (findFiatCurrency(currency)?.exponent ?? 0));
}
