import { wasHaltedFor } from "#db/queries/halts/scope-halts.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { endOrphaned, listOrphaned, replaceOwnersHash } from "#db/queries/transfers/orphaned-transfers.ts";
import { type MemberResult, saveOutcomes } from "#db/queries/transfers/pack-members.ts";
import { listTransactionsOf, lookAgain, type OpenTransaction } from "#db/queries/transfers/transactions.ts";
import type { EvmBlock, EvmReceipt } from "#domain/evm-chain.ts";
import { memberEnds } from "#domain/packed-transfers.ts";
import type { Transfer, TransferAction } from "#domain/transfer.ts";
import { judgeReceipt } from "#domain/transfer-proof.ts";
import { confirmWithOtherNodes, doubtOf } from "#server/engines/payments/claiming/confirm-with-other-nodes.ts";
import { describeHalt, haltWallet, readForeign } from "#server/engines/payments/claiming/halt-for-foreign.ts";
import { askOtherNodes, findReceipt, judgeNonceObservation } from "#server/engines/payments/claiming/judge-spent-nonce.ts";
import { type Pass, processOne } from "#server/engines/payments/engine.ts";
import { recordInHistory } from "#server/engines/payments/following/record-in-history.ts";
import { finalHeight } from "#server/engines/payments/following/settle-final.ts";
import { admitBytes, sendBytes } from "#server/engines/payments/sending/send-bytes.ts";
import { EvmRejected } from "#server/ports.ts";
import { haltScope, isHalted } from "#server/services/halts/halt-scope.ts";
import { correctNetworkFee, takeBackNetworkFees } from "#server/services/ledger/book-network-fee.ts";

const AT_ONCE = 256;

/**
 * Handles executed payments whose blocks a deep reorg has dropped: the same bytes are sent again, at once, and pay the same. Nothing is
 * signed. Once they are final again, their new block is recorded.
 */
export async function processOrphaned(pass: Pass): Promise<void> {
  const { db } = pass.engine.ctx;
  const ids = await listOrphaned(db, pass.chain.chain, AT_ONCE);
  if (ids.length === 0) return;
  const height = await finalHeight(pass);
  const transactions = await listTransactionsOf(db, ids);
  for (const transaction of transactions.toSorted((left, right) => left.nonce - right.nonce))
    await processOne(pass, transaction.transfer.id, () => handle(pass, transaction, height));
}

async function handle(pass: Pass, transaction: OpenTransaction, height: number | null): Promise<void> {
  const { ctx, timings } = pass.engine;
  const hash = transaction.transfer.txHash ?? "";
  const isOwn = transaction.attempts.some((attempt) => attempt.hash === hash);
  const receipt = (await pass.node.receipt(hash)) ?? (isOwn ? await findReceipt(pass.node, transaction) : null);
  const block = receipt && (await pass.node.block(receipt.blockHeight));
  let spentHeight: number | null = null;
  if (!receipt || block?.hash !== receipt.blockHash) {
    if ((await sendAgain(pass, transaction, hash)) === "nonce_too_low") spentHeight = await meetSpent(pass, transaction);
  } else if (height !== null && receipt.blockHeight <= height) await restore(pass, transaction, receipt, block);
  await lookAgain(ctx.db, [transaction.id], { inMs: timings.lookMs, spentHeight });
}

async function sendAgain(pass: Pass, transaction: OpenTransaction, hash: string): Promise<EvmRejected["kind"] | null> {
  const { attempts, nonce, walletAddress, transfer } = transaction;
  const { log } = pass.engine.ctx;
  const attempt = attempts.find((one) => one.hash === hash);
  const fields = { transfer_id: transfer.id, wallet: walletAddress, nonce, tx_hash: hash };
  if (attempt === undefined) {
    log.error(fields, "an executed payment is gone from the chain, and its bytes are not ours");
    return null;
  }
  if (await pass.node.knows(hash)) return null;
  const [admitted] = await admitBytes(pass, [{ transaction, attempt }]);
  if (!admitted) return null;
  try {
    await sendBytes(pass, admitted);
    log.error(fields, "a reorg removed an executed payment: its bytes are sent again");
    return null;
  } catch (error) {
    if (!(error instanceof EvmRejected)) throw error;
    log.error({ ...fields, kind: error.kind, err: error }, "a reorg removed an executed payment, and the node refuses its bytes");
    return error.kind;
  }
}

/**
 * Its nonce is spent, but not by the transaction that was reported as paid. If that was none of its other attempts either, somebody else
 * has used the key while the nonce was free: the wallet is halted, as for every such nonce. The payment stays orphaned, for people.
 *
 * @returns the height since which the nonce counts as spent
 */
async function meetSpent(pass: Pass, transaction: OpenTransaction): Promise<number | null> {
  const { db } = pass.engine.ctx;
  const { nonce, walletId, walletAddress } = transaction;
  const { certain, since } = await judgeNonceObservation(pass, transaction);
  if (!certain || (await isHalted(db, [{ kind: "wallet", key: walletId }]))) return since;
  if ((await findReceipt(pass.node, transaction)) !== null || (await askOtherNodes(pass, transaction)) !== null) return since;
  const wallet = { id: walletId, address: walletAddress, alignedHeight: null };
  const report = await readForeign(pass, wallet, { from: nonce, below: nonce + 1 });
  const halt = await db.transaction((tx) => haltWallet(tx, pass, walletId, report));
  if (halt !== null) describeHalt(pass, walletAddress, report);
  return since;
}

