import { type Asset, balancedEntry, type LedgerEntry } from "./ledger.ts";
import type { TreasuryWithdrawal } from "./treasury-withdrawal.ts";

/**
 * The operator has moved tokens into a treasury wallet or out of it. `opened`: its opening balance. `corrected`: the right amount, in the place of
 * an entry that was reversed.
 */
export function treasuryFunded(
  asset: Asset,
  amountBase: bigint,
  why: { step: "opened" | "funded" | "corrected"; reference: string },
): LedgerEntry {
  return balancedEntry({ cause: "treasury", causeId: why.reference, step: why.step, partnerId: null }, [
    { account: "treasury", partnerId: null, asset, amount: amountBase },
    { account: "owner_funds", partnerId: null, asset, amount: -amountBase },
  ]);
}

/** The operator has taken crypto out of a treasury wallet, on purpose. Null: it has not, or not yet. */
export function treasuryWithdrawn({
  id,
  state,
  chain,
  currency,
  tokenDecimals: decimals,
  amountBase,
}: TreasuryWithdrawal): LedgerEntry | null {
  if (state !== "paid") return null;
  const asset = { currency, chain, decimals };
  return balancedEntry({ cause: "treasury_withdrawal", causeId: id, step: "paid", partnerId: null }, [
    { account: "owner_funds", partnerId: null, asset, amount: amountBase },
    { account: "treasury", partnerId: null, asset, amount: -amountBase },
  ]);
}

/** Takes an entry back in full. Entries are never changed. */
export function reversalOf({ cause, causeId, partnerId, postings }: LedgerEntry, step: "reversed" | "recovered"): LedgerEntry {
  const undone = postings.map((posting) => ({ ...posting, amount: -posting.amount }));
  return balancedEntry({ cause, causeId, step, partnerId }, undone);
}
