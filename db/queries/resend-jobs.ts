import { and, eq, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { resendJobs } from "#db/schema/resend-jobs.ts";

export type ResendJob = typeof resendJobs.$inferSelect;
export type ResendItemState = "queued" | "retrying" | "delivered" | "undelivered" | "resent_again";
export type ResendItem = {
  callbackId: string;
  subjectId: string;
  state: ResendItemState;
  attempts: number;
  responseStatus: number | null;
  error: string | null;
};

export async function insertResendJob(db: Database, job: ResendJob): Promise<void> {
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

const STATE = sql`case
  when c.series > i.series then 'resent_again' when c.state <> 'pending' then c.state
  when c.next_number > 1 then 'retrying' else 'queued' end`;

/** How many of the job's callbacks stand where. */
export async function countResendItems(db: Database, jobId: string): Promise<{ state: ResendItemState; count: number }[]> {
  return await db.execute<{ state: ResendItemState; count: number }>(sql`
    select ${STATE} as state, count(*)::int as count from resend_job_items i join callbacks c on c.id = i.callback_id
    where i.job_id = ${jobId} group by 1`);
}

/** A page of the job's callbacks by id, each with the last attempt of the series that the job began. */
export async function listResendItems(db: Database, jobId: string, limit: number, after: string | null): Promise<ResendItem[]> {
  return await db.execute<ResendItem>(sql`
    select i.callback_id as "callbackId", c.subject_id as "subjectId", ${STATE} as state, coalesce(last.number, 0) as attempts,
      last.response_status as "responseStatus", last.error
    from resend_job_items i join callbacks c on c.id = i.callback_id
    left join lateral (select a.number, a.response_status, a.error from callback_attempts a
      where a.callback_id = i.callback_id and a.series = i.series order by a.number desc limit 1) last on true
    where i.job_id = ${jobId} and i.callback_id > ${after ?? ""} order by i.callback_id limit ${limit}`);
}
