import { findFiatCurrency } from "./currency.ts";
import { cost, worth } from "./fiat-worth.ts";
import type { Settlement } from "./settlement.ts";
import type { Topup } from "./topup.ts";
import type { Withdrawal } from "./withdrawal.ts";

/**
 * Double entry for everything that moves money. A posting above zero is a debit (we hold or are owed more), below zero a credit; none is
 * zero. The postings of an entry add up to zero for each asset, in integers of its smallest unit.
 *
 * - `partner_receivable`: what a partner owes us for payments on its behalf; below zero, what we owe it (its fees).
 * - `treasury`: the tokens in our wallets. `fiat_pool`: our fiat with the provider.
 * - `fee_revenue`: the platform fees, earned in the token. `network_fees`: the chains' fees for our transactions.
 * - `clearing`: taken on one side of a top-up or withdrawal and not yet given on the other.
 * - `conversion`: the two sides of every exchange, each in its own asset. `rounding`: our rounding differences.
 * - `owner_funds`: the operator's deposits, less what it took out and what partners paid to it. `provider_costs`: what fiat providers took.
 * - `losses`: what left our wallets or pools without making an owed payment, booked by two people.
 * - `suspense`: movements into or out of our wallets that are not explained yet.
 */
export const LEDGER_ACCOUNTS = [
  "partner_receivable",
  "treasury",
  "fiat_pool",
  "fee_revenue",
  "network_fees",
  "clearing",
  "conversion",
  "rounding",
  "owner_funds",
  "losses",
  "provider_costs",
  "suspense",
] as const;
export type LedgerAccount = (typeof LEDGER_ACCOUNTS)[number];

/** What an amount is counted in. `chain` null: fiat, in ISO 4217 minor units; else the token's base units on that chain. */
export type Asset = { currency: string; chain: string | null; decimals: number };

export type Posting = {
  account: LedgerAccount;
  /** Of `partner_receivable`, and of no other. */
  partnerId: string | null;
  asset: Asset;
  amount: bigint;
};

/**
 * `transaction`: one of ours on a chain, by its hash. `booking`: what people declared (`booking.ts`). `treasury_withdrawal`: what the operator
 * took out of a wallet.
 */
export const LEDGER_CAUSES = [
  ...(["settlement", "topup", "withdrawal", "pool", "treasury", "transaction", "booking"] as const),
  "treasury_withdrawal",
] as const;
export type LedgerCause = (typeof LEDGER_CAUSES)[number];

/** `pending`: promised, in no balance yet. `voided`: says that what was promised will not be. */
export const LEDGER_PHASES = ["posted", "pending", "voided"] as const;
export type LedgerPhase = (typeof LEDGER_PHASES)[number];

export const LEDGER_STEPS = [
  "executed",
  "collected",
  "sent",
  "unsent",
  "reserved",
  "taken",
  "paid",
  "released",
  "unpaid",
  "returned",
  "unreturned",
  "funded",
  "opened",
  "network_fees",
  "lost",
  "recovered",
  "booked",
  "reversed",
  "suspended",
  "corrected",
] as const;
export type LedgerStep = (typeof LEDGER_STEPS)[number];

/** What happened, once and for ever: unique by cause and step. */
export type LedgerEntry = {
  cause: LedgerCause;
  causeId: string;
  step: LedgerStep;
  phase: LedgerPhase;
  /** The step of the same cause whose pending entry ends with this one. */
  resolves: LedgerStep | null;
  partnerId: string | null;
  postings: readonly Posting[];
};

/** A defect: such an entry must not be written. */
export class UnbalancedEntry extends Error {
  override readonly name = "UnbalancedEntry";
}

export function fiatAsset(currency: string): Asset {
  const fiat = findFiatCurrency(currency);
  if (fiat === null) throw new RangeError(`${currency} is no fiat currency`);
  return { currency, chain: null, decimals: fiat.exponent };
}

/** Executed: the partner owes the fiat, the token has left the treasury, the fee is earned. */
export function settlementExecuted(settlement: Settlement): LedgerEntry {
  const { id, partnerId, quote } = settlement;
  const token = { currency: settlement.destinationCurrency, chain: settlement.chain, decimals: settlement.tokenDecimals };
  const fiat = fiatAsset(settlement.sourceCurrency);
  const exact = worth(settlement.sourceAmountMinor, fiat, quote.exchangeRate, token);
  return balancedEntry({ cause: "settlement", causeId: id, step: "executed", partnerId }, [
    owes(partnerId, fiat, settlement.sourceAmountMinor),
    on("conversion", fiat, -settlement.sourceAmountMinor),
    on("conversion", token, exact),
    on("treasury", token, -quote.destinationAmountBase),
    on("fee_revenue", token, -quote.platformFeeBase),
    on("rounding", token, quote.grossBase - exact),
  ]);
}

/** The postings of a top-up that has reached its step; null: nothing moves at that step. */
export function topupPostings(topup: Topup): LedgerEntry | null {
  const { id: causeId, partnerId, amountMinor, feeMinor } = topup;
  const fiat = fiatAsset(topup.currency);
  const what = { cause: "topup", causeId, partnerId } as const;
  switch (topup.step) {
    case "collecting":
    case "uncollected":
      return null;
    case "sending":
      return balancedEntry({ ...what, step: "collected" }, [on("fiat_pool", fiat, amountMinor), on("clearing", fiat, -amountMinor)]);
    case "sent": {
      const token = { currency: topup.destinationCurrency, chain: topup.chain, decimals: topup.tokenDecimals };
      const exact = worth(amountMinor - feeMinor, fiat, topup.exchangeRate, token);
      return balancedEntry({ ...what, step: "sent" }, [
        on("clearing", fiat, amountMinor),
        owes(partnerId, fiat, -feeMinor),
        on("conversion", fiat, feeMinor - amountMinor),
        on("conversion", token, exact),
        on("treasury", token, -topup.destinationAmountBase),
        on("rounding", token, topup.destinationAmountBase - exact),
      ]);
    }
    case "unsent":
      // Nothing is earned: all of it is owed to the partner, who settles with its member.
      return balancedEntry({ ...what, step: "unsent" }, [on("clearing", fiat, amountMinor), owes(partnerId, fiat, -amountMinor)]);
  }
}

