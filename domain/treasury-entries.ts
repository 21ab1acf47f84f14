import { type Asset, balancedEntry, type LedgerEntry } from "./ledger.ts";

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

/** Takes an entry back in full. Entries are never changed. */
export function reversalOf({ cause, causeId, partnerId, postings }: LedgerEntry, step: "reversed" | "recovered"): LedgerEntry {
  const undone = postings.map((posting) => ({ ...posting, amount: -posting.amount }));
  return balancedEntry({ cause, causeId, step, partnerId }, undone);
}
