import { readBusinessNow } from "#db/queries/clock.ts";
import { listTransactionsOf, lookAtOnce, type OpenTransaction } from "#db/queries/transactions.ts";
import { listMinedTransfers } from "#db/queries/transfers.ts";
import type { Transfer, TransferAction } from "#server/domain/transfer.ts";
import { judgeReceipt } from "#server/domain/transfer-proof.ts";
import type { EvmReceipt } from "#server/ports.ts";
import { bookNetworkFee } from "#server/services/ledger/book-network-fee.ts";
import { guard, type Round } from "./engine.ts";
import { countMove, moveTransfer } from "./move-transfer.ts";

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
    for (const transfer of transfers) {
      await guard(round, transfer.id, async () => {
        const transaction = transactions.get(transfer.id);
        if (!transaction) throw new Error("a mined transfer has no transaction");
        if (transfer.blockHash !== canonical.hash) return await endTransfer(round, transfer, { type: "reorganise" });
        const receipt = receipts.get(transfer.txHash ?? "");
        if (!receipt) throw new Error("the node has no receipt for a transaction in its own block");
        await endTransfer(round, transfer, await judge(round, transfer, transaction, receipt), receipt);
      });
    }
  }
  return deep.length === AT_ONCE;
}

/** The height down to which the chain is final; no block that was not read counts. */
async function finalHeight({ chain, node, cursorHeight }: Round): Promise<number | null> {
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

/** `receipt`: of the transaction that ended it, whose cost is booked with its end; left out where its block is gone. */
async function endTransfer({ engine, chain }: Round, transfer: Transfer, action: TransferAction, receipt?: EvmReceipt): Promise<void> {
  const ended = await engine.ctx.db
    .transaction(async (tx) => {
      const after = await moveTransfer(tx, transfer.id, action);
      if (after === null) return null;
      // Another worker may have seen a reorganisation since: then the judgement was about another block.
      if (action.type !== "reorganise" && (after.blockHash !== transfer.blockHash || after.txHash !== transfer.txHash)) throw new Moved();
      if (action.type === "reorganise") await lookAtOnce(tx, [transfer.id]);
      if (receipt) await bookNetworkFee(tx, chain, { transferId: transfer.id, receipt, now: await readBusinessNow(tx) });
      if (after.state === "executed" || after.state === "failed") await engine.onFinal(tx, after);
      engine.step("final_written", transfer.id);
      return after;
    })
    .catch((error: unknown) => {
      if (error instanceof Moved) return null;
      throw error;
    });
  if (ended === null) return;
  countMove(engine, "mined", ended);
  engine.step("final", transfer.id);
  const fields = { transfer_id: ended.id, chain: ended.chain, tx_hash: ended.txHash, state: ended.state };
  if (ended.state === "needs_review")
    engine.ctx.log.error({ ...fields, reason: ended.reviewReason }, "a transfer needs an operator's review");
  else engine.ctx.log.info(fields, "a transfer was moved on by the chain");
}

/** What stands on the chain says what becomes of the transfer. */
async function judge(round: Round, transfer: Transfer, transaction: OpenTransaction, receipt: EvmReceipt): Promise<TransferAction> {
  const attempt = transaction.attempts.find(({ hash }) => hash === receipt.hash);
  if (!attempt) throw new Error("a mined transaction is none of the transfer's attempts");
  if (attempt.kind === "cancellation") return { type: "fail", reason: "An operator cancelled the payment before it was made." };
  if (!receipt.succeeded) {
    const reason = await round.node.replay(transaction.walletAddress, transaction.intent, receipt.blockHeight);
    return { type: "fail", reason: reason ?? "The chain reverted the transaction." };
  }
  return judgeReceipt(transfer, receipt.logs);
}

class Moved extends Error {}