/** The postings of a withdrawal that has reached its step; null: nothing moves at that step. */
export function withdrawalPostings(withdrawal: Withdrawal): LedgerEntry | null {
  const { id: causeId, partnerId, sourceAmountBase: taken } = withdrawal;
  const fiat = fiatAsset(withdrawal.currency);
  const token = { currency: withdrawal.sourceCurrency, chain: withdrawal.chain, decimals: withdrawal.tokenDecimals };
  const what = { cause: "withdrawal", causeId, partnerId } as const;
  switch (withdrawal.step) {
    case "reserved": {
      const promised = [on("fiat_pool", fiat, -withdrawal.amountMinor), on("clearing", fiat, withdrawal.amountMinor)];
      return balancedEntry({ ...what, step: "reserved", phase: "pending" }, promised);
    }
    case "sweeping":
      return null;
    case "paying_out":
      return balancedEntry({ ...what, step: "taken" }, [on("treasury", token, taken), on("clearing", token, -taken)]);
    case "paid":
      return withdrawalPaid(withdrawal, { fiat, token });
    case "released":
      return balancedEntry({ ...what, step: "released", phase: "voided", resolves: "reserved" }, []);
    case "returning":
      return balancedEntry({ ...what, step: "unpaid", phase: "voided", resolves: "reserved" }, []);
    case "returned":
      return balancedEntry({ ...what, step: "returned" }, [on("clearing", token, taken), on("treasury", token, -taken)]);
    case "unreturned":
      return balancedEntry({ ...what, step: "unreturned" }, [on("clearing", token, taken), owes(partnerId, token, -taken)]);
  }
}

/** Paid out: what was promised is posted, and the crypto that was taken is ours for it. */
function withdrawalPaid(withdrawal: Withdrawal, { fiat, token }: { fiat: Asset; token: Asset }): LedgerEntry {
  const { id: causeId, partnerId, amountMinor, feeMinor, sourceAmountBase: taken } = withdrawal;
  const exact = cost(amountMinor + feeMinor, fiat, withdrawal.exchangeRate, token);
  return balancedEntry({ cause: "withdrawal", causeId, partnerId, step: "paid", resolves: "reserved" }, [
    on("fiat_pool", fiat, -amountMinor),
    owes(partnerId, fiat, -feeMinor),
    on("conversion", fiat, amountMinor + feeMinor),
    on("clearing", token, taken),
    on("conversion", token, -exact),
    on("rounding", token, exact - taken),
  ]);
}

/** The operator has put fiat into a pool (below zero: taken out). `reference` identifies the deposit. */
export function poolFunded(currency: string, amountMinor: bigint, reference: string): LedgerEntry {
  const fiat = fiatAsset(currency);
  return balancedEntry({ cause: "pool", causeId: `${currency}:${reference}`, step: "funded", partnerId: null }, [
    on("fiat_pool", fiat, amountMinor),
    on("owner_funds", fiat, -amountMinor),
  ]);
}

/** A chain's fee for one transaction of ours, or the difference to the booked fee (`causeId`: its row in `network_fees`). */
export function networkFeePaid(coin: Asset, amountBase: bigint, causeId: string): LedgerEntry {
  return balancedEntry({ cause: "transaction", causeId, step: "network_fees", partnerId: null }, [
    on("network_fees", coin, amountBase),
    on("treasury", coin, -amountBase),
  ]);
}

/** A line on an account of the operator's. */
export function on(account: Exclude<LedgerAccount, "partner_receivable">, asset: Asset, amount: bigint): Posting {
  return { account, partnerId: null, asset, amount };
}

/** A line on a partner's account. */
export function owes(partnerId: string, asset: Asset, amount: bigint): Posting {
  return { account: "partner_receivable", partnerId, asset, amount };
}

type Named = Pick<LedgerEntry, "cause" | "causeId" | "step" | "partnerId"> & Partial<Pick<LedgerEntry, "phase" | "resolves">>;

/** An entry of the non-zero ones of these postings. @throws UnbalancedEntry for postings that do not add up */
export function balancedEntry(named: Named, all: readonly Posting[]): LedgerEntry {
  const postings = all.filter(({ amount }) => amount !== 0n);
  const fault = balanceFault(postings);
  if (fault !== null) throw new UnbalancedEntry(`${named.cause} ${named.causeId} ${named.step}: ${fault}`);
  return { phase: "posted", resolves: null, ...named, postings };
}

/** Why postings are not a valid entry, in words for the person who repairs it; null when they add up. */
export function balanceFault(postings: readonly Posting[]): string | null {
  for (const [name, group] of Map.groupBy(postings, ({ asset }) => assetName(asset))) {
    const sum = group.reduce((total, { amount }) => total + amount, 0n);
    if (sum !== 0n) return `${name} adds up to ${sum}`;
    if (new Set(group.map(({ asset }) => asset.decimals)).size > 1) return `${name} is counted in two units`;
  }
  return null;
}

/** `KES`, or `USDT on eip155:1`. */
export function assetName({ currency, chain }: Pick<Asset, "currency" | "chain">): string {
  return chain === null ? currency : `${currency} on ${chain}`;
}
