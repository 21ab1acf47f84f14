import { listSupersededNonces } from "#db/queries/transfers/signing-journal.ts";
import { type Attempt, lookAgain, type OpenTransaction } from "#db/queries/transfers/transactions.ts";
import { restTransfers } from "#db/queries/transfers/transfers.ts";
import type { HaltScope } from "#domain/halt-scope.ts";
import type { JournalFault, JournalPlace, SignedEntry } from "#domain/journal.ts";
import type { Pass } from "#server/engines/payments/engine.ts";
import { haltScope, isHalted } from "#server/services/halts/halt-scope.ts";
import { signedEntry, spentEntry } from "#server/services/transfers/journal-entries.ts";

/** Stored bytes that are to go to the network. */
export type Bytes = { transaction: OpenTransaction; attempt: Attempt };
declare const IN_JOURNAL: unique symbol;
/** Bytes that the journal holds: only they are sent. */
export type Admitted = Bytes & { readonly [IN_JOURNAL]: true };

type Refused = Bytes & { fault: Pick<JournalFault, "code" | "detail" | "place"> };

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
  if (refused.length > 0) await refuse(pass, refused);
  for (const { transaction } of admitted) pass.engine.step("journaled", transaction.transfer.id);
  return admitted;
}

/** Hands bytes over to the node. @throws Unreachable, EvmRejected */
export async function sendBytes({ node }: Pass, { attempt }: Admitted): Promise<void> {
  await node.send(attempt.rawBytes);
}

async function record({ chain, engine }: Pass, wanted: readonly Bytes[]): Promise<(Refused["fault"] | null)[]> {
  const { journal } = engine;
  const hashes = await Promise.all(wanted.map(({ attempt }) => chain.hashOf(attempt.rawBytes)));
  const isChanged = ({ attempt }: Bytes, index: number) => attempt.hash !== hashes[index];
  if (wanted.some(isChanged)) return wanted.map((bytes, index) => (isChanged(bytes, index) ? CHANGED : NOT_NOW));
  const entries = wanted.map(({ transaction, attempt }) => signedEntry(transaction, attempt));
  const answers = await journal.record(entries);
  if (answers.every((answer) => answer === null)) return answers;
  return await Promise.all(
    answers.map(async (answer, index) => {
      const [bytes, entry] = [wanted[index], entries[index]];
      if (answer?.code !== "owner_paid" || answer.place === null || !bytes || !entry) return answer;
      return (await payAgain(engine, bytes.transaction, answer.place, entry)) ?? null;
    }),
  );
}

const CHANGED = { code: "other_content" as const, detail: "The stored bytes are not those of their hash.", place: null };
const NOT_NOW = { code: "other_content" as const, detail: "It waits for other bytes of its batch, which were changed.", place: null };

/**
 * An owner that was paid under another nonce may be paid again only if the database proves that what spent that nonce paid nothing, for
 * good. The journal then says so, too. Answers why not, if so.
 */
async function payAgain(
  { ctx, journal }: Pass["engine"],
  { transfer }: OpenTransaction,
  before: JournalPlace,
  entry: SignedEntry,
): Promise<JournalFault | null | undefined> {
  const proofs = await listSupersededNonces(ctx.db, transfer.id);
  const proof = proofs.find(({ wallet, nonce }) => wallet.toLowerCase() === before.wallet && nonce === before.nonce);
  if (proof === undefined) return (await journal.record([entry]))[0];
  await journal.record([spentEntry({ transfer, walletAddress: proof.wallet, nonce: proof.nonce }, proof.at)]);
  return (await journal.record([entry]))[0];
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
