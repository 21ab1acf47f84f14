import { and, desc, eq, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { leaseIsFree } from "#db/lease.ts";
import { resendJobs } from "#db/schema/resend-jobs.ts";
import { layoutOf } from "#db/transaction.ts";
import { MAX_ATTEMPTS } from "#domain/callback.ts";
import { readItemsOnNodes, skipOnNodes } from "./resend-on-nodes.ts";

export type ResendJob = typeof resendJobs.$inferSelect;
export type ResendItemState = "queued" | "retrying" | "delivered" | "undelivered" | "resent_again" | "skipped";
export type ResendItem = {
  callbackId: string;
  subjectId: string;
  state: ResendItemState;
  attempts: number;
  responseStatus: number | null;
  error: string | null;
  /** Of the next attempt; null: there is none. */
  nextAttemptAt: Date | null;
};

export async function insertResendJob(db: Database, job: Omit<ResendJob, "abortedAt" | "abortedById">): Promise<void> {
  await db.insert(resendJobs).values(job);
}

/** The job of that id, of this partner where one is named. */
export async function findResendJob(db: Database, id: string, partnerId: string | null): Promise<ResendJob | null> {
  const [row] = await db
    .select()
    .from(resendJobs)
    .where(and(eq(resendJobs.id, id), partnerId === null ? undefined : eq(resendJobs.partnerId, partnerId)));
  return row ?? null;
}

/** The newest jobs, of this partner where one is named. */
export async function listResendJobs(db: Database, partnerId: string | null, limit: number): Promise<ResendJob[]> {
  return await db
    .select()
    .from(resendJobs)
    .where(partnerId === null ? undefined : eq(resendJobs.partnerId, partnerId))
    .orderBy(desc(resendJobs.id))
    .limit(limit);
}

/** Marks a job as aborted; false when it was already. Holds its row until the transaction ends. */
export async function markResendJobAborted(db: Database, id: string, by: string | null, now: Date): Promise<boolean> {
  const marked = await db
    .update(resendJobs)
    .set({ abortedAt: now, abortedById: by })
    .where(and(eq(resendJobs.id, id), sql`${resendJobs.abortedAt} is null`))
    .returning({ id: resendJobs.id });
  return marked.length > 0;
}

/**
 * Gives up again the callbacks that the job started and nobody has tried yet. An attempt in progress has its lease, and ends normally.
 * Returns how many.
 */
export async function skipUntried(db: Database, jobId: string, now: Date): Promise<number> {
  if (layoutOf(db) === "citus") return await skipOnNodes(db, jobId, now);
  const rows = await db.execute<{ count: number }>(sql`
    with untried as materialized (
      select c.id, i.undelivered_at from callbacks c join resend_job_items i on i.callback_id = c.id and i.series = c.series
      where i.job_id = ${jobId} and c.state = 'pending' and c.next_number = 1 and ${leaseIsFree("c.")}
        and not exists (select 1 from callback_attempts a where a.callback_id = c.id and a.series = c.series)
      for update of c skip locked
    ), restored as (
      update callbacks c set state = 'undelivered', series = c.series - 1, next_number = ${MAX_ATTEMPTS}, due_at = null,
        lease_until = null, lease_token = null, undelivered_at = untried.undelivered_at
      from untried where c.id = untried.id returning c.id
    ), noted as (
      update resend_job_items i set skipped_at = ${now.toISOString()}::timestamptz from restored
      where i.job_id = ${jobId} and i.callback_id = restored.id
    )
    select count(*)::int as count from restored`);
  return rows[0]?.count ?? 0;
}

const ITEMS = sql`resend_job_items i`;
/** More than a job has. */
const ALL = 1_000_000;
const STATE = sql`case
  when i.skipped_at is not null then 'skipped' when c.series > i.series then 'resent_again' when c.state <> 'pending' then c.state
  when c.next_number > 1 then 'retrying' else 'queued' end`;

/** The number of the job's callbacks by state. */
export async function countResendItems(db: Database, jobId: string): Promise<{ state: ResendItemState; count: number }[]> {
  return await db.execute<{ state: ResendItemState; count: number }>(sql`
    select ${STATE} as state, count(*)::int as count from resend_job_items i join callbacks c on c.id = i.callback_id
    where i.job_id = ${jobId} group by 1`);
}

/** A page of the job's callbacks by id, each with the last attempt of the series that the job began. */
export async function listResendItems(db: Database, jobId: string, limit: number, after: string | null): Promise<ResendItem[]> {
  const on = layoutOf(db) === "citus" ? await readItemsOnNodes(db, jobId, { after, limit }) : null;
  const rows = await db.execute<Omit<ResendItem, "nextAttemptAt"> & { dueAt: string | null }>(sql`
    select i.callback_id as "callbackId", c.subject_id as "subjectId", ${STATE} as state, coalesce(last.number, 0) as attempts,
      last.response_status as "responseStatus", last.error, case when c.series = i.series then c.due_at end as "dueAt"
    from ${on?.items ?? ITEMS} join callbacks c on c.id = i.callback_id
    left join ${
      on?.last(["number", "response_status", "error"], { only: sql`a.number is not null`, newest: sql`a.number` }) ??
      sql`lateral (select a.number, a.response_status, a.error from callback_attempts a
      where i.skipped_at is null and a.callback_id = i.callback_id and a.series = i.series and a.number is not null
        order by a.number desc limit 1) last on true`
    }
    where i.job_id = ${jobId} and i.callback_id > ${after ?? ""} order by i.callback_id limit ${limit}`);
  return rows.map(({ dueAt, ...row }) => ({ ...row, nextAttemptAt: dueAt === null ? null : new Date(dueAt) }));
}

export type ResendFailure = {
  callbackId: string;
  subjectId: string;
  url: string;
  state: ResendItemState;
  errorKind: string;
  responseStatus: number | null;
};

/** By id, the job's callbacks whose last attempt, of the series that the job began, ended and failed. */
export async function listResendFailures(db: Database, jobId: string, limit: number, after: string | null): Promise<ResendFailure[]> {
  const on = layoutOf(db) === "citus" ? await readItemsOnNodes(db, jobId, { after, limit: ALL }) : null;
  return await db.execute<ResendFailure>(sql`
    select i.callback_id as "callbackId", c.subject_id as "subjectId", c.url, ${STATE} as state,
      last.error_kind as "errorKind", last.response_status as "responseStatus"
    from ${on?.items ?? ITEMS} join callbacks c on c.id = i.callback_id
    join ${
      on?.last(["error_kind", "response_status"], { only: sql`a.ended_at is not null`, newest: sql`a.sent_at` }) ??
      sql`lateral (select a.error_kind, a.response_status from callback_attempts a
      where a.callback_id = i.callback_id and a.series = i.series and a.ended_at is not null order by a.sent_at desc limit 1) last on true`
    }
    where i.job_id = ${jobId} and i.skipped_at is null and last.error_kind is not null and i.callback_id > ${after ?? ""}
    order by i.callback_id limit ${limit}`);
}
