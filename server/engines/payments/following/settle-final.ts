import type { Database } from "#db/client.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { supersedeTransaction } from "#db/queries/transfers/superseded-transactions.ts";
import { listTransactionsOf, lookAtOnce, type OpenTransaction } from "#db/queries/transfers/transactions.ts";
import { listMinedTransfers, lockTransfers, restTransfers, saveTransfers } from "#db/queries/transfers/transfers.ts";
import type { EvmReceipt } from "#domain/evm-chain.ts";
import { advanceTransfer, allowsTransfer, type Transfer, type TransferAction } from "#domain/transfer.ts";
import { inParallel } from "#server/engines/duty.ts";
import { type Confirmation, confirmWithOtherNodes, doubtOf } from "#server/engines/payments/claiming/confirm-with-other-nodes.ts";
import { countMove, type Pass, processAll, processOne } from "#server/engines/payments/engine.ts";
import { bookNetworkFees } from "#server/services/ledger/book-network-fee.ts";
import { advanceMembers, type EndingMember, endingsOf, freed, saveEndings } from "#server/services/transfers/end-members.ts";
import { judgeFinal } from "./judge-final.ts";
import { recordInHistory } from "./record-in-history.ts";

const AT_ONCE = 1_024;

/**
 * Ends the transfers whose blocks are deep enough: executed, failed or, if the chain is not clear, under review. It reads the whole block's
 * receipts again from the canonical chain, so that the end matches what is there now.
 *
 * @returns whether there may be more at once
 */
export async function settleFinal(pass: Pass): Promise<boolean> {
  const height = await finalHeight(pass);
  if (height === null) return false;
  const { db } = pass.engine.ctx;
  const deep = await listMinedTransfers(db, pass.chain.chain, height, AT_ONCE);
  if (deep.length === 0) return false;
  const ids = deep.map(({ id }) => id);
  const transactions = new Map((await listTransactionsOf(db, ids)).map((one) => [one.transfer.id, one]));
  const blocks = [...Map.groupBy(deep, (transfer) => transfer.blockNumber ?? 0)];
  // The blocks are requested together, and ended in order.
  const read = await inParallel(blocks.map(([number, transfers]) => readBlock(pass, number, transfers)));
  for (const [index, [, transfers]] of blocks.entries()) {
    const block = read[index];
    if (!block) continue; // the node is behind what was read: it contradicts nothing
    pass.engine.step("receipts_read");
    const ends: End[] = [];
    const judge = async (transfer: Transfer) => {
      const end = await conclude(pass, transactions.get(transfer.id), transfer, block);
      if (end !== null) ends.push(end);
    };
    await inParallel(transfers.map((transfer) => processOne(pass, transfer.id, () => judge(transfer))));
    await processAll(pass, ends, (some) => endAll(pass, some));
  }
  return deep.length === AT_ONCE;
}

type BlockRead = { hash: string; receipts: ReadonlyMap<string, EvmReceipt>; hearing: Confirmation | null };

/** The block at a height, with the receipts of the transfers that are still in exactly that block. Null: the node has no such block. */
async function readBlock(pass: Pass, number: number, transfers: readonly Transfer[]): Promise<BlockRead | null> {
  const canonical = await pass.node.block(number);
  if (canonical === null) return null;
  const { hash } = canonical;
  const hashes = transfers.flatMap(({ txHash, blockHash }) => (txHash !== null && blockHash === hash ? [txHash] : []));
  if (hashes.length === 0) return { hash, receipts: new Map(), hearing: null };
  const [receipts, hearing] = await Promise.all([readReceipts(pass, hash, hashes), confirmWithOtherNodes(pass, canonical)]);
  return { hash, receipts, hearing };
}

/** The height up to which the chain is final; unread blocks do not count. */
export async function finalHeight({ chain, node, cursorHeight }: Pass): Promise<number | null> {
  if (!chain.useFinalizedTag) return cursorHeight - chain.confirmations + 1;
  const finalized = await node.block("finalized");
  return finalized === null ? null : Math.min(finalized.height, cursorHeight);
}

/** By whole block where the node can, otherwise one by one. */
async function readReceipts({ node }: Pass, blockHash: string, hashes: readonly string[]): Promise<Map<string, EvmReceipt>> {
  const whole = hashes.length > 1 ? await node.blockReceipts(blockHash) : null;
  const receipts = whole ?? (await Promise.all(hashes.map((hash) => node.receipt(hash)))).filter((receipt) => receipt !== null);
  return new Map(receipts.filter((receipt) => receipt.blockHash === blockHash).map((receipt) => [receipt.hash, receipt]));
}

/** What should happen to it, or null while one node's answer is not enough. */
async function conclude(
  pass: Pass,
  transaction: OpenTransaction | undefined,
  transfer: Transfer,
  { hash, receipts, hearing }: BlockRead,
): Promise<End | null> {
  if (!transaction) throw new Error("a mined transfer has no transaction");
  if (transfer.blockHash !== hash || hearing === null) return { transfer, action: { type: "reorganise" } };
  const receipt = receipts.get(transfer.txHash ?? "");
  if (!receipt) throw new Error("the node has no receipt for a transaction in its own block");
  const action = await judgeFinal(pass, transfer, transaction, receipt);
  const doubt = await doubtOf(pass, transaction, action, receipt, hearing);
  if (doubt === null) return { transfer, action, receipt, members: membersOf(transaction, action, receipt) };
  const { ctx, timings } = pass.engine;
  ctx.log.warn(
    { transfer_id: transfer.id, chain: transfer.chain, tx_hash: receipt.hash, doubt },
    "one node alone does not make a block final",
  );
  await restTransfers(ctx.db, [transfer.id], { kind: "chain_unavailable", reason: doubt, restMs: timings.lookMs });
  return null;
}

