import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { listDueTransactions, lookAgain, markBroadcast, type OpenTransaction } from "#db/queries/transfers/transactions.ts";
import { lockTransfers, restTransfers, saveTransfers } from "#db/queries/transfers/transfers.ts";
import { advanceTransfer, allowsTransfer, type Transfer, type WaitingKind } from "#domain/transfer.ts";
import { inParallel } from "#server/engines/duty.ts";
import { alignNonce } from "#server/engines/payments/claiming/align-nonce.ts";
import { judgeSpentNonce } from "#server/engines/payments/claiming/judge-spent-nonce.ts";
import { countMove, type LeasedWallet, type Pass, processAll, processOne } from "#server/engines/payments/engine.ts";
import { EvmRejected } from "#server/ports.ts";
import { replaceAttempt } from "./replace-attempt.ts";
import { type Admitted, admitBytes, type Bytes, sendBytes } from "./send-bytes.ts";

const AT_ONCE = 512;
/** So many go to the node in one request. The next ones wait for its answer: nodes drop what comes far before its turn. */
const SENDS_AT_ONCE = 128;

/**
 * Handles everything of a wallet that is signed and in no block yet: sends what was never sent, looks for the rest and sends the
 * stored bytes again where the node has lost them, and raises fees. Nothing here signs a payment under a second nonce.
 *
 * @returns whether there may be more at once
 */
export async function processOpen(pass: Pass, wallet: LeasedWallet): Promise<boolean> {
  const { db } = pass.engine.ctx;
  const due = await listDueTransactions(db, wallet.row.id, AT_ONCE);
  if (due.length === 0) return false;
  const chainNonce = await wallet.chainNonce();
  await alignNonce(pass, wallet);
  const unspent = due.filter(({ nonce }) => nonce >= chainNonce);
  const known = await lookFor(pass, unspent);
  const [unsent, found]: [Bytes[], string[]] = [[], []];
  const handle = async (transaction: OpenTransaction) => {
    if (transaction.nonce < chainNonce) return await judgeSpentNonce(pass, transaction);
    const attempt = (await replaceAttempt(pass, wallet, transaction, chainNonce)) ?? transaction.attempts.at(-1);
    if (!attempt) throw new Error("a transaction has no attempt");
    if (known.has(attempt.hash)) found.push(transaction.id);
    else unsent.push({ transaction, attempt });
  };
  await inParallel(due.map((transaction) => processOne(pass, transaction.transfer.id, () => handle(transaction))));
  await lookAgain(db, found, { inMs: pass.engine.timings.lookMs, spentHeight: null });
  await sendAll(
    pass,
    unsent.toSorted((left, right) => left.transaction.nonce - right.transaction.nonce),
  );
  return due.length === AT_ONCE;
}

/** Which of the last attempts that were sent the node still knows. Looks are many, and do not depend on one another. */
async function lookFor({ node }: Pass, transactions: readonly OpenTransaction[]): Promise<ReadonlySet<string>> {
  const hashes = transactions.flatMap(({ attempts }) =>
    attempts.slice(-1).flatMap(({ hash, broadcastAt }) => (broadcastAt === null ? [] : [hash])),
  );
  const known = await inParallel(hashes.map((hash) => node.knows(hash)));
  return new Set(hashes.filter((_, index) => known[index]));
}

/**
 * Sends stored bytes to the node, once the journal has them all: lowest nonce first. What the node accepted is recorded in one write, whatever
 * it answers to single ones.
 */
async function sendAll(pass: Pass, sendings: readonly Bytes[]): Promise<void> {
  const admitted = await admitBytes(pass, sendings);
  for (let from = 0; from < admitted.length; from += SENDS_AT_ONCE) {
    const some = admitted.slice(from, from + SENDS_AT_ONCE);
    const answers = await Promise.allSettled(some.map((sending) => send(pass, sending)));
    const taken = some.filter((_, index) => answers[index]?.status === "fulfilled");
    await processAll(pass, taken.map(toRecord), (sent) => recordSent(pass, sent));
    for (const [index, { transaction, attempt }] of some.entries()) {
      const answer = answers[index];
      if (answer?.status !== "rejected") continue;
      const refusal: unknown = answer.reason;
      if (!(refusal instanceof EvmRejected)) throw refusal;
      await recordRefused(pass, transaction, refusal);
      if (attempt.kind === "cancellation" && refusal.kind !== "nonce_too_low") await sendPayment(pass, transaction);
    }
  }
}

