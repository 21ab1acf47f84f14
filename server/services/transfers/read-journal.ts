import type { Database } from "#db/client.ts";
import { ensureSigningJournal, noteJournalBegun, noteJournalRecords } from "#db/queries/transfers/signing-journal.ts";
import type { HaltCause, HaltScope } from "#domain/halt-scope.ts";
import type { Uses } from "#server/context.ts";
import { haltScope, isHalted } from "#server/services/halts/halt-scope.ts";

/**
 * Has the signer read its journal, and notes in the database how far it is. The first one of an installation begins it.
 *
 * @throws JournalUnusable, SignerAway
 */
export async function readJournal<Marks extends { durable: number }>(db: Database, read: () => Promise<Marks>): Promise<Marks> {
  const { installation, begunAt, records } = await ensureSigningJournal(db);
  const reading = await read();
  if (begunAt === null) await noteJournalBegun(db, installation);
  if (reading.durable > records) await noteJournalRecords(db, installation, reading.durable);
  return reading;
}

/** What the journal shows of a chain's payments. */
export type JournalFinding = { cause: HaltCause; detail: string; evidence: Record<string, unknown> };

/** Halts a chain for what its journal shows, unless it is halted. */
export async function haltForJournal(
  { db, log }: Uses<"db" | "log">,
  chain: string,
  { cause, detail, evidence }: JournalFinding,
): Promise<void> {
  const scope: HaltScope = { kind: "chain", key: chain };
  if (await isHalted(db, [scope])) return;
  const made = await db.transaction((tx) => haltScope(tx, { scope, cause, detail, evidence }));
  if (made !== null) log.error({ chain, cause, detail }, "a chain is halted: the signing journal and the database disagree");
}
