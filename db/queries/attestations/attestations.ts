import { asc, desc, eq, gt, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { leaseEnd, leaseIsFree } from "#db/lease.ts";
import type { ReconciliationClaim } from "#db/queries/ledger/reconciliations.ts";
import { attestations } from "#db/schema/attestations.ts";

export type AttestationRow = typeof attestations.$inferSelect;

/** The newest one. */
export async function findLastAttestation(db: Database): Promise<AttestationRow | null> {
  const [row] = await db.select().from(attestations).orderBy(desc(attestations.day)).limit(1);
  return row ?? null;
}

export async function findAttestation(db: Database, day: string): Promise<AttestationRow | null> {
  const [row] = await db.select().from(attestations).where(eq(attestations.day, day));
  return row ?? null;
}

/** Those of later days, oldest first. `day` null: all. */
export async function listAttestationsAfter(db: Database, day: string | null, limit: number): Promise<AttestationRow[]> {
  return await db
    .select()
    .from(attestations)
    .where(day === null ? undefined : gt(attestations.day, day))
    .orderBy(asc(attestations.day))
    .limit(limit);
}

/** Every day with the hash of its attestation, oldest first. */
export async function listAttestedDays(db: Database): Promise<{ day: string; hash: string }[]> {
  return await db.select({ day: attestations.day, hash: attestations.hash }).from(attestations).orderBy(asc(attestations.day));
}

export type AttestationClaim = ReconciliationClaim & { differences: number };

/**
 * Takes the newest business day to attest in hand: its reconciliation is finished, and began this many seconds of real time ago, so
 * everything from before that day is committed. Null: it is attested, another worker has it, or there is none.
 */
export async function claimAttestation(db: Database, { token, settledSeconds }: { token: string; settledSeconds: number }) {
  const [row] = await db.execute<{ day: string; started_at: string; differences: number }>(sql`
    update reconciliations set lease_until = ${leaseEnd()}, lease_token = ${token}::uuid
    where day = (select day from reconciliations where finished_at is not null order by started_at desc limit 1)
      and begun_at <= clock_timestamp() - ${settledSeconds} * interval '1 second'
      and day > coalesce((select max(day) from attestations), '') and ${leaseIsFree()}
    returning day, started_at, differences`);
  if (row === undefined) return null;
  const claim: AttestationClaim = { day: row.day, token, startedAt: new Date(row.started_at), differences: row.differences };
  return claim;
}

/** Stores one if the newest is still the one that it continues from. False: another worker was faster. */
export async function insertAttestation(db: Database, row: AttestationRow, previousDay: string | null): Promise<boolean> {
  return await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(7355613)`);
    const last = await findLastAttestation(tx);
    if ((last?.day ?? null) !== previousDay) return false;
    await tx.insert(attestations).values(row);
    return true;
  });
}
