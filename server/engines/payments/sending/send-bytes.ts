import { findCursorDownFrom } from "#db/queries/transfers/chain-cursors.ts";
import { listOrphanedNonces } from "#db/queries/transfers/orphaned-nonces.ts";
import { listSupersededPlaces } from "#db/queries/transfers/signing-journal.ts";
import { type Attempt, lookAgain, type OpenTransaction } from "#db/queries/transfers/transactions.ts";
import { restTransfers } from "#db/queries/transfers/transfers.ts";
import type { HaltScope } from "#domain/halt-scope.ts";
import type { JournalFault, SignedEntry } from "#domain/journal.ts";
import type { Pass } from "#server/engines/payments/engine.ts";
import { haltScope, isHalted } from "#server/services/halts/halt-scope.ts";
import { type Danger, findDanger } from "#server/services/transfers/find-danger.ts";
import { signedEntry, spentEntry } from "#server/services/transfers/journal-entries.ts";

/** Stored bytes that are to go to the network. */
export type Bytes = { transaction: OpenTransaction; attempt: Attempt };
declare const IN_JOURNAL: unique symbol;
/** Bytes that the journal holds: only they are sent. */
export type Admitted = Bytes & { readonly [IN_JOURNAL]: true };

/** `isDoubt`: the nodes do not know enough yet. It waits, and nothing is wrong. */
type Fault = JournalFault & { isDoubt?: boolean };
type Refused = Bytes & { fault: Fault };

/** What a refused payment waits for. */
const REASON = "The signing journal does not allow this payment: it says that the payment, or its nonce, was used before.";

/**
 * Makes the journal hold these bytes, durably, before any of them is sent; bytes that it holds already need nothing. It refuses what would
 * pay an owner a second time or use a nonce for something else, whatever the database says. Then the chain is halted.
 *
 * @returns those that may be sent, in their order
 * @throws JournalUnusable, JournalUnwritable
 */
export async function admitBytes(pass: Pass, wanted: readonly Bytes[]): Promise<Admitted[]> {
  if (wanted.length === 0) return [];
  const answers = await record(pass, wanted);
  const [admitted, refused]: [Admitted[], Refused[]] = [[], []];
  for (const [index, bytes] of wanted.entries()) {
    const fault = answers[index] ?? null;
    if (fault === null) admitted.push(bytes as Admitted);
    else refused.push({ ...bytes, fault });
  }
  const [doubtful, wrong] = [refused.filter(({ fault }) => fault.isDoubt), refused.filter(({ fault }) => !fault.isDoubt)];
  for (const one of doubtful) await wait(pass, one);
  if (wrong.length > 0) await refuse(pass, wrong);
  for (const { transaction } of admitted) pass.engine.step("journaled", transaction.transfer.id);
  return admitted;
}

/** Hands bytes over to the node. @throws Unreachable, EvmRejected */
export async function sendBytes({ node }: Pass, { attempt }: Admitted): Promise<void> {
  await node.send(attempt.rawBytes);
}

async function record(pass: Pass, wanted: readonly Bytes[]): Promise<(Fault | null)[]> {
  const { chain, engine } = pass;
  const hashes = await Promise.all(wanted.map(({ attempt }) => chain.hashOf(attempt.rawBytes)));
  const isChanged = ({ attempt }: Bytes, index: number) => attempt.hash !== hashes[index];
  if (wanted.some(isChanged)) return wanted.map((bytes, index) => (isChanged(bytes, index) ? CHANGED : NOT_NOW));
  const entries = wanted.map(({ transaction, attempt }) => signedEntry(transaction, attempt));
  const answers: (Fault | null)[] = await engine.journal.record(entries);
  for (const [index, answer] of answers.entries()) {
    const [bytes, entry] = [wanted[index], entries[index]];
    if (answer?.code === "owner_paid" && bytes && entry) answers[index] = await payAgain(pass, bytes.transaction, answer, entry);
  }
  return answers;
}

const CHANGED: Fault = { code: "other_content", detail: "The stored bytes are not those of their hash.", place: null };
const NOT_NOW: Fault = { code: "other_content", detail: "It waits for other bytes of its batch, which were changed.", place: null };

