import type { Database } from "#db/client.ts";
import { insertLedgerEntry } from "#db/queries/ledger-entries.ts";
import { insertNetworkFee } from "#db/queries/network-fees.ts";
import { networkFeePaid } from "#server/domain/ledger.ts";
import type { EvmChain, EvmReceipt } from "#server/ports.ts";

type Spent = { transferId: string; receipt: Pick<EvmReceipt, "hash" | "blockHeight" | "gasUsed" | "feeBase">; now: Date };

/**
 * Books what a final transaction of ours has cost, by its receipt, in the transaction that ends it: once, however often its transfer comes
 * to an end. A chain that took nothing leaves no ledger entry.
 */
export async function bookNetworkFee(
  tx: Database,
  { chain, native }: Pick<EvmChain, "chain" | "native">,
  { transferId, receipt, now }: Spent,
): Promise<void> {
  const { hash, blockHeight: blockNumber, gasUsed, feeBase } = receipt;
  if (!(await insertNetworkFee(tx, { hash, chain, transferId, blockNumber, gasUsed, feeBase, bookedAt: now }))) return;
  if (feeBase > 0n) await insertLedgerEntry(tx, networkFeePaid({ ...native, chain }, feeBase, hash), now);
}
