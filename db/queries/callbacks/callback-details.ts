import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { callbackAttempts } from "#db/schema/callback-attempts.ts";
import { callbacks } from "#db/schema/callbacks.ts";
import { partners } from "#db/schema/partners.ts";
import type { Callback } from "#domain/callback.ts";

type AttemptDetail = Omit<typeof callbackAttempts.$inferSelect, "callbackId" | "partnerId">;
/** Who began a series of attempts beyond the first, and in which job. */
type Resend = {
  series: number;
  at: Date;
  actorType: string;
  /** The person's or the key's name. */
  actorName: string | null;
  /** Somebody of the operator's, as seen from the partner. */
  byOperator: boolean;
  jobId: string | null;
};
/** A callback with all that is known of every attempt. */
export type CallbackDetail = Omit<Callback, "partnerId" | "apiKeyId" | "attempts"> & {
  partner: { id: string; name: string };
  attempts: AttemptDetail[];
  resends: Resend[];
};

type CallbackDetailKey = { id: string } | { subjectId: string };

/** One callback, or all of a subject, oldest first; of this partner where one is named. In one transaction they are of one instant. */
export async function listCallbackDetails(db: Database, key: CallbackDetailKey, partnerId: string | null): Promise<CallbackDetail[]> {
  const rows = await db
    .select({ callback: callbacks, partner: { id: partners.id, name: partners.name } })
    .from(callbacks)
    .innerJoin(partners, eq(partners.id, callbacks.partnerId))
    .where(
      and(
        "id" in key ? eq(callbacks.id, key.id) : eq(callbacks.subjectId, key.subjectId),
        partnerId === null ? undefined : eq(callbacks.partnerId, partnerId),
      ),
    )
    .orderBy(asc(callbacks.createdAt), asc(callbacks.id));
  const ids = rows.map(({ callback }) => callback.id);
  if (ids.length === 0) return [];
  const attempts = await db
    .select()
    .from(callbackAttempts)
    .where(inArray(callbackAttempts.callbackId, ids))
    .orderBy(asc(callbackAttempts.series), asc(callbackAttempts.number));
  const resends = await listResends(db, ids);
  return rows.map(({ callback, partner }) => ({
    id: callback.id,
    partner,
    subjectId: callback.subjectId,
    event: callback.event,
    url: callback.url,
    body: callback.body,
    state: callback.state,
    series: callback.series,
    createdAt: callback.createdAt,
    deliveredAt: callback.deliveredAt,
    undeliveredAt: callback.undeliveredAt,
    nextAttemptAt: callback.dueAt,
    attempts: attempts.filter(({ callbackId }) => callbackId === callback.id),
    resends: resends.filter(({ callbackId }) => callbackId === callback.id),
  }));
}

/** Single resends are in the audit log, those of a job among its items. */
async function listResends(db: Database, callbackIds: readonly string[]): Promise<(Resend & { callbackId: string })[]> {
  const rows = await db.execute<Omit<Resend, "at"> & { callbackId: string; at: string }>(sql`
    with ids as (select jsonb_array_elements_text(${JSON.stringify(callbackIds)}::jsonb) as id), resends as (
      select e.object_id as callback_id, (e.change ->> 'series')::int as series, e.at, e.actor_type, e.actor_id, null as job_id
      from audit_entries e where e.object_id in (select id from ids) and e.action = 'callback.resent'
      union all
      select i.callback_id, i.series, j.created_at, j.actor_type, j.actor_id, j.id
      from resend_job_items i join resend_jobs j on j.id = i.job_id
      where i.callback_id in (select id from ids) and i.skipped_at is null
    )
    select r.callback_id as "callbackId", r.series, r.at, r.actor_type as "actorType", r.job_id as "jobId",
      coalesce(u.name, k.name) as "actorName",
      r.actor_type = 'operator_key' or (r.actor_type = 'user' and u.partner_id is null) as "byOperator"
    from resends r left join users u on r.actor_type = 'user' and u.id::text = r.actor_id
      left join api_keys k on r.actor_type <> 'user' and k.id::text = r.actor_id
    order by r.series`);
  return rows.map((row) => ({ ...row, at: new Date(row.at) }));
}
