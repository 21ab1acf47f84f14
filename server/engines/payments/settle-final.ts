import type { Database } from "#db/client.ts";
import { supersedeTransaction } from "#db/queries/transfers/superseded-transactions.ts";
import { listTransactionsOf, lookAtOnce, type OpenTransaction } from "#db/queries/transfers/transactions.ts";
import { listMinedTransfers, lockTransfer, restTransfer, saveTransfer } from "#db/queries/transfers/transfers.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import type { EvmReceipt } from "#domain/evm-chain.ts";
import { advanceTransfer, allowsTransfer, type Transfer, type TransferAction } from "#domain/transfer.ts";
import { bookNetworkFee } from "#server/services/ledger/book-network-fee.ts";
import { countMove, type Round, tendOne } from "./engine.ts";
import { doubtOf, type Hearing, hearWitnesses } from "./hear-witnesses.ts";
import { judgeFinal } from "./judge-final.ts";
import { noteInHistory } from "./note-in-history.ts";

const AT_ONCE = 256;

/**
 * Ends the transfers whose blocks are deep enough: executed, failed or, where the chain's word is not clear, under review. The
 * whole block's receipts are read again here, from the canonical chain, so that what ends a transfer is what stands there now.
 *
 * @returns whether there may be more at once
 */
export async function settleFinal(round: Round): Promise<boolean> {
  const height = await finalHeight(round);
  if (height === null) return false;
  const { ctx } = round.engine;
  const deep = await listMinedTransfers(ctx.db, round.chain.chain, height, AT_ONCE);
  if (deep.length === 0) return false;
  const transactions = new Map(
    (
      await listTransactionsOf(
        ctx.db,
        deep.map(({ id }) => id),
      )
    ).map((one) => [one.transfer.id, one]),
  );
  for (const [block, transfers] of Map.groupBy(deep, (transfer) => transfer.blockNumber ?? 0)) {
    const canonical = await round.node.block(block);
    if (canonical === null) continue; // the node is behind what was read: it contradicts nothing
    const hashes = transfers.flatMap(({ txHash, blockHash }) => (txHash !== null && blockHash === canonical.hash ? [txHash] : []));
    const receipts = hashes.length > 0 ? await readReceipts(round, canonical.hash, hashes) : new Map<string, EvmReceipt>();
    round.engine.step("receipts_read");
    const hearing = hashes.length > 0 ? await hearWitnesses(round, canonical) : null;
    const ends: End[] = [];
    for (const transfer of transfers) {
      await tendOne(round, transfer.id, async () => {
        const transaction = transactions.get(transfer.id);
        if (!transaction) throw new Error("a mined transfer has no transaction");
        const receipt = receipts.get(transfer.txHash ?? "");
        if (transfer.blockHash !== canonical.hash || hearing === null) return void ends.push({ transfer, action: { type: "reorganise" } });
        if (!receipt) throw new Error("the node has no receipt for a transaction in its own block");
        const end = await conclude(round, transaction, transfer, receipt, hearing);
        if (end !== null) ends.push(end);
      });
    }
    await endAll(round, ends);
  }
  return deep.length === AT_ONCE;
}

/** The height down to which the chain is final; no block that was not read counts. */
export async function finalHeight({ chain, node, cursorHeight }: Round): Promise<number | null> {
  if (!chain.useFinalizedTag) return cursorHeight - chain.confirmations + 1;
  const finalized = await node.block("finalized");
  return finalized === null ? null : Math.min(finalized.height, cursorHeight);
}

/** By the whole block where the node can, else one by one. */
async function readReceipts({ node }: Round, blockHash: string, hashes: readonly string[]): Promise<Map<string, EvmReceipt>> {
  const whole = hashes.length > 1 ? await node.blockReceipts(blockHash) : null;
  const receipts = whole ?? (await Promise.all(hashes.map((hash) => node.receipt(hash)))).filter((receipt) => receipt !== null);
  return new Map(receipts.filter((receipt) => receipt.blockHash === blockHash).map((receipt) => [receipt.hash, receipt]));
}