/**
 * An owner that was paid under another nonce is paid again only if every node proves that what was signed under that nonce paid nothing,
 * for good. The database only names what to look up. The journal then says so, too. Answers why not.
 */
async function payAgain(pass: Pass, { transfer }: OpenTransaction, paid: Fault, entry: SignedEntry): Promise<Fault | null> {
  const { ctx, journal } = pass.engine;
  const superseded = await listSupersededPlaces(ctx.db, transfer.id);
  const before = superseded.find(
    ({ walletAddress, nonce }) => walletAddress.toLowerCase() === paid.place?.wallet && nonce === paid.place.nonce,
  );
  if (before === undefined) return (await journal.record([entry]))[0] ?? null;
  const danger = await findDangerAnywhere(pass, before);
  if (danger !== null) return { ...paid, detail: danger.detail, isDoubt: !(await isContradiction(pass, before, danger)) };
  const [unproven = null] = await journal.record([spentEntry(before, before.supersededAt ?? entry.at)]);
  return unproven ?? (await journal.record([entry]))[0] ?? null;
}

/**
 * Whether the database is wrong about the place. While a deep reorg is not read or not handled yet, it is only late: the payment was in vain,
 * and has been made after all.
 */
async function isContradiction({ chain, engine }: Pass, { id }: OpenTransaction, { paidIn }: Danger): Promise<boolean> {
  if (paidIn === null) return false;
  const { db } = engine.ctx;
  const read = await findCursorDownFrom(db, chain.chain, paidIn.height);
  if (read !== null && read.hash !== paidIn.hash) return false;
  return !(await listOrphanedNonces(db, chain.chain)).some(({ transactionId }) => transactionId === id);
}

async function findDangerAnywhere({ chain, node, witnesses, silentNodes }: Pass, place: OpenTransaction): Promise<Danger | null> {
  if (silentNodes > 0) return { detail: "It is paid again once every node of the chain answers.", paidIn: null };
  for (const one of [node, ...witnesses]) {
    const danger = await findDanger(chain, one, place);
    if (danger !== null) return danger;
  }
  return null;
}

/** Not sent: it may have been paid under an earlier nonce, and the nodes cannot rule it out yet. */
async function wait({ engine }: Pass, { transaction, fault }: Refused): Promise<void> {
  const { ctx, timings } = engine;
  const { id, transfer } = transaction;
  ctx.log.warn({ transfer_id: transfer.id, reason: fault.detail }, "a payment is not made again yet");
  await lookAgain(ctx.db, [id], { inMs: timings.lookMs, spentHeight: null });
  await restTransfers(ctx.db, [transfer.id], { kind: "chain_unavailable", reason: fault.detail, restMs: timings.lookMs });
}

async function refuse(pass: Pass, refused: readonly Refused[]): Promise<void> {
  const { chain, engine } = pass;
  const { ctx, timings } = engine;
  const scope: HaltScope = { kind: "chain", key: chain.chain };
  const found = refused.map(({ transaction, attempt, fault }) => ({
    transfer_id: transaction.transfer.id,
    wallet: transaction.walletAddress,
    nonce: transaction.nonce,
    hash: attempt.hash,
    fault: fault.code,
    journal_wallet: fault.place?.wallet ?? null,
    journal_nonce: fault.place?.nonce ?? null,
  }));
  const detail = refused.map(({ transaction, fault }) => `${transaction.transfer.id}: ${fault.detail}`).join(" ");
  const halt = await ctx.db.transaction(async (tx) => {
    const ids = refused.map(({ transaction }) => transaction.transfer.id);
    await restTransfers(tx, ids, { kind: "review", reason: REASON, restMs: timings.restMs });
    if (await isHalted(tx, [scope])) return null;
    return await haltScope(tx, { scope, cause: "journal_contradiction", detail, evidence: { refused: found } });
  });
  const places = refused.map(({ transaction }) => transaction.id);
  await lookAgain(ctx.db, places, { inMs: timings.lookMs, spentHeight: null });
  if (halt !== null) ctx.log.error({ chain: chain.chain, refused: found }, "the signing journal refuses a payment: its chain is halted");
}
