import { listOrphanedNonces } from "#db/queries/transfers/orphaned-nonces.ts";
import { type Attempt, listPlaces, lookAgain, markBroadcast, type OpenTransaction } from "#db/queries/transfers/transactions.ts";
import { lockTransfer } from "#db/queries/transfers/transfers.ts";
import type { EvmBlock, EvmReceipt } from "#domain/evm-chain.ts";
import { confirmWithOtherNodes, doubtOf } from "#server/engines/payments/claiming/confirm-with-other-nodes.ts";
import { describeHalt, haltWallet, readForeign } from "#server/engines/payments/claiming/halt-for-foreign.ts";
import { askOtherNodes, findReceipt, judgeNonceObservation } from "#server/engines/payments/claiming/judge-spent-nonce.ts";
import { type LeasedWallet, type Pass, processOne } from "#server/engines/payments/engine.ts";
import { endTransaction, isPaidBy, restoreToPaid } from "#server/engines/payments/following/end-transaction.ts";
import { finalHeight } from "#server/engines/payments/following/settle-final.ts";
import { admitBytes, sendBytes } from "#server/engines/payments/sending/send-bytes.ts";
import { EvmRejected } from "#server/ports.ts";
import { cancelNonce } from "./cancel-nonce.ts";

const AT_ONCE = 64;

/**
 * Handles superseded nonces in final blocks that a deep reorg has dropped. The payments under them were made again elsewhere, or have
 * failed: their bytes are never sent again, since this time they might pay. Instead, an empty transfer to the wallet itself is stored and
 * sent, at a higher fee. It is over when any transaction of ours has finally spent the nonce.
 */
export async function processOrphanedNonces(pass: Pass, wallets: readonly LeasedWallet[]): Promise<void> {
  const orphaned = await listOrphanedNonces(pass.engine.ctx.db, pass.chain.chain);
  if (orphaned.length === 0) return;
  const height = await finalHeight(pass);
  for (const wallet of wallets) {
    const own = orphaned.filter(({ walletId }) => walletId === wallet.row.id);
    const ids = own.map(({ transactionId }) => transactionId);
    const places = (await listPlaces(pass.engine.ctx.db, ids)).toSorted((one, other) => one.nonce - other.nonce);
    for (const place of places.slice(0, AT_ONCE)) await processOne(pass, place.transfer.id, () => handle(pass, wallet, place, height));
  }
}

async function handle(pass: Pass, wallet: LeasedWallet, place: OpenTransaction, height: number | null): Promise<void> {
  const receipt = await findReceipt(pass.node, place);
  const block = receipt && (await pass.node.block(receipt.blockHeight));
  if (receipt && block?.hash === receipt.blockHash) {
    if (height === null || receipt.blockHeight > height) return;
    const t = mayHavePaid(place, receipt) ? ({ type: "execute" } as const) : ({ type: "fail", reason: "" } as const);
    if ((await doubtOf(pass, place, t, receipt, await confirmWithOtherNodes(pass, block))) !== null) return;
    return await end(pass, place, receipt, block);
  }
  if ((await wallet.chainNonce()) > place.nonce) return await meetSpent(pass, place);
  if (place.spentHeight !== null) await lookAgain(pass.engine.ctx.db, [place.id], { inMs: 0, spentHeight: null });
  const attempt = await cancelNonce(pass, wallet, place);
  if (attempt !== null && !(await pass.node.knows(attempt.hash))) await send(pass, place, attempt);
}

async function send(pass: Pass, place: OpenTransaction, attempt: Attempt): Promise<void> {
  const { nonce, transfer, walletAddress } = place;
  const { ctx, step } = pass.engine;
  const fields = { transfer_id: transfer.id, wallet: walletAddress, nonce, tx_hash: attempt.hash };
  const [admitted] = await admitBytes(pass, [{ transaction: place, attempt }]);
  if (!admitted) return;
  try {
    await sendBytes(pass, admitted);
    step("forfeit_sent", transfer.id);
    await markBroadcast(ctx.db, [attempt.hash], ctx.clock.now());
  } catch (error) {
    if (!(error instanceof EvmRejected)) throw error;
    ctx.log.warn(
      { ...fields, kind: error.kind, err: error },
      "the node refused the empty transfer for a nonce that was spent without a payment",
    );
  }
}

/** Bytes of a payment that succeeded this time. An empty transfer has no effect. */
function mayHavePaid({ attempts }: OpenTransaction, { hash, succeeded }: EvmReceipt): boolean {
  return succeeded && attempts.some((attempt) => attempt.hash === hash && attempt.kind === "payment");
}

async function end(pass: Pass, place: OpenTransaction, receipt: EvmReceipt, block: EvmBlock): Promise<void> {
  const { ctx } = pass.engine;
  const fields = { transfer_id: place.transfer.id, wallet: place.walletAddress, nonce: place.nonce, tx_hash: receipt.hash };
  const ended = await ctx.db.transaction(async (tx) => {
    const transfer = await lockTransfer(tx, place.transfer.id);
    if (transfer === null) throw new Error("a place in a wallet's sequence has no transfer");
    if (!mayHavePaid(place, receipt) || isPaidBy(transfer, receipt)) return await endTransaction(tx, pass, place, receipt);
    return await restoreToPaid(tx, pass, { place, transfer, receipt, block });
  });
  if (ended === "ended") ctx.log.warn(fields, "a nonce that was spent without a payment before a fork is spent for good again");
  if (ended === "paid") ctx.log.error(fields, "a superseded payment was mined after all, before it was made again: it is paid");
  if (ended === "halted") ctx.log.error(fields, "a treasury wallet is halted: a superseded payment was mined after all");
}

/** Something spent the nonce, and none of our attempts has a receipt: the node lags, or somebody else has used the key. */
async function meetSpent(pass: Pass, place: OpenTransaction): Promise<void> {
  const { db } = pass.engine.ctx;
  const { id, nonce, walletAddress, walletId } = place;
  const { certain, since } = await judgeNonceObservation(pass, place);
  if (!certain) return await lookAgain(db, [id], { inMs: 0, spentHeight: since });
  if ((await askOtherNodes(pass, place)) !== null) return;
  const wallet = { id: walletId, address: walletAddress, alignedHeight: null };
  const report = await readForeign(pass, wallet, { from: nonce, below: nonce + 1 });
  const ended = await db.transaction(async (tx) => {
    const over = await endTransaction(tx, pass, place, since);
    if (over === "ended") await haltWallet(tx, pass, walletId, report);
    return over;
  });
  if (ended === "ended") describeHalt(pass, walletAddress, report);
}