/** A cancellation that a node refuses never displaces the payment: its own bytes go on being sent, and the chain decides. */
async function sendPayment(pass: Pass, transaction: OpenTransaction): Promise<void> {
  const { transfer } = transaction;
  const attempt = transaction.attempts.findLast(({ kind }) => kind === "payment");
  if (!attempt || (await pass.node.knows(attempt.hash))) return;
  const [admitted] = await admitBytes(pass, [{ transaction, attempt }]);
  if (!admitted) return;
  try {
    await send(pass, admitted);
  } catch (error) {
    if (!(error instanceof EvmRejected)) throw error;
    return pass.engine.ctx.log.warn({ transfer_id: transfer.id, err: error }, "the node refused both a cancellation and its payment");
  }
  await recordSent(pass, [toRecord(admitted)]);
}

async function send(pass: Pass, sending: Admitted): Promise<void> {
  const { attempt, transaction } = sending;
  const { transfer } = transaction;
  const { chain } = pass.chain;
  const attributes = { "settlement.transfer_id": transfer.id, "settlement.chain": chain, "settlement.tx_hash": attempt.hash };
  const about = { within: transfer.trace, kind: "client", attributes: { ...attributes, "settlement.node": pass.node.name } } as const;
  await pass.engine.ctx.tracer.span("transfer.send", about, () => handOver(pass, sending));
}

async function handOver(pass: Pass, sending: Admitted): Promise<void> {
  const { engine } = pass;
  const { attempt, transaction } = sending;
  const { transfer } = transaction;
  if (attempt.broadcastAt !== null)
    engine.ctx.log.warn({ transfer_id: transfer.id, tx_hash: attempt.hash }, "the node lost a transaction: sending its bytes again");
  await sendBytes(pass, sending);
  engine.step("sent", transfer.id);
}

type Sent = Bytes & { transfer: Transfer };
const toRecord = ({ transaction, attempt }: Admitted): Sent => ({ transaction, attempt, transfer: transaction.transfer });

async function recordSent({ engine }: Pass, sent: readonly Sent[]): Promise<void> {
  const { ctx, timings, step } = engine;
  const ids = sent.map(({ transfer }) => transfer.id);
  const moved = await ctx.db.transaction(async (tx) => {
    const signed = (await lockTransfers(tx, ids)).filter(({ state }) => allowsTransfer(state, "broadcast"));
    const now = await readBusinessNow(tx);
    await markBroadcast(
      tx,
      sent.map(({ attempt }) => attempt.hash),
      now,
    );
    await lookAgain(
      tx,
      sent.map(({ transaction }) => transaction.id),
      { inMs: timings.lookMs, spentHeight: null },
    );
    const after = signed.map((transfer) => advanceTransfer(transfer, { type: "broadcast" }, now));
    await saveTransfers(tx, after, now);
    return after;
  });
  for (const transfer of moved) countMove(engine, "signed", transfer);
  for (const id of ids) step("noted", id);
}

/** The node understood the bytes and refuses them. None of its reasons means that the payment was or was not made. */
async function recordRefused(pass: Pass, transaction: OpenTransaction, refusal: EvmRejected): Promise<void> {
  const { ctx, timings } = pass.engine;
  const { id, transfer, spentHeight } = transaction;
  await lookAgain(ctx.db, [id], { inMs: timings.lookMs, spentHeight });
  if (refusal.kind === "nonce_too_low") return; // the next look asks who spent it
  ctx.log.warn({ transfer_id: transfer.id, kind: refusal.kind, err: refusal }, "the node refused a transaction");
  await restTransfers(ctx.db, [transfer.id], { ...inWords(pass, refusal), restMs: timings.lookMs });
}

function inWords({ chain }: Pass, refusal: EvmRejected): { kind: WaitingKind; reason: string } {
  if (refusal.kind === "insufficient_funds") {
    return { kind: "treasury_funding", reason: `The treasury wallet holds too little ${chain.native.currency} for the network's fee.` };
  }
  if (refusal.kind === "underpriced") return { kind: "chain_unavailable", reason: "The node finds the fee too low; it will be raised." };
  return { kind: "chain_unavailable", reason: "The node does not take the signed transaction; the log says why." };
}
