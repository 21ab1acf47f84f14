import { findFiatCurrency } from "./currency.ts";
import { compare, formatDecimal } from "./decimal.ts";
import { type FiatPriceInput, priceTopup, priceWithdrawal } from "./fiat-price.ts";
import type { PairTerms } from "./pair-terms.ts";
import { priceSource, quotedRate } from "./quote.ts";
import { isRefusal } from "./refusal.ts";
import type { Quote, Settlement } from "./settlement.ts";
import type { Topup } from "./topup.ts";
import type { Withdrawal } from "./withdrawal.ts";

/**
 * Whether a price follows from the mid rate, the spread and the terms recorded with it. Returns the differences, in words for the person who
 * investigates; empty when there are none.
 */
export function quoteFaults(settlement: Settlement, quote: Quote, terms: PairTerms): string[] {
  return judge((differs) => {
    const { sourceCurrency, destinationCurrency: crypto, partnerId, chain, sourceAmountMinor, tokenDecimals } = settlement;
    termsFaults(terms, { fiat: sourceCurrency, crypto, chain, partnerId }, differs);
    differs("spread", quote.spreadBps, terms.spreadBps);
    differs("platform fee", quote.platformFeeBase, terms.platformFeeBase);
    const exchangeRate = quotedRate(quote.midRate, quote.spreadBps);
    differs("exchange rate", formatDecimal(quote.exchangeRate), formatDecimal(exchangeRate));
    const sourceExponent = exponentOf(sourceCurrency);
    const price = priceSource({ sourceAmountMinor, sourceExponent, exchangeRate, platformFeeBase: terms.platformFeeBase, tokenDecimals });
    differs("gross", quote.grossBase, price.grossBase);
    differs("net", quote.destinationAmountBase, price.destinationAmountBase);
    const lifetimeMs = quote.expiresAt.getTime() - quote.pricedAt.getTime();
    const lifetime = quote.version === 1 ? terms.quoteLifetimeSeconds : terms.approvedLifetimeSeconds;
    // An item of a batch is priced again without an approval, too: when its quote has run out.
    const isRequote = settlement.batchId !== null && quote.version > 1 && lifetimeMs === terms.quoteLifetimeSeconds * 1_000;
    if (!isRequote) differs("lifetime", lifetimeMs, lifetime * 1_000);
    // Below it a limit may have required an approval: another audit rule checks that.
    if (quote.version === 1 && sourceAmountMinor > terms.maximumSourceMinor) differs("approval", settlement.approvalState !== null, true);
  });
}

/** As {@link quoteFaults}, of a top-up. */
export function topupFaults(topup: Topup, terms: PairTerms): string[] {
  return judge((differs) => {
    const { currency: fiat, destinationCurrency: crypto, chain, partnerId } = topup;
    termsFaults(terms, { fiat, crypto, chain, partnerId }, differs);
    differs("spread", topup.spreadBps, terms.spreadBps);
    const price = priceTopup(inputOf(topup));
    differs("fee", topup.feeMinor, price.feeMinor);
    differs("exchange rate", compare(topup.exchangeRate, price.exchangeRate), 0);
    differs("crypto", topup.destinationAmountBase, price.destinationAmountBase);
  });
}

/** As {@link quoteFaults}, of a withdrawal. */
export function withdrawalFaults(withdrawal: Withdrawal, terms: PairTerms): string[] {
  return judge((differs) => {
    const { currency: fiat, sourceCurrency: crypto, chain, partnerId } = withdrawal;
    termsFaults(terms, { fiat, crypto, chain, partnerId }, differs);
    differs("spread", withdrawal.spreadBps, terms.spreadBps);
    const price = priceWithdrawal(inputOf(withdrawal));
    differs("fee", withdrawal.feeMinor, price.feeMinor);
    differs("exchange rate", compare(withdrawal.exchangeRate, price.exchangeRate), 0);
    differs("crypto", withdrawal.sourceAmountBase, price.sourceAmountBase);
  });
}

type Primitive = bigint | number | string | boolean;
type Differs = (what: string, is: Primitive, mustBe: Primitive) => void;

function judge(look: (differs: Differs) => void): string[] {
  const faults: string[] = [];
  try {
    look((what, is, mustBe) => {
      if (is !== mustBe) faults.push(`${what} is ${is}, and must be ${mustBe}`);
    });
  } catch (error) {
    // What would be refused today was never a price.
    if (!isRefusal(error) && !(error instanceof RangeError)) throw error;
    faults.push(`cannot be priced: ${error.message}`);
  }
  return faults;
}

function termsFaults(terms: PairTerms, of: { fiat: string; crypto: string; chain: string; partnerId: string }, differs: Differs): void {
  differs("terms", `${terms.sourceCurrency} ${terms.destinationCurrency} ${terms.chain}`, `${of.fiat} ${of.crypto} ${of.chain}`);
  if (terms.partnerId !== null) differs("terms' partner", terms.partnerId, of.partnerId);
}

function inputOf(order: Topup | Withdrawal): FiatPriceInput {
  const { amountMinor, midRate, spreadBps, chargeFeePercentage, tokenDecimals, currency } = order;
  return { amountMinor, exponent: exponentOf(currency), midRate, spreadBps, chargeFeePercentage, tokenDecimals };
}

function exponentOf(currency: string): number {
  const fiat = findFiatCurrency(currency);
  if (fiat === null) throw new RangeError(`${currency} is no fiat currency`);
  return fiat.exponent;
}
