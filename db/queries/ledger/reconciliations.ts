import { and, desc, eq, isNotNull, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { leaseEnd, leaseIsFree } from "#db/lease.ts";
import { type ReconciliationFinding, reconciliations } from "#db/schema/ledger.ts";

export type { ReconciliationFinding };
/** `startedAt`: business time, the instant that the run is about. */
export type ReconciliationClaim = { day: string; token: string; startedAt: Date };

/**
 * Takes the business day's reconciliation in hand: null when it is done, or another worker has it. One whose worker died is taken
 * up again when the lease has run out.
 */
export async function claimReconciliation(db: Database, token: string): Promise<ReconciliationClaim | null> {
  const [row] = await db.execute<{ day: string; started_at: string }>(sql`
    insert into reconciliations as r (day, started_at, begun_at, lease_until, lease_token)
    select to_char(now at time zone 'UTC', 'YYYY-MM-DD'), now, clock_timestamp(), ${leaseEnd()}, ${token}::uuid from (select business_now() as now) as clock
    on conflict (day) do update set lease_until = excluded.lease_until, lease_token = excluded.lease_token, begun_at = excluded.begun_at
      where r.finished_at is null and ${leaseIsFree("r.")}
    returning day, started_at`);
  return row ? { day: row.day, token, startedAt: new Date(row.started_at) } : null;
}

/** False when another worker has it by now. */
export async function renewReconciliation(db: Database, { day, token }: ReconciliationClaim): Promise<boolean> {
  const { count } = await db
    .update(reconciliations)
    .set({ leaseUntil: leaseEnd() })
    .where(and(eq(reconciliations.day, day), eq(reconciliations.leaseToken, token)));
  return count === 1;
}

export type ReconciliationResult = { rules: number; checked: number; findings: ReconciliationFinding[] };

/** Writes how it ended. False, and nothing is written, when another worker has it by now. */
export async function finishReconciliation(
  tx: Database,
  { day, token }: ReconciliationClaim,
  result: ReconciliationResult,
): Promise<boolean> {
  const { count } = await tx
    .update(reconciliations)
    .set({ ...result, differences: result.findings.length, finishedAt: sql`business_now()`, leaseUntil: null, leaseToken: null })
    .where(and(eq(reconciliations.day, day), eq(reconciliations.leaseToken, token)));
  return count === 1;
}

/** The instant that the newest finished run was about in which every chain answered. */
export async function lastProvenAt(db: Database): Promise<Date | null> {
  const [row] = await db
    .select({ startedAt: reconciliations.startedAt })
    .from(reconciliations)
    .where(and(isNotNull(reconciliations.finishedAt), sql`not ${reconciliations.findings} @> '[{"rule": "chain_was_asked"}]'::jsonb`))
    .orderBy(desc(reconciliations.startedAt))
    .limit(1);
  return row?.startedAt ?? null;
}

export type ReconciliationRow = {
  day: string;
  startedAt: Date;
  finishedAt: Date;
  rules: number;
  checked: number;
  findings: ReconciliationFinding[];
};

/** Finished runs, newest first. */
export async function listReconciliations(db: Database, limit: number): Promise<ReconciliationRow[]> {
  const { day, startedAt, finishedAt, rules, checked, findings } = reconciliations;
  const rows = await db
    .select({ day, startedAt, finishedAt, rules, checked, findings })
    .from(reconciliations)
    .where(isNotNull(finishedAt))
    .orderBy(desc(startedAt))
    .limit(limit);
  return rows.flatMap((row) =>
    row.finishedAt === null
      ? []
      : [{ ...row, finishedAt: row.finishedAt, rules: row.rules ?? 0, checked: row.checked ?? 0, findings: row.findings ?? [] }],
  );
}

const REMEMBERED_RUNS = 30;

/** The finished runs that say which cases are known, newest first. */
export async function listRememberedRuns(db: Database): Promise<ReconciliationRow[]> {
  return await listReconciliations(db, REMEMBERED_RUNS);
}
