import { endAdrift, listAdrift } from "#db/queries/transfers/adrift-transfers.ts";
import { listTransactionsOf, lookAgain, type OpenTransaction } from "#db/queries/transfers/transactions.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import type { EvmBlock, EvmReceipt } from "#domain/evm-chain.ts";
import { judgeReceipt } from "#domain/transfer-proof.ts";
import { EvmRejected } from "#server/ports.ts";
import { isHalted } from "#server/services/halts/halt-lane.ts";
import { correctNetworkFee } from "#server/services/ledger/book-network-fee.ts";
import { type Round, tendOne } from "./engine.ts";
import { haltWallet, readForeign, tellHalt } from "./halt-for-foreign.ts";
import { doubtOf, hearWitnesses } from "./hear-witnesses.ts";
import { askWitnesses, findReceipt, judgeSighting } from "./judge-spent-nonce.ts";
import { noteInHistory } from "./note-in-history.ts";
import { finalHeight } from "./settle-final.ts";

const AT_ONCE = 256;

/**
 * Sees to payments that were executed and whose blocks the chain has dropped: their very bytes are sent again, at once, and pay what
 * they paid before. Nothing is signed. Once they are final again, the block that they are in is the one that is kept.
 */
export async function tendAdrift(round: Round): Promise<void> {
  const { db } = round.engine.ctx;
  const ids = await listAdrift(db, round.chain.chain, AT_ONCE);
  if (ids.length === 0) return;
  const height = await finalHeight(round);
  const transactions = await listTransactionsOf(db, ids);
  for (const transaction of transactions.toSorted((left, right) => left.nonce - right.nonce))
    await tendOne(round, transaction.transfer.id, () => tend(round, transaction, height));
}

async function tend(round: Round, transaction: OpenTransaction, height: number | null): Promise<void> {
  const { ctx, pace } = round.engine;
  const hash = transaction.transfer.txHash ?? "";
  const receipt = await round.node.receipt(hash);
  const block = receipt && (await round.node.block(receipt.blockHeight));
  let spentHeight: number | null = null;
  if (!receipt || block?.hash !== receipt.blockHash) {
    if ((await sendAgain(round, transaction, hash)) === "nonce_too_low") spentHeight = await meetSpent(round, transaction);
  } else if (height !== null && receipt.blockHeight <= height) await restore(round, transaction, receipt, block);
  await lookAgain(ctx.db, [transaction.id], { inMs: pace.lookMs, spentHeight });
}

async function sendAgain(
  { engine, node }: Round,
  { attempts, nonce, walletAddress, transfer }: OpenTransaction,
  hash: string,
): Promise<EvmRejected["kind"] | null> {
  const { log } = engine.ctx;
  const bytes = attempts.find((attempt) => attempt.hash === hash)?.rawBytes;
  const fields = { transfer_id: transfer.id, wallet: walletAddress, nonce, tx_hash: hash };
  if (bytes === undefined) {
    log.error(fields, "an executed payment is gone from the chain, and its bytes are not ours");
    return null;
  }
  if (await node.knows(hash)) return null;
  try {
    await node.send(bytes);
    log.error(fields, "the chain forgot an executed payment: its bytes are sent again");
    return null;
  } catch (error) {
    if (!(error instanceof EvmRejected)) throw error;
    log.error({ ...fields, kind: error.kind, err: error }, "the chain forgot an executed payment, and does not take its bytes again");
    return error.kind;
  }
}

/**
 * Its nonce is spent, and not by what was told as paid. Where that was none of its other attempts either, somebody else has used the key
 * while the nonce was free: the wallet stands, as for every such nonce. The payment stays adrift, for people.
 *
 * @returns since which height the nonce counts as spent
 */
async function meetSpent(round: Round, transaction: OpenTransaction): Promise<number | null> {
  const { db } = round.engine.ctx;
  const { nonce, walletId, walletAddress } = transaction;
  const { certain, since } = await judgeSighting(round, transaction);
  if (!certain || (await isHalted(db, [{ kind: "wallet", key: walletId }]))) return since;
  if ((await findReceipt(round.node, transaction)) !== null || (await askWitnesses(round, transaction)) !== null) return since;
  const wallet = { id: walletId, address: walletAddress, alignedHeight: null };
  const report = await readForeign(round, wallet, { from: nonce, below: nonce + 1 });
  const halt = await db.transaction((tx) => haltWallet(tx, round, walletId, report));
  if (halt !== null) tellHalt(round, walletAddress, report);
  return since;
}

async function restore(round: Round, transaction: OpenTransaction, receipt: EvmReceipt, block: EvmBlock): Promise<void> {
  const { ctx } = round.engine;
  const { transfer } = transaction;
  const fields = { transfer_id: transfer.id, chain: transfer.chain, tx_hash: receipt.hash };
  if (!receipt.succeeded || judgeReceipt(transfer, receipt.logs).type !== "execute")
    return ctx.log.error(fields, "an executed payment was reverted when the chain mined it again");
  if ((await doubtOf(round, transaction, { type: "execute" }, receipt, await hearWitnesses(round, block))) !== null) return;
  const restored = await ctx.db.transaction(async (tx) => {
    const now = await readBusinessNow(tx);
    if (!(await endAdrift(tx, transfer.id, { number: block.height, hash: block.hash, now }))) return false;
    await correctNetworkFee(tx, round.chain, { transferId: transfer.id, receipt }, now);
    const reason = `It is in block ${block.height} now, and final again.`;
    await noteInHistory(tx, transfer, { action: "restored", reason, txHash: receipt.hash, now });
    return true;
  });
  if (restored) ctx.log.warn({ ...fields, height: block.height }, "a payment that the chain had forgotten is final again");
}
