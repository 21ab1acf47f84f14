import { lookAgain, type OpenTransaction } from "#db/queries/transfers/transactions.ts";
import { restTransfers } from "#db/queries/transfers/transfers.ts";
import type { EvmReceipt } from "#domain/evm-chain.ts";
import { countMove, type Pass } from "#server/engines/payments/engine.ts";
import { recordMined } from "#server/engines/payments/following/follow-chain.ts";
import { type EvmNode, EvmRejected, Unreachable } from "#server/ports.ts";
import { moveTransfer } from "#server/services/transfers/move-transfer.ts";
import { describeHalt, haltWallet, readForeign } from "./halt-for-foreign.ts";

/**
 * The chain has spent a transaction's nonce. Usually one of our own attempts did, in a block that is not read yet or was leapt over.
 * Where none has a receipt, at the depth that counts as final and on every node that answers, something else has used the key:
 * an operator must look, and nothing is ever sent again.
 */
export async function judgeSpentNonce(pass: Pass, transaction: OpenTransaction): Promise<void> {
  const receipt = await findReceipt(pass.node, transaction);
  if (receipt) return await recordReceipt(pass, transaction, receipt);
  const { ctx, timings } = pass.engine;
  const { certain, since } = await judgeNonceObservation(pass, transaction);
  if (!certain) return await lookAgain(ctx.db, [transaction.id], { inMs: Math.min(timings.lookMs, 1_000), spentHeight: since });
  const doubt = await askOtherNodes(pass, transaction);
  if (doubt === null) return await putUnderReview(pass, transaction);
  await restTransfers(ctx.db, [transaction.transfer.id], { kind: "review", reason: doubt, restMs: timings.lookMs });
  await lookAgain(ctx.db, [transaction.id], { inMs: timings.lookMs, spentHeight: since });
}

/** Of whichever attempt has one, the latest first. */
export async function findReceipt(node: EvmNode, { attempts }: OpenTransaction): Promise<EvmReceipt | null> {
  for (const { hash } of attempts.toReversed()) {
    const receipt = await node.receipt(hash);
    if (receipt) return receipt;
  }
  return null;
}

/** A block above the cursor is left to the reading of blocks; one below it was leapt over, or read before its reorganisation. */
async function recordReceipt(pass: Pass, transaction: OpenTransaction, receipt: EvmReceipt): Promise<void> {
  const { ctx, timings } = pass.engine;
  const block = receipt.blockHeight <= pass.cursorHeight ? await pass.node.block(receipt.blockHeight) : null;
  if (block?.hash !== receipt.blockHash) {
    return await lookAgain(ctx.db, [transaction.id], { inMs: Math.min(timings.lookMs, 1_000), spentHeight: null });
  }
  const moved = await ctx.db.transaction((tx) => recordMined(tx, new Map([[receipt.hash, block]])));
  for (const { from, transfer } of moved) countMove(pass.engine, from, transfer);
}

/**
 * Whether it is certain that the chain has spent a nonce, which it has just reported: as deep as counts as final, from the height on at which
 * that was first reported. Two wrong counts would do for that; so the count at that very height, which is another question, has the last word.
 */
export async function judgeNonceObservation(pass: Pass, place: OpenTransaction): Promise<{ certain: boolean; since: number }> {
  const { nonce, walletAddress, spentHeight: since } = place;
  const again = { certain: false, since: pass.head.height };
  if (since === null) return again;
  if (!(await isDeep(pass, since))) return { certain: false, since };
  try {
    return (await pass.node.nonce(walletAddress, since)) > nonce ? { certain: true, since } : again;
  } catch (error) {
    if (!(error instanceof EvmRejected)) throw error;
    // It does not know that state any more.
    return { certain: true, since };
  }
}

async function isDeep({ chain, node, cursorHeight }: Pass, height: number): Promise<boolean> {
  if (!chain.useFinalizedTag) return cursorHeight - height + 1 >= chain.confirmations;
  const finalized = await node.block("finalized");
  return finalized !== null && finalized.height >= height;
}

/** Null when every configured node agrees that the nonce is spent and by none of ours; otherwise why that is not sure yet. */
export async function askOtherNodes(pass: Pass, transaction: OpenTransaction): Promise<string | null> {
  if (pass.chain.nodes.length > 1 && pass.witnesses.length === 0)
    return "Its nonce was spent by something else; a second node must confirm that, and none answers.";
  for (const witness of pass.witnesses) {
    try {
      const nonce = await witness.nonce(transaction.walletAddress, "latest");
      if (nonce <= transaction.nonce || (await findReceipt(witness, transaction))) return "The nodes disagree on whether it was paid.";
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      return "Its nonce was spent by something else; a second node must confirm that, and does not answer.";
    }
  }
  return null;
}

/** The transfer waits for a person, and so does everything else that its wallet would sign: one transaction. */
async function putUnderReview(pass: Pass, transaction: OpenTransaction): Promise<void> {
  const { id } = transaction.transfer;
  const { nonce, walletId, walletAddress } = transaction;
  const reason = `Nonce ${nonce} of ${walletAddress} was spent by a transaction that is not ours: the key is used elsewhere.`;
  const wallet = { id: walletId, address: walletAddress, alignedHeight: null };
  const report = await readForeign(pass, wallet, { from: nonce, below: nonce + 1 });
  const moved = await pass.engine.ctx.db.transaction(async (tx) => {
    const reviewed = await moveTransfer(tx, id, { type: "review", reason });
    if (reviewed !== null) await haltWallet(tx, pass, walletId, report);
    return reviewed;
  });
  if (!moved) return;
  describeHalt(pass, walletAddress, report);
  countMove(pass.engine, transaction.transfer.state, moved);
  pass.engine.ctx.log.error({ transfer_id: id, chain: moved.chain, reason }, "a transfer needs an operator's review");
}
