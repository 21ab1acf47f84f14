import { type Attempt, lookAgain, type OpenTransaction } from "#db/queries/transfers/transactions.ts";
import { restTransfers } from "#db/queries/transfers/transfers.ts";
import type { HaltScope } from "#domain/halt-scope.ts";
import type { AdmitAnswer, AdmitFault } from "#domain/signer.ts";
import type { Pass } from "#server/engines/payments/engine.ts";
import { haltUnowed, lockMoved } from "#server/engines/payments/signing/stop-unowed.ts";
import { haltScope, isHalted } from "#server/services/halts/halt-scope.ts";
import { signedEntry } from "#server/services/transfers/journal-entries.ts";

/** Stored bytes that are to go to the network. */
export type Bytes = { transaction: OpenTransaction; attempt: Attempt };
/** Bytes that the journal holds, opened: only they are sent. */
export type Admitted = Bytes & { opened: string };
type Refused = Bytes & { fault: AdmitFault };

/** What a refused payment waits for. */
const REASON = "The signing journal does not allow this payment: it says that the payment, or its nonce, was used before.";

/**
 * Has the signer's journal hold these bytes, durably, before any of them is sent; only then the signer opens them. It refuses what would pay an
 * owner a second time or use a nonce for something else, whatever the database says. Then the chain is halted.
 *
 * @returns those that may be sent, in their order
 * @throws JournalUnusable, JournalUnwritable, SignerAway
 */
export async function admitBytes(pass: Pass, wanted: readonly Bytes[]): Promise<Admitted[]> {
  if (wanted.length === 0) return [];
  const answers = await admit(pass, wanted);
  const [admitted, refused]: [Admitted[], Refused[]] = [[], []];
  for (const [index, bytes] of wanted.entries()) {
    const answer = answers[index];
    if (answer === undefined) throw new Error("the signer has not answered for all bytes");
    if ("fault" in answer) refused.push({ ...bytes, ...answer });
    else admitted.push({ ...bytes, opened: answer.bytes });
  }
  const unowed = refused.filter(({ fault }) => fault.code === "unowed");
  await haltUnowed(
    pass,
    unowed.map(({ transaction: { transfer }, fault: { detail: reason } }) => ({ transfer, kind: "unowed", reason })),
  );
  const [waiting, wrong] = [refused.filter(isWaiting), refused.filter((one) => one.fault.code !== "unowed" && !isWaiting(one))];
  for (const one of waiting) await wait(pass, one);
  if (wrong.length > 0) await refuse(pass, wrong);
  for (const { transaction } of admitted) pass.engine.step("journaled", transaction.transfer.id);
  return admitted;
}

const isWaiting = ({ fault: { isDoubt, code } }: Refused) => isDoubt === true || code === "capped";

/** Hands bytes over to the node. @throws Unreachable, EvmRejected */
export async function sendBytes({ node }: Pass, { opened }: Admitted): Promise<void> {
  await node.send(opened);
}

async function admit({ chain, engine }: Pass, wanted: readonly Bytes[]): Promise<AdmitAnswer[]> {
  const orders = wanted.map(({ transaction, attempt }) => {
    const { maxFeePerGas, maxPriorityFeePerGas, gasLimit, rawBytes: bytes } = attempt;
    const fees = { maxFeePerGas, maxPriorityFeePerGas };
    const { transfer, members } = transaction;
    const packed = transfer.purpose === "pack" ? { members: members.map((one) => one.transfer.id) } : {};
    return { transferId: transfer.id, ...packed, entry: signedEntry(transaction, attempt), bytes, gasLimit, fees };
  });
  return await engine.ctx.signers.admit(chain.chain, orders);
}

/** Not sent: it may have been paid under an earlier nonce, and the nodes cannot rule it out yet. */
async function wait({ engine }: Pass, { transaction, fault }: Refused): Promise<void> {
  const { ctx, timings } = engine;
  const { id, transfer } = transaction;
  ctx.log.warn({ transfer_id: transfer.id, reason: fault.detail }, "a payment is not made again yet");
  await lookAgain(ctx.db, [id], { inMs: timings.lookMs, spentHeight: null });
  await restTransfers(ctx.db, [transfer.id], { kind: "chain_unavailable", reason: fault.detail, restMs: timings.lookMs });
}

/** What another worker has moved on meanwhile is looked at again, and halts nothing. */
async function refuse(pass: Pass, refused: readonly Refused[]): Promise<void> {
  const { chain, engine } = pass;
  const { ctx, timings } = engine;
  const scope: HaltScope = { kind: "chain", key: chain.chain };
  const halted = await ctx.db.transaction(async (tx) => {
    const moved = await lockMoved(
      tx,
      refused.map(({ transaction }) => transaction.transfer),
    );
    const current = refused.filter(({ transaction }) => !moved.has(transaction.transfer.id));
    if (current.length === 0) return null;
    const ids = current.map(({ transaction }) => transaction.transfer.id);
    await restTransfers(tx, ids, { kind: "review", reason: REASON, restMs: timings.restMs });
    if (await isHalted(tx, [scope])) return null;
    const found = current.map(toEvidence);
    const detail = current.map(({ transaction, fault }) => `${transaction.transfer.id}: ${fault.detail}`).join(" ");
    await haltScope(tx, { scope, cause: "journal_contradiction", detail, evidence: { refused: found } });
    return found;
  });
  const places = refused.map(({ transaction }) => transaction.id);
  await lookAgain(ctx.db, places, { inMs: timings.lookMs, spentHeight: null });
  if (halted !== null) ctx.log.error({ chain: chain.chain, refused: halted }, "the signing journal refuses a payment: its chain is halted");
}

function toEvidence({ transaction, attempt, fault }: Refused) {
  return {
    transfer_id: transaction.transfer.id,
    wallet: transaction.walletAddress,
    nonce: transaction.nonce,
    hash: attempt.hash,
    fault: fault.code,
    journal_wallet: fault.place?.wallet ?? null,
    journal_nonce: fault.place?.nonce ?? null,
  };
}
