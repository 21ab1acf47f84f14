import { and, asc, desc, eq, gt, inArray, isNotNull, lte, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { auditEntries, auditSeals, auditUnsealed, auditVerifications } from "#db/schema/audit-log.ts";
import { businessClock } from "#db/schema/business-clock.ts";
import { users } from "#db/schema/people.ts";
import type { ChainFlaw, Seal, SealedEntry } from "#domain/audit-seal.ts";

/** The change is the exact text that the database stores: no number in it passes through a float. */
const sealedEntry = {
  id: auditEntries.id,
  at: auditEntries.at,
  partnerId: auditEntries.partnerId,
  actorType: auditEntries.actorType,
  actorId: auditEntries.actorId,
  action: auditEntries.action,
  objectId: auditEntries.objectId,
  reason: auditEntries.reason,
  change: sql<string>`${auditEntries.change}::text`,
  requestId: auditEntries.requestId,
};

/** Only one process at a time seals; false: another does just now. Held until the transaction ends. */
export async function lockSealing(tx: Database): Promise<boolean> {
  const [row] = await tx.execute<{ gained: boolean }>(sql`select pg_try_advisory_xact_lock(7355611) as gained`);
  return row?.gained ?? false;
}

/** Whether an entry waits for its seal. */
export async function hasUnsealed(db: Database): Promise<boolean> {
  const rows = await db.select({ entryId: auditUnsealed.entryId }).from(auditUnsealed).orderBy(asc(auditUnsealed.entryId)).limit(1);
  return rows.length > 0;
}

/** Entries that wait for their seal, oldest first. */
export async function listUnsealed(tx: Database, limit: number): Promise<SealedEntry[]> {
  return await tx
    .select(sealedEntry)
    .from(auditUnsealed)
    .innerJoin(auditEntries, eq(auditEntries.id, auditUnsealed.entryId))
    .orderBy(asc(auditUnsealed.entryId))
    .limit(limit);
}

/** Only one process at a time verifies; false: another does just now. Held until the transaction ends. */
export async function lockVerifying(tx: Database): Promise<boolean> {
  const [row] = await tx.execute<{ gained: boolean }>(sql`select pg_try_advisory_xact_lock(7355612) as gained`);
  return row?.gained ?? false;
}

/** The position after the seal of that number, or after the last one before it; null: there is none. */
export async function findPosition(db: Database, seq: number): Promise<Seal | null> {
  const upTo = lte(auditSeals.seq, seq);
  const [seal] = await db.select().from(auditSeals).where(upTo).orderBy(desc(auditSeals.seq)).limit(1);
  if (seal === undefined || seal.completeAt !== null) return seal ?? null;
  const complete = and(upTo, isNotNull(auditSeals.completeAt));
  const [before] = await db.select({ at: auditSeals.completeAt }).from(auditSeals).where(complete).orderBy(desc(auditSeals.seq)).limit(1);
  return { ...seal, completeAt: before?.at ?? null };
}

export async function findLastSeal(db: Database): Promise<Seal | null> {
  const [row] = await db.select().from(auditSeals).orderBy(desc(auditSeals.seq)).limit(1);
  return row ?? null;
}

/** Stores seals; their entries wait no longer. */
export async function insertSeals(tx: Database, seals: readonly Seal[]): Promise<void> {
  await tx.insert(auditSeals).values([...seals]);
  const ids = seals.map(({ entryId }) => entryId);
  await tx.delete(auditUnsealed).where(inArray(auditUnsealed.entryId, ids));
}

/** Seals after a number and up to another, in order, each with its entry's present content. */
export async function listSeals(
  db: Database,
  range: { after: number; upTo: number; limit: number },
): Promise<{ seal: Seal; entry: SealedEntry | null }[]> {
  const rows = await db
    .select({ seal: auditSeals, entry: sealedEntry })
    .from(auditSeals)
    .leftJoin(auditEntries, eq(auditEntries.id, auditSeals.entryId))
    .where(sql`${gt(auditSeals.seq, range.after)} and ${lte(auditSeals.seq, range.upTo)}`)
    .orderBy(asc(auditSeals.seq))
    .limit(range.limit);
  return rows;
}

/** The seal before the first one of an entry with this id or a later one; null: there is none. */
export async function findSealBefore(db: Database, entryId: string): Promise<Seal | null> {
  // Without `offset 0`, the planner looks for the lowest number through all seals before it.
  const [first] = await db.execute<{ seq: string | null }>(
    sql`select min(seq) as seq from (select seq from audit_seals where entry_id >= ${entryId} offset 0) as later`,
  );
  const [row] =
    first?.seq == null
      ? await db.select().from(auditSeals).orderBy(desc(auditSeals.seq)).limit(1)
      : await db.select().from(auditSeals).where(sql`${auditSeals.seq} < ${first.seq}`).orderBy(desc(auditSeals.seq)).limit(1);
  return row ?? null;
}

const MOST_NAMED = 1_000;

/**
 * Entries that have no seal and are not queued for one, and queued ones that are gone: the service neither wrote nor removed them. With ids
 * from one on and before another (null: all).
 */
export async function listStrays(db: Database, { from, before }: { from: string; before: string | null }): Promise<ChainFlaw[]> {
  const within = (id: SQL) => (before === null ? sql`${id} >= ${from}` : sql`${id} >= ${from} and ${id} < ${before}`);
  const rows = await db.execute<{ id: string; gone: boolean }>(sql`
    select e.id, false as gone from audit_entries e where ${within(sql`e.id`)}
      and not exists (select 1 from audit_seals s where s.entry_id = e.id and ${within(sql`s.entry_id`)})
      and not exists (select 1 from audit_unsealed u where u.entry_id = e.id)
    union all
    select u.entry_id, true from audit_unsealed u where ${within(sql`u.entry_id`)} and not exists (select 1 from audit_entries e where e.id = u.entry_id)
    order by 1 limit ${MOST_NAMED}`);
  return rows.map(({ id, gone }) => ({
    seq: null,
    entryId: id,
    flaw: gone ? "The entry was removed before it was sealed." : "The entry was never sealed: it was inserted past the service.",
  }));
}

/** How many entries wait for their seal. */
export async function countUnsealed(db: Database): Promise<number> {
  return await db.$count(auditUnsealed);
}

/** Whether business time can be moved here (the sandbox): then an entry's date says nothing about when it was written. */
export async function clockCanMove(db: Database): Promise<boolean> {
  return (await db.$count(businessClock)) > 0;
}

export type Verification = typeof auditVerifications.$inferSelect;

export async function insertVerification(db: Database, verification: Verification): Promise<void> {
  await db.insert(auditVerifications).values(verification);
}

/** The newest verification, and the name of the person who requested it. */
export async function findLastVerification(db: Database): Promise<(Verification & { by: string | null }) | null> {
  const [row] = await db
    .select({ verification: auditVerifications, by: users.name })
    .from(auditVerifications)
    .leftJoin(users, eq(users.id, auditVerifications.userId))
    .orderBy(desc(auditVerifications.id))
    .limit(1);
  return row ? { ...row.verification, by: row.by } : null;
}

/** Recorded ends that the chain no longer contains: it was shortened or rewritten. */
export async function listBrokenAnchors(db: Database): Promise<ChainFlaw[]> {
  const rows = await db.execute<{ seq: string; at: string; gone: boolean }>(sql`
    select v.seq::text, to_char(min(v.at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI"Z"') as at, bool_or(s.hash is null) as gone
    from audit_verifications v left join audit_seals s on s.seq = v.seq
    where v.seq > 0 and s.hash is distinct from v.hash group by v.seq order by v.seq limit 20`);
  return rows.map(({ seq, at, gone }) => ({
    seq: Number(seq),
    entryId: null,
    flaw: gone ? `The chain reached this seal at ${at}, and now ends before it.` : `The seal is another than at ${at}.`,
  }));
}
