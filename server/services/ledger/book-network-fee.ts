import type { Database } from "#db/client.ts";
import { insertLedgerEntries } from "#db/queries/ledger/ledger-entries.ts";
import { insertNetworkFees, listNetworkFees } from "#db/queries/ledger/network-fees.ts";
import type { EvmReceipt } from "#domain/evm-chain.ts";
import { networkFeePaid } from "#domain/ledger.ts";
import type { EvmChain } from "#server/ports.ts";

type Spent = { transferId: string; receipt: Pick<EvmReceipt, "hash" | "blockHeight" | "gasUsed" | "feeBase"> };

/**
 * Books what final transactions of ours have cost, by their receipts, in the transaction that ends them: once, however often a transfer
 * comes to an end. A chain that took nothing leaves no ledger entry.
 */
export async function bookNetworkFees(
  tx: Database,
  chain: Pick<EvmChain, "chain" | "native">,
  spent: readonly Spent[],
  now: Date,
): Promise<void> {
  const fees = spent.map(({ transferId, receipt: { hash, blockHeight: blockNumber, gasUsed, feeBase } }) => {
    return { id: hash, hash, chain: chain.chain, transferId, blockNumber, gasUsed, feeBase, bookedAt: now };
  });
  await book(tx, chain, fees, now);
}

type Fee = Parameters<typeof insertNetworkFees>[1][number];

async function book(tx: Database, { chain, native }: Pick<EvmChain, "chain" | "native">, fees: readonly Fee[], now: Date): Promise<void> {
  const kept = new Set(await insertNetworkFees(tx, fees));
  const costs = fees.filter(({ id, feeBase }) => kept.has(id) && feeBase !== 0n);
  await insertLedgerEntries(
    tx,
    costs.map(({ id, feeBase }) => networkFeePaid({ ...native, chain }, feeBase, id)),
    now,
  );
}

/**
 * Takes back what is booked of transactions that a reorganisation deeper than the confirmations has dropped, and under whose nonce another
 * one stands: once for each block of that. The row of the transfer must be locked.
 */
export async function takeBackNetworkFees(
  tx: Database,
  chain: Pick<EvmChain, "chain" | "native">,
  { transferId, hashes, blockNumber }: { transferId: string; hashes: readonly string[]; blockNumber: number },
  now: Date,
): Promise<void> {
  const booked = (await listNetworkFees(tx, hashes)).filter(({ feeBase }) => feeBase !== 0n);
  const back = booked.map(({ hash, feeBase }) => {
    return {
      id: `${hash}:-${blockNumber}`,
      hash,
      chain: chain.chain,
      transferId,
      blockNumber,
      gasUsed: 0n,
      feeBase: -feeBase,
      bookedAt: now,
    };
  });
  await book(tx, chain, back, now);
}

/**
 * Brings up to date what a transaction has cost that a reorganisation deeper than the confirmations has put into another block: the
 * difference, once for each block. The row of the transfer must be locked.
 */
export async function correctNetworkFee(
  tx: Database,
  chain: Pick<EvmChain, "chain" | "native">,
  { transferId, receipt }: Spent,
  now: Date,
): Promise<void> {
  const { hash, blockHeight: blockNumber, gasUsed } = receipt;
  const [booked] = await listNetworkFees(tx, [hash]);
  if (booked === undefined) return await bookNetworkFees(tx, chain, [{ transferId, receipt }], now);
  const feeBase = receipt.feeBase - booked.feeBase;
  const fee = { id: `${hash}:${blockNumber}`, hash, chain: chain.chain, transferId, blockNumber, gasUsed, feeBase, bookedAt: now };
  await book(tx, chain, [fee], now);
}
