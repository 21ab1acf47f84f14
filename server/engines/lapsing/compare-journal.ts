import { wasHaltedFor } from "#db/queries/halts/scope-halts.ts";
import { hasLapsingAttempt } from "#db/queries/transfers/lapsing-attempts.ts";
import { JournalUnusable } from "#domain/journal.ts";
import type { LapsingChain } from "#domain/lapsing-chain.ts";
import type { JournalLack, LapsingMarks } from "#domain/lapsing-signer.ts";
import { haltForJournal, readJournal } from "#server/services/transfers/read-journal.ts";
import type { LapsingEngine } from "./engine.ts";

/**
 * Compares the database with the signing journal, before anything is signed or sent. Bytes are stored before the journal has them, so a
 * database that does not know what was signed last was restored: its chain is halted, once for what it lacks. So it is where the chain shows
 * a payment that the journal lacks. A journal that cannot be trusted halts the chain, too.
 *
 * @returns why nothing of the chain may be signed or sent in this pass; null: it may. @throws SignerAway
 */
export async function compareJournal({ ctx, signers }: LapsingEngine, { chain }: LapsingChain): Promise<JournalUnusable | null> {
  try {
    const marks = await readJournal(ctx.db, () => signers.readJournal(chain));
    const behind = await findBehind(ctx, marks);
    if (behind === null || (await wasHaltedFor(ctx.db, "database_behind", behind.id))) return null;
    const detail = `${behind.reason} Run \`npm run compare\` before anybody lifts this.`;
    await haltForJournal(ctx, chain, { cause: "database_behind", detail, evidence: { hash: behind.id } });
    return null;
  } catch (error) {
    if (!(error instanceof JournalUnusable)) throw error;
    await haltForJournal(ctx, chain, { cause: "journal_unusable", detail: error.message, evidence: {} });
    return error;
  }
}

/** What the journal lacks concerns the database as well: the journal never knows more than the database has committed. */
async function findBehind({ db }: LapsingEngine["ctx"], { newest, lacks }: LapsingMarks): Promise<JournalLack | null> {
  if (lacks !== undefined) return lacks;
  if (newest === null || (await hasLapsingAttempt(db, newest))) return null;
  return {
    id: newest,
    reason: `The database was restored, or lost its last commits: the signing journal has the payment ${newest}, which the database does not know.`,
  };
}
