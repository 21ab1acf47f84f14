import type { Database } from "#db/client.ts";
import { insertLedgerEntry } from "#db/queries/ledger/ledger-entries.ts";
import { insertNetworkFee, listNetworkFees } from "#db/queries/ledger/network-fees.ts";
import type { EvmReceipt } from "#domain/evm-chain.ts";
import { networkFeePaid } from "#domain/ledger.ts";
import type { EvmChain } from "#server/ports.ts";

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
  const fee = { id: hash, hash, chain, transferId, blockNumber, gasUsed, feeBase, bookedAt: now };
  if (!(await insertNetworkFee(tx, fee))) return;
  if (feeBase > 0n) await insertLedgerEntry(tx, networkFeePaid({ ...native, chain }, feeBase, fee.id), now);
}

/**
 * Brings up to date what a transaction has cost that a reorganisation deeper than the confirmations has put into another block: the
 * difference, once for each block. The row of the transfer must be locked.
 */
export async function correctNetworkFee(
  tx: Database,
  { chain, native }: Pick<EvmChain, "chain" | "native">,
  { transferId, receipt, now }: Spent,
): Promise<void> {
  const { hash, blockHeight: blockNumber, gasUsed } = receipt;
  const [booked] = await listNetworkFees(tx, [hash]);
  if (booked === undefined) return await bookNetworkFee(tx, { chain, native }, { transferId, receipt, now });
  const feeBase = receipt.feeBase - booked.feeBase;
  const fee = { id: `${hash}:${blockNumber}`, hash, chain, transferId, blockNumber, gasUsed, feeBase, bookedAt: now };
  if (!(await insertNetworkFee(tx, fee))) return;
  if (feeBase !== 0n) await insertLedgerEntry(tx, networkFeePaid({ ...native, chain }, feeBase, fee.id), now);
}
