import type { Database } from "#db/client.ts";
import { insertLedgerEntries } from "#db/queries/ledger/ledger-entries.ts";
import { insertNetworkFees, listNetworkFees, type NetworkFee } from "#db/queries/ledger/network-fees.ts";
import type { EvmReceipt } from "#domain/evm-chain.ts";
import { networkFeePaid } from "#domain/ledger.ts";
import type { EvmChain } from "#server/ports.ts";

type Spent = { transferId: string; receipt: Pick<EvmReceipt, "hash" | "blockHeight" | "gasUsed" | "feeBase"> };

/**
 * Books the fees of our final transactions from their receipts, in the transaction that ends them: once, however often a transfer ends. A
 * chain without fees leaves no ledger entry.
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

/** Answers the ids of those that were not booked before. */
async function book(
  tx: Database,
  { chain, native }: Pick<EvmChain, "chain" | "native">,
  fees: readonly Fee[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const kept = new Set(await insertNetworkFees(tx, fees));
  const costs = fees.filter(({ id, feeBase }) => kept.has(id) && feeBase !== 0n);
  await insertLedgerEntries(
    tx,
    costs.map(({ id, feeBase }) => networkFeePaid({ ...native, chain }, feeBase, id)),
    now,
  );
  return kept;
}

/**
 * Reverses the booked fees of transactions that a deep reorg has dropped and whose nonce another transaction now uses. The row of the
 * transfer must be locked.
 */
export async function takeBackNetworkFees(
  tx: Database,
  chain: Pick<EvmChain, "chain" | "native">,
  { transferId, hashes, blockNumber }: { transferId: string; hashes: readonly string[]; blockNumber: number },
  now: Date,
): Promise<void> {
  const booked = (await listNetworkFees(tx, hashes)).filter(({ feeBase }) => feeBase !== 0n);
  await correct(
    tx,
    chain,
    booked.map((before) => ({ before, transferId, blockNumber, gasUsed: 0n, feeBase: -before.feeBase })),
    now,
  );
}

/**
 * Brings up to date what a transaction has cost that a reorganisation deeper than the confirmations has put into another block, by the
 * difference to what is booked. The row of the transfer must be locked.
 */
export async function correctNetworkFee(
  tx: Database,
  chain: Pick<EvmChain, "chain" | "native">,
  { transferId, receipt }: Spent,
  now: Date,
): Promise<void> {
  const { hash, blockHeight: blockNumber, gasUsed } = receipt;
  const [before] = await listNetworkFees(tx, [hash]);
  if (before === undefined) return await bookNetworkFees(tx, chain, [{ transferId, receipt }], now);
  await correct(tx, chain, [{ before, transferId, blockNumber, gasUsed, feeBase: receipt.feeBase - before.feeBase }], now);
}

type Correction = { before: NetworkFee } & Pick<Fee, "transferId" | "blockNumber" | "gasUsed" | "feeBase">;

/**
 * Corrections of one hash are numbered: reorgs may put it into the same height, or the same block, more than once. If a number is taken,
 * somebody else has just corrected it from the same sum: then nothing may commit.
 */
async function correct(
  tx: Database,
  chain: Pick<EvmChain, "chain" | "native">,
  corrections: readonly Correction[],
  now: Date,
): Promise<void> {
  const fees = corrections.map(({ before: { hash, rows }, ...correction }) => {
    return { ...correction, id: `${hash}:correction-${rows}`, hash, chain: chain.chain, bookedAt: now };
  });
  const kept = await book(tx, chain, fees, now);
  if (kept.size < fees.length) throw new Error("a transaction's cost was corrected twice at once");
}
