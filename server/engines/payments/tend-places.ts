import { listAdriftPlaces } from "#db/queries/transfers/adrift-places.ts";
import { listPlaces, lookAgain, markBroadcast, type OpenTransaction } from "#db/queries/transfers/transactions.ts";
import { lockTransfer } from "#db/queries/transfers/transfers.ts";
import type { EvmBlock, EvmReceipt } from "#domain/evm-chain.ts";
import { EvmRejected } from "#server/ports.ts";
import { endPlace, isPaidBy, standForPaid } from "./end-place.ts";
import { type HeldWallet, type Round, tendOne } from "./engine.ts";
import { forfeitNonce } from "./forfeit-nonce.ts";
import { haltWallet, readForeign, tellHalt } from "./halt-for-foreign.ts";
import { doubtOf, hearWitnesses } from "./hear-witnesses.ts";
import { askWitnesses, findReceipt, judgeSighting } from "./judge-spent-nonce.ts";
import { finalHeight } from "./settle-final.ts";

const AT_ONCE = 64;

/**
 * Sees to nonces that were spent in vain, in blocks that the chain has dropped although they were final. The payments under them were made
 * anew elsewhere, or have failed: their bytes are never sent again, since this time they might pay. An empty transfer to the wallet
 * itself is stored and sent in their place, at a higher fee. It is over when the chain has spent the nonce for good, by whatever of ours.
 */
export async function tendPlaces(round: Round, wallets: readonly HeldWallet[]): Promise<void> {
  const adrift = await listAdriftPlaces(round.engine.ctx.db, round.chain.chain);
  if (adrift.length === 0) return;
  const height = await finalHeight(round);
  for (const wallet of wallets) {
    const own = adrift.filter(({ walletId }) => walletId === wallet.row.id);
    const ids = own.map(({ transactionId }) => transactionId);
    const places = (await listPlaces(round.engine.ctx.db, ids)).toSorted((one, other) => one.nonce - other.nonce);
    for (const place of places.slice(0, AT_ONCE)) await tendOne(round, place.transfer.id, () => tend(round, wallet, place, height));
  }
}

async function tend(round: Round, wallet: HeldWallet, place: OpenTransaction, height: number | null): Promise<void> {
  const receipt = await findReceipt(round.node, place);
  const block = receipt && (await round.node.block(receipt.blockHeight));
  if (receipt && block?.hash === receipt.blockHash) {
    if (height === null || receipt.blockHeight > height) return;
    const says = mayHavePaid(place, receipt) ? ({ type: "execute" } as const) : ({ type: "fail", reason: "" } as const);
    if ((await doubtOf(round, place, says, receipt, await hearWitnesses(round, block))) !== null) return;
    return await end(round, place, receipt, block);
  }
  if ((await wallet.chainNonce()) > place.nonce) return await meetSpent(round, place);
  if (place.spentHeight !== null) await lookAgain(round.engine.ctx.db, [place.id], { inMs: 0, spentHeight: null });
  const attempt = await forfeitNonce(round, wallet, place);
  if (attempt !== null && !(await round.node.knows(attempt.hash))) await send(round, place, attempt);
}

async function send(
  { engine, node }: Round,
  { nonce, transfer, walletAddress }: OpenTransaction,
  attempt: { hash: string; rawBytes: string },
) {
  const { ctx } = engine;
  const fields = { transfer_id: transfer.id, wallet: walletAddress, nonce, tx_hash: attempt.hash };
  try {
    await node.send(attempt.rawBytes);
    engine.step("forfeit_sent", transfer.id);
    await markBroadcast(ctx.db, [attempt.hash], ctx.clock.now());
  } catch (error) {
    if (!(error instanceof EvmRejected)) throw error;
    ctx.log.warn({ ...fields, kind: error.kind, err: error }, "the node does not take the empty transfer for a nonce that was in vain");
  }
}

/** Bytes of a payment that went through this time. What an empty transfer does is nothing. */
function mayHavePaid({ attempts }: OpenTransaction, { hash, succeeded }: EvmReceipt): boolean {
  return succeeded && attempts.some((attempt) => attempt.hash === hash && attempt.kind === "payment");
}

async function end(round: Round, place: OpenTransaction, receipt: EvmReceipt, block: EvmBlock): Promise<void> {
  const { ctx } = round.engine;
  const fields = { transfer_id: place.transfer.id, wallet: place.walletAddress, nonce: place.nonce, tx_hash: receipt.hash };
  const ended = await ctx.db.transaction(async (tx) => {
    const transfer = await lockTransfer(tx, place.transfer.id);
    if (transfer === null) throw new Error("a place in a wallet's sequence has no transfer");
    if (!mayHavePaid(place, receipt) || isPaidBy(transfer, receipt)) return await endPlace(tx, round, place, receipt);
    return await standForPaid(tx, round, { place, transfer, receipt, block });
  });
  if (ended === "ended") ctx.log.warn(fields, "a nonce that was in vain before a fork is spent for good again");
  if (ended === "paid") ctx.log.error(fields, "a payment that had been in vain was mined after all, before it was made anew: it is paid");
  if (ended === "halted") ctx.log.error(fields, "a treasury wallet is halted: a payment that had been in vain was mined after all");
}

/** Something spent the nonce, and none of ours has a receipt: a node that lags, or somebody else has used the key. */
async function meetSpent(round: Round, place: OpenTransaction): Promise<void> {
  const { db } = round.engine.ctx;
  const { id, nonce, walletAddress, walletId } = place;
  const { certain, since } = await judgeSighting(round, place);
  if (!certain) return await lookAgain(db, [id], { inMs: 0, spentHeight: since });
  if ((await askWitnesses(round, place)) !== null) return;
  const wallet = { id: walletId, address: walletAddress, alignedHeight: null };
  const report = await readForeign(round, wallet, { from: nonce, below: nonce + 1 });
  const ended = await db.transaction(async (tx) => {
    const over = await endPlace(tx, round, place, since);
    if (over === "ended") await haltWallet(tx, round, walletId, report);
    return over;
  });
  if (ended === "ended") tellHalt(round, walletAddress, report);
}
