import { fiatAmount } from "#domain/money.ts";
import { dotsOf, type PastAmounts, perMille } from "#domain/past-amounts.ts";
import type { SettlementPast } from "#server/services/settlements/read-past.ts";

/** Two strips with one scale that begins at zero, so that they can be compared; places are per mille of its length. */
export function renderPast({ settlement, merchant, wallet, ...known }: SettlementPast) {
  const { sourceAmountMinor: own, sourceCurrency: currency } = settlement;
  const most = [...merchant, ...wallet].reduce((largest, each) => (each > largest ? each : largest), own);
  const strip = (amounts: PastAmounts) => {
    const sorted = amounts.toSorted((left, right) => (left < right ? -1 : 1));
    const [least, largest] = [sorted[0], sorted.at(-1)];
    return {
      count: amounts.length,
      dots: dotsOf(amounts, most),
      /** How many are smaller than this one. */
      below: amounts.filter((each) => each < own).length,
      range: least === undefined || largest === undefined ? null : [fiatAmount(least, currency), fiatAmount(largest, currency)],
    };
  };
  return {
    currency,
    end: fiatAmount(most, currency),
    here: perMille(own, most),
    merchant: strip(merchant),
    wallet: strip(wallet),
    wallet_uses: known.walletUses,
    wallet_executed: known.walletExecuted,
    earlier_wallets: known.earlierWallets,
  };
}