/** What is to become of it, or null where one node's word is not enough yet. */
async function conclude(
  round: Round,
  transaction: OpenTransaction,
  transfer: Transfer,
  receipt: EvmReceipt,
  hearing: Hearing,
): Promise<End | null> {
  const action = await judgeFinal(round, transfer, transaction, receipt);
  const doubt = await doubtOf(round, transaction, action, receipt, hearing);
  if (doubt === null) return { transfer, action, receipt };
  const { ctx, pace } = round.engine;
  ctx.log.warn({ transfer_id: transfer.id, chain: transfer.chain, tx_hash: receipt.hash, doubt }, "one node's word is not final");
  await restTransfer(ctx.db, transfer.id, { kind: "chain_unavailable", reason: doubt, restMs: pace.lookMs });
  return null;
}

/** `receipt`: of the transaction that was judged, whose cost is booked with what it led to; left out where its block is gone. */
type End = { transfer: Transfer; action: TransferAction; receipt?: EvmReceipt };

/**
 * Ends a block's transfers in one transaction, and counts and tells them once it is committed. Where one of them cannot be written, nothing
 * of it is, and each is written by itself: the bad one is said so, and hurts no other.
 */
async function endAll(round: Round, ends: readonly End[]): Promise<void> {
  const { ctx } = round.engine;
  // By their ids, as everybody who locks several of them does.
  const inOrder = ends.toSorted((left, right) => (left.transfer.id < right.transfer.id ? -1 : 1));
  const written = inOrder.length > 1 ? await writeTogether(round, inOrder) : null;
  for (const [index, end] of inOrder.entries()) {
    if (written !== null) tell(round, end, written[index] ?? null);
    else await tendOne(round, end.transfer.id, async () => tell(round, end, await ctx.db.transaction((tx) => write(tx, round, end))));
  }
}

/** Null: nothing is written. */
async function writeTogether(round: Round, ends: readonly End[]): Promise<(Transfer | null)[] | null> {
  const { ctx } = round.engine;
  try {
    return await ctx.db.transaction(async (tx) => {
      const after: (Transfer | null)[] = [];
      for (const end of ends) after.push(await write(tx, round, end));
      return after;
    });
  } catch (error) {
    ctx.log.warn({ chain: round.chain.chain, err: error }, "a block's transfers cannot be ended together: one by one");
    return null;
  }
}

async function write(tx: Database, { engine, chain }: Round, { transfer, action, receipt }: End): Promise<Transfer | null> {
  const before = await lockTransfer(tx, transfer.id);
  if (before === null || !allowsTransfer(before.state, action.type)) return null;
  // Another worker may have seen a reorganisation since: then the judgement was about another block.
  if (action.type !== "reorganise" && (before.blockHash !== transfer.blockHash || before.txHash !== transfer.txHash)) return null;
  const now = await readBusinessNow(tx);
  const after = advanceTransfer(before, action, now);
  await saveTransfer(tx, after, now);
  if (receipt) await bookNetworkFee(tx, chain, { transferId: transfer.id, receipt, now });
  if (action.type === "reorganise") await lookAtOnce(tx, [transfer.id]);
  // Together: a transfer is free for another nonce exactly when the one before is known to have moved nothing, for good.
  if (action.type === "retry") {
    await supersedeTransaction(tx, transfer.id, now);
    await noteInHistory(tx, after, { action: "made_anew", reason: action.reason, txHash: before.txHash, now });
  }
  if (after.state === "executed" || after.state === "failed") await engine.onFinal(tx, after);
  engine.step("final_written", transfer.id);
  return after;
}

function tell({ engine }: Round, { transfer, action }: End, ended: Transfer | null): void {
  const { ctx } = engine;
  if (ended === null) return;
  countMove(engine, "mined", ended);
  engine.step("final", transfer.id);
  const fields = { transfer_id: ended.id, chain: ended.chain, tx_hash: transfer.txHash, state: ended.state };
  if (ended.state === "needs_review") ctx.log.error({ ...fields, reason: ended.reviewReason }, "a transfer needs an operator's review");
  else if (action.type === "retry") ctx.log.warn({ ...fields, reason: action.reason }, "a reverted transfer is made anew");
  else ctx.log.info(fields, "a transfer was moved on by the chain");
}