/** What becomes of the payments of a packed transaction. */
function membersOf(transaction: OpenTransaction, action: TransferAction, receipt: EvmReceipt): EndingMember[] {
  const { members } = transaction;
  if (action.type === "fail") return freed(members, action.reason);
  const block = { txHash: receipt.hash, blockNumber: receipt.blockHeight, blockHash: receipt.blockHash };
  return action.type === "execute" && members.length > 0 ? endingsOf(transaction, receipt.logs, block) : [];
}

/**
 * `receipt`: of the transaction that was judged, whose cost is booked with what it led to; left out where its block is gone. `members`: of a
 * packed transaction.
 */
type End = { transfer: Transfer; action: TransferAction; receipt?: EvmReceipt; members?: readonly EndingMember[] };
type Ended = End & { after: Transfer; from: Transfer["state"] };

/** Ends a block's transfers, with all consequences, in one transaction, and reports them after the commit. */
async function endAll(pass: Pass, ends: readonly End[]): Promise<void> {
  for (const end of await pass.engine.ctx.db.transaction((tx) => write(tx, pass, ends))) await announce(pass, end);
}

async function write(tx: Database, { engine, chain }: Pass, ends: readonly End[]): Promise<Ended[]> {
  const ids = ends.flatMap(({ transfer, members = [] }) => [transfer.id, ...members.map(({ result }) => result.transferId)]);
  const locked = new Map((await lockTransfers(tx, ids)).map((transfer) => [transfer.id, transfer]));
  const now = await readBusinessNow(tx);
  const ended = ends.flatMap((end): Ended[] => {
    const { transfer, action } = end;
    const before = locked.get(transfer.id);
    if (before === undefined || !allowsTransfer(before.state, action.type)) return [];
    // Another worker may have seen a reorganisation since: then the judgement was about another block.
    if (action.type !== "reorganise" && (before.blockHash !== transfer.blockHash || before.txHash !== transfer.txHash)) return [];
    return [{ ...end, from: before.state, after: advanceTransfer(before, action, now) }];
  });
  const endings = ended.flatMap((end) => end.members ?? []);
  const members = advanceMembers(endings, locked, now);
  const after = [...ended, ...members].map((end) => end.after);
  await saveTransfers(tx, after, now);
  await saveEndings(tx, endings, members);
  await bookNetworkFees(
    tx,
    chain,
    ended.flatMap(({ after: { id }, receipt }) => (receipt ? [{ transferId: id, receipt }] : [])),
    now,
  );
  await lookAtOnce(
    tx,
    ended.flatMap(({ action, after: { id } }) => (action.type === "reorganise" ? [id] : [])),
  );
  // In one transaction: a transfer may get another nonce exactly when the one before has finally moved nothing.
  for (const { action, transfer, after: queued } of ended) {
    if (action.type !== "retry") continue;
    await supersedeTransaction(tx, queued.id, now);
    await recordInHistory(tx, queued, { action: "made_anew", reason: action.reason, txHash: transfer.txHash, now });
  }
  const final = after.filter(({ state }) => state === "executed" || state === "failed");
  if (final.length > 0) await engine.onFinal(tx, final);
  for (const { id } of after) engine.step("final_written", id);
  return [...ended, ...members.map((one) => ({ ...one, transfer: one.after, from: "packed" as const }))];
}

/** The chain's answer, in the trace of what was owed. */
async function announce(pass: Pass, ended: Ended): Promise<void> {
  const { id, trace, chain, state, blockNumber } = ended.after;
  const attributes = { "settlement.transfer_id": id, "settlement.chain": chain, "settlement.state": state };
  const about = {
    within: trace,
    attributes: { ...attributes, "settlement.block": blockNumber, "settlement.tx_hash": ended.transfer.txHash },
  };
  await pass.engine.ctx.tracer.span("transfer.settled", about, async () => note(pass, ended));
}

function note({ engine }: Pass, { transfer, action, from, after: ended }: Ended): void {
  const { ctx } = engine;
  countMove(engine, from, ended);
  if (ended.executedAt !== null && ended.purpose === "settlement") {
    const seconds = (ended.executedAt.getTime() - ended.createdAt.getTime()) / 1_000;
    ctx.meter.settlementExecuted({ chain: ended.chain, seconds });
  }
  engine.step("final", transfer.id);
  const fields = { transfer_id: ended.id, chain: ended.chain, tx_hash: transfer.txHash, state: ended.state };
  if (ended.state === "needs_review") ctx.log.error({ ...fields, reason: ended.reviewReason }, "a transfer needs an operator's review");
  else if (action.type === "retry" || action.type === "unpack")
    ctx.log.warn({ ...fields, reason: action.reason }, "a reverted transfer is made again");
  else ctx.log.info(fields, "a transfer changed its state by what the chain shows");
}