const UNPAID = "Reported as paid, but the chain mined it again without paying.";

/**
 * The payment was reported as paid, and its nonce is finally spent again without paying: the wallet halts. The payment stays orphaned, and
 * its amount promised. Once people have lifted the halt, the same transaction does not halt again.
 */
async function haltForUnpaid(
  pass: Pass,
  { transfer, walletId, walletAddress, nonce }: OpenTransaction,
  { hash, blockHeight: height }: EvmReceipt,
) {
  const detail = `${transfer.id} was reported as paid by ${transfer.txHash}. A reorg deeper than the confirmations dropped that block. Transaction ${hash} now has nonce ${nonce} of ${walletAddress} in block ${height}, and it pays nothing.`;
  const evidence = { transfer_id: transfer.id, owner_id: transfer.ownerId, nonce, hash, height };
  const scope = { kind: "wallet", key: walletId } as const;
  const cause = "unpaid_after_reorg";
  const halt = await pass.engine.ctx.db.transaction(async (tx) =>
    (await wasHaltedFor(tx, cause, hash)) ? null : await haltScope(tx, { scope, cause, detail, evidence }),
  );
  if (halt !== null) pass.engine.ctx.log.error({ transfer_id: transfer.id, wallet: walletAddress, tx_hash: hash, detail }, UNPAID);
}

/**
 * Books the payment as final again, in its new block. Another attempt under its nonce may have been mined in place of the one that was
 * reported: it pays the same, so that its hash takes the place of the former, here and in what is paid for.
 */
async function restore(pass: Pass, transaction: OpenTransaction, receipt: EvmReceipt, block: EvmBlock): Promise<void> {
  const { chain, engine } = pass;
  const { ctx } = engine;
  const { transfer, attempts, members } = transaction;
  const { txHash: former } = transfer;
  const { hash: txHash } = receipt;
  const fields = { transfer_id: transfer.id, chain: transfer.chain, tx_hash: txHash };
  const isReplaced = txHash !== former;
  const isPayment = !isReplaced || attempts.some(({ hash, kind }) => hash === txHash && kind === "payment");
  const ends = memberEnds(transaction, receipt.logs);
  // A packed transaction must pay those that were reported as paid, and no others.
  const isSame = members.every(({ transfer: { id }, outcome }) => outcome === "unclear" || ends.get(id)?.outcome === outcome);
  const isPaid = isPayment && receipt.succeeded && isSame && judgeReceipt(transfer, receipt.logs).type === "execute";
  const action: TransferAction = isPaid ? { type: "execute" } : { type: "review", reason: UNPAID };
  if ((await doubtOf(pass, transaction, action, receipt, await confirmWithOtherNodes(pass, block))) !== null) return;
  if (!isPaid) return await haltForUnpaid(pass, transaction, receipt);
  const restored = await ctx.db.transaction(async (tx) => {
    const now = await readBusinessNow(tx);
    if (!(await endOrphaned(tx, transfer.id, { txHash, blockNumber: block.height, blockHash: block.hash, now }))) return false;
    const others = attempts.flatMap(({ hash }) => (hash === txHash ? [] : [hash]));
    await takeBackNetworkFees(tx, chain, { transferId: transfer.id, hashes: others, blockNumber: block.height }, now);
    await correctNetworkFee(tx, chain, { transferId: transfer.id, receipt }, now);
    const reason = `It is in block ${block.height} now, and final again${isReplaced ? `, by another transaction than before: ${former}` : ""}.`;
    for (const paid of paidBy(transaction)) {
      if (paid !== transfer) await endOrphaned(tx, paid.id, { txHash, blockNumber: block.height, blockHash: block.hash, now });
      if (isReplaced) await replaceOwnersHash(tx, paid, { txHash, now });
      await recordInHistory(tx, paid, { action: "restored", reason, txHash, formerTxHash: isReplaced ? former : null, now });
    }
    await saveOutcomes(tx, placesOf(transaction, ends));
    return true;
  });
  if (restored) ctx.log.warn({ ...fields, former, height: block.height }, "a payment that a reorg removed is final again");
}

/** Its own transfer, and the payments that a packed transaction has made. */
function paidBy({ transfer, members }: OpenTransaction): Transfer[] {
  return [transfer, ...members.flatMap(({ transfer: member, outcome }) => (outcome === "paid" ? [member] : []))];
}

/** Where its payments are now, among the logs of the transaction in its new block. */
function placesOf({ members }: OpenTransaction, ends: ReturnType<typeof memberEnds>): MemberResult[] {
  return members.flatMap(({ transfer: { id }, outcome }): MemberResult[] => {
    const end = ends.get(id);
    return outcome === "paid" && end?.outcome === "paid" ? [{ transferId: id, outcome: "paid", logIndex: end.place }] : [];
  });
}
