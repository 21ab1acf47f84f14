import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Database } from "#db/client.ts";
import { insertion, insertRows } from "#db/rows.ts";
import { ledgerEntries, ledgerPostings } from "#db/schema/ledger.ts";
import { newId } from "#domain/ids.ts";
import type { LedgerCause, LedgerEntry } from "#domain/ledger.ts";

/**
 * Writes entries with their postings, in one statement. `now`: business time, and the time in their ids. A second entry of the same cause and step violates
 * `ledger_entries_once`, a second end of one promise `ledger_entries_resolved_once`: both are defects, and the transaction must not commit.
 */
export async function insertLedgerEntries(tx: Database, entries: readonly LedgerEntry[], now: Date): Promise<void> {
  if (entries.length === 0) return;
  const [rows, lines]: [(typeof ledgerEntries.$inferInsert)[], (typeof ledgerPostings.$inferInsert)[]] = [[], []];
  for (const { cause, causeId, step, phase, partnerId, resolves, postings } of entries) {
    const id = newId("ledgerEntry", now);
    const resolvesId = resolves === null ? null : await pendingEntryId(tx, { cause, causeId, step: resolves });
    rows.push({ id, cause, causeId, step, phase, resolvesId, partnerId, lines: postings.length, at: now });
    for (const [index, { account, partnerId: owner, asset, amount }] of postings.entries())
      lines.push({ entryId: id, line: index + 1, lines: postings.length, phase, account, partnerId: owner, ...asset, amount });
  }
  // One that only cancels a promise has no lines.
  if (lines.length === 0) return await insertRows(tx, ledgerEntries, rows);
  await tx.execute(sql`with entries as (${insertion(ledgerEntries, rows)}) ${insertion(ledgerPostings, lines)}`);
}

export async function insertLedgerEntry(tx: Database, entry: LedgerEntry, now: Date): Promise<void> {
  await insertLedgerEntries(tx, [entry], now);
}

async function pendingEntryId(tx: Database, named: Pick<LedgerEntry, "cause" | "causeId" | "step">): Promise<string> {
  const [row] = await tx
    .select({ id: ledgerEntries.id })
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.cause, named.cause), eq(ledgerEntries.causeId, named.causeId), eq(ledgerEntries.step, named.step)));
  if (row === undefined) throw new Error(`${named.cause} ${named.causeId} never posted ${named.step}`);
  return row.id;
}

/** Whether that cause has posted that step. */
export async function hasPosted(db: Database, named: Pick<LedgerEntry, "cause" | "causeId" | "step">): Promise<boolean> {
  const rows = await db
    .select({ id: ledgerEntries.id })
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.cause, named.cause), eq(ledgerEntries.causeId, named.causeId), eq(ledgerEntries.step, named.step)));
  return rows.length > 0;
}

export async function findLedgerEntry(db: Database, id: string): Promise<LedgerEntry | null> {
  const [row] = await db
    .select({ cause: ledgerEntries.cause, causeId: ledgerEntries.causeId, step: ledgerEntries.step })
    .from(ledgerEntries)
    .where(eq(ledgerEntries.id, id));
  if (row === undefined) return null;
  return (await listEntriesOf(db, row.cause, [row.causeId])).find(({ step }) => step === row.step) ?? null;
}

/** The entries of these causes, in order of booking. */
export async function listEntriesOf(db: Database, cause: LedgerCause, causeIds: readonly string[]): Promise<LedgerEntry[]> {
  if (causeIds.length === 0) return [];
  const promised = alias(ledgerEntries, "promised");
  const entries = await db
    .select({ entry: ledgerEntries, resolves: promised.step })
    .from(ledgerEntries)
    .leftJoin(promised, eq(promised.id, ledgerEntries.resolvesId))
    .where(and(eq(ledgerEntries.cause, cause), inArray(ledgerEntries.causeId, [...causeIds])))
    .orderBy(asc(ledgerEntries.id));
  const ids = entries.map(({ entry }) => entry.id);
  const lines = ids.length === 0 ? [] : await db.select().from(ledgerPostings).where(inArray(ledgerPostings.entryId, ids));
  const byEntry = Map.groupBy(lines, ({ entryId }) => entryId);
  return entries.map(({ entry, resolves }) => ({
    cause: entry.cause,
    causeId: entry.causeId,
    step: entry.step,
    phase: entry.phase,
    resolves,
    partnerId: entry.partnerId,
    postings: (byEntry.get(entry.id) ?? []).map(({ account, partnerId, currency, chain, decimals, amount }) => {
      return { account, partnerId, asset: { currency, chain, decimals }, amount };
    }),
  }));
}
