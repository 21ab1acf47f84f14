import { listDueTransactions, lookAgain, markBroadcast, type OpenTransaction } from "#db/queries/transfers/transactions.ts";
import { restTransfer } from "#db/queries/transfers/transfers.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import type { WaitingKind } from "#domain/transfer.ts";
import { EvmRejected } from "#server/ports.ts";
import { moveTransfer } from "#server/services/transfers/move-transfer.ts";
import { alignNonce } from "./align-nonce.ts";
import { attemptAnew } from "./attempt-anew.ts";
import { countMove, type HeldWallet, type Round, tendOne } from "./engine.ts";
import { judgeSpentNonce } from "./judge-spent-nonce.ts";

const AT_ONCE = 256;
const LOOKS_AT_ONCE = 16;

/**
 * Sees to everything of a wallet that is signed and in no block yet: sends what was never sent, looks for the rest and sends the
 * stored bytes again where the node has lost them, and raises fees. Nothing here signs a payment under a second nonce.
 *
 * @returns whether there may be more at once
 */
export async function tendOpen(round: Round, wallet: HeldWallet): Promise<boolean> {
  const due = await listDueTransactions(round.engine.ctx.db, wallet.row.id, AT_ONCE);
  if (due.length === 0) return false;
  const chainNonce = await wallet.chainNonce();
  await alignNonce(round, wallet);
  const known = await lookFor(
    round,
    due.filter(({ nonce }) => nonce >= chainNonce),
  );
  for (const transaction of due) {
    await tendOne(round, transaction.transfer.id, () => tend(round, wallet, transaction, chainNonce, known));
  }
  return due.length === AT_ONCE;
}

/** Which of the last attempts that were sent the node still knows. Looks are many, and do not depend on one another. */
async function lookFor({ node }: Round, transactions: readonly OpenTransaction[]): Promise<ReadonlySet<string>> {
  const hashes = transactions.flatMap(({ attempts }) =>
    attempts.slice(-1).flatMap(({ hash, broadcastAt }) => (broadcastAt === null ? [] : [hash])),
  );
  const known = new Set<string>();
  for (let from = 0; from < hashes.length; from += LOOKS_AT_ONCE) {
    const some = hashes.slice(from, from + LOOKS_AT_ONCE);
    for (const [index, found] of (await Promise.all(some.map((hash) => node.knows(hash)))).entries())
      if (found) known.add(some[index] ?? "");
  }
  return known;
}

async function tend(
  round: Round,
  wallet: HeldWallet,
  transaction: OpenTransaction,
  chainNonce: number,
  known: ReadonlySet<string>,
): Promise<void> {
  if (transaction.nonce < chainNonce) return await judgeSpentNonce(round, transaction);
  const attempt = (await attemptAnew(round, wallet, transaction, chainNonce)) ?? transaction.attempts.at(-1);
  if (!attempt) throw new Error("a transaction has no attempt");
  const { ctx, pace, step } = round.engine;
  const { id, transfer } = transaction;
  if (known.has(attempt.hash)) {
    return await lookAgain(ctx.db, id, { inMs: pace.lookMs, spentHeight: null });
  }
  if (attempt.broadcastAt !== null)
    ctx.log.warn({ transfer_id: transfer.id, tx_hash: attempt.hash }, "the node lost a transaction: sending its bytes again");
  try {
    await round.node.send(attempt.rawBytes);
  } catch (error) {
    if (!(error instanceof EvmRejected)) throw error;
    return await noteRefused(round, transaction, error);
  }
  step("sent", transfer.id);
  await noteSent(round, transaction, attempt.hash);
  step("noted", transfer.id);
}

async function noteSent(round: Round, transaction: OpenTransaction, hash: string): Promise<void> {
  const { ctx, pace } = round.engine;
  const moved = await ctx.db.transaction(async (tx) => {
    await markBroadcast(tx, hash, await readBusinessNow(tx));
    await lookAgain(tx, transaction.id, { inMs: pace.lookMs, spentHeight: null });
    return await moveTransfer(tx, transaction.transfer.id, { type: "broadcast" });
  });
  if (moved) countMove(round.engine, "signed", moved);
}

/** The node understood the bytes and does not want them. None of its reasons says that the payment was or was not made. */
async function noteRefused(round: Round, transaction: OpenTransaction, refusal: EvmRejected): Promise<void> {
  const { ctx, pace } = round.engine;
  const { id, transfer, spentHeight } = transaction;
  await lookAgain(ctx.db, id, { inMs: pace.lookMs, spentHeight });
  if (refusal.kind === "nonce_too_low") return; // the next look asks who spent it
  ctx.log.warn({ transfer_id: transfer.id, kind: refusal.kind, err: refusal }, "the node does not take a transaction");
  await restTransfer(ctx.db, transfer.id, { ...inWords(round, refusal), restMs: pace.lookMs });
}

function inWords({ chain }: Round, refusal: EvmRejected): { kind: WaitingKind; reason: string } {
  if (refusal.kind === "insufficient_funds") {
    return { kind: "treasury_funding", reason: `The treasury wallet holds too little ${chain.native.currency} for the network's fee.` };
  }
  if (refusal.kind === "underpriced") return { kind: "chain_unavailable", reason: "The node finds the fee too low; it will be raised." };
  return { kind: "chain_unavailable", reason: "The node does not take the signed transaction; the log says why." };
}
