import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { fromRaw, type Raw } from "#db/columns.ts";
import { layoutOf } from "#db/transaction.ts";
import type { ResendSelection } from "#domain/callback-group.ts";
import { restartOnNodes } from "./resend-on-nodes.ts";

/** Not delivered: given up, or failing and still retried. */
export type GroupState = "undelivered" | "retrying";

/** Callbacks of one state and cause at one receiver. */
export type CallbackGroup = {
  cause: string;
  /** Scheme, host and port. */
  origin: string;
  count: number;
  /** The names of the first three. */
  partners: string[];
  partnerCount: number;
  /** Since when the oldest of them has been in that state. */
  oldestAt: Date;
  newestAt: Date;
  sample: { callbackId: string; subjectId: string; url: string; error: string | null };
};

/** The last outcome of the callback `c`. */
const LAST_ATTEMPT = sql`left join lateral (
  select a.error_kind, a.response_status, a.error from callback_attempts a
  where a.callback_id = c.id and a.ended_at is not null order by a.sent_at desc, a.id desc limit 1) last on true`;
/** The same on Citus, which has no limit in such a join. */
const LAST_ON_NODE = sql`left join lateral (
  select ${sql.raw(["error_kind", "response_status", "error"].map((name) => `(array_agg(a.${name} order by a.sent_at desc, a.id desc))[1] as ${name}`).join(", "))}
  from callback_attempts a where a.partner_id = c.partner_id and a.callback_id = c.id and a.ended_at is not null
  group by a.partner_id, a.callback_id) last on true`;
/** Joins the last outcome of the callback `c`, as `last`. */
export const lastAttempt = (db: Database): SQL => (layoutOf(db) === "citus" ? LAST_ON_NODE : LAST_ATTEMPT);
/** Why the callback `c` is not delivered, by {@link lastAttempt}. */
export const CAUSE = sql`case when last.error_kind = 'status' then 'http_' || last.response_status else coalesce(last.error_kind, 'unknown') end`;
const ORIGIN = sql`split_part(c.lane, ' ', 2)`;

/** Each by a partial index: they do not grow with the history. */
const IN_STATE: Record<GroupState, SQL> = {
  undelivered: sql`c.state = 'undelivered'`,
  retrying: sql`c.failing_since is not null and c.state = 'pending'`,
};
const SINCE: Record<GroupState, SQL> = { undelivered: sql`c.undelivered_at`, retrying: sql`c.failing_since` };

/** How many partners a group names. */
const NAMES = sql.raw("3");

/** Callbacks in that state by cause and receiver, most frequent first: a partner's, or everybody's. */
export async function listCallbackGroups(
  db: Database,
  { partnerId, state }: { partnerId: string | null; state: GroupState },
  limit: number,
): Promise<CallbackGroup[]> {
  const since = SINCE[state];
  const rows = await db.execute<Raw<CallbackGroup>>(sql`
    select ${CAUSE} as cause, ${ORIGIN} as origin, count(*)::int as count, (array_agg(distinct p.name order by p.name))[1:${NAMES}] as partners,
      count(distinct c.partner_id)::int as "partnerCount",
      min(${since}) as "oldestAt", max(${since}) as "newestAt",
      (array_agg(json_build_object('callbackId', c.id, 'subjectId', c.subject_id, 'url', c.url, 'error', last.error)
        order by ${since} desc))[1] as sample
    from callbacks c join partners p on p.id = c.partner_id ${lastAttempt(db)}
    where ${IN_STATE[state]} ${ofPartner(db, partnerId)}
    group by 1, 2 order by count(*) desc, 1, 2 limit ${limit}`);
  return rows.map((row) => fromRaw<CallbackGroup>(row, { instants: ["oldestAt", "newestAt"] }));
}

/** What is in that state at a receiver, of one cause where one is named, the longest in it first. */
export async function listGroupMembers(
  db: Database,
  { partnerId, state, origin, cause }: { partnerId: string | null; state: GroupState; origin: string; cause?: string | undefined },
  limit: number,
): Promise<{ id: string; partnerId: string }[]> {
  return await db.execute<{ id: string; partnerId: string }>(sql`
    select c.id, c.partner_id as "partnerId" from callbacks c ${lastAttempt(db)}
    where ${IN_STATE[state]} ${ofPartner(db, partnerId)} and ${ORIGIN} = ${origin} ${cause === undefined ? sql`` : sql`and ${CAUSE} = ${cause}`}
    order by ${SINCE[state]} limit ${limit}`);
}

/** One URL of every receiver in the selection. */
export async function listSelectedUrls(
  db: Database,
  partnerId: string | null,
  selection: ResendSelection,
): Promise<{ origin: string; url: string }[]> {
  return await db.execute<{ origin: string; url: string }>(sql`
    select ${ORIGIN} as origin, min(c.url) as url from callbacks c ${lastAttempt(db)}
    where c.state = 'undelivered' ${ofPartner(db, partnerId)} ${selected(selection)} group by 1 limit 1000`);
}

/** The number of selected callbacks per receiver, most first; receivers beyond `limit` are omitted. */
export async function countSelected(
  db: Database,
  partnerId: string | null,
  selection: ResendSelection,
  limit: number,
): Promise<{ origin: string; count: number }[]> {
  return await db.execute<{ origin: string; count: number }>(sql`
    select ${ORIGIN} as origin, count(*)::int as count from callbacks c ${lastAttempt(db)}
    where c.state = 'undelivered' ${ofPartner(db, partnerId)} ${selected(selection)} group by 1 order by 2 desc, 1 limit ${limit}`);
}

export type Restart = {
  jobId: string;
  partnerId: string | null;
  selection: ResendSelection;
  origins: readonly string[];
  now: Date;
  limit: number;
};

/**
 * Starts the attempts of the selected undelivered callbacks again, oldest first, and records each under the job. Returns how many. It skips
 * one that somebody else resends at this moment.
 */
export async function restartCallbacks(db: Database, { jobId, partnerId, selection, origins, now, limit }: Restart): Promise<number> {
  const chosen = sql`from callbacks c ${lastAttempt(db)}
      where c.state = 'undelivered' ${ofPartner(db, partnerId)} ${selected(selection)}
        and ${ORIGIN} in (select jsonb_array_elements_text(${JSON.stringify(origins)}::jsonb))
      order by c.undelivered_at limit ${limit}`;
  if (layoutOf(db) === "citus") {
    const found = await db.execute<{ id: string; partnerId: string }>(sql`select c.id, c.partner_id as "partnerId" ${chosen}`);
    return await restartOnNodes(db, found, { jobId, now });
  }
  const rows = await db.execute<{ count: number }>(sql`
    with chosen as materialized (
      select c.id, c.undelivered_at ${chosen} for update of c skip locked
    ), restarted as (
      update callbacks c set state = 'pending', series = c.series + 1, next_number = 1, due_at = ${now.toISOString()}::timestamptz,
        delivered_at = null, undelivered_at = null
      from chosen where c.id = chosen.id and c.state = 'undelivered' returning c.id, c.series, chosen.undelivered_at
    ), noted as (
      insert into resend_job_items (job_id, callback_id, series, undelivered_at) select ${jobId}, id, series, undelivered_at from restarted
    ), announced as materialized (
      select pg_notify('due_work', 'callbacks') where exists (select 1 from restarted)
    )
    select (select count(*)::int from restarted) as count, (select count(*) from announced) as announced`);
  return rows[0]?.count ?? 0;
}

/**
 * The condition that the callback `c` is the partner's; null: anybody's. On Citus a partner's view has the same condition as its policy, and
 * two equations would leave one without a column, which Citus refuses next to {@link lastAttempt}.
 */
export function ofPartner(db: Database, partnerId: string | null): SQL {
  if (partnerId === null) return sql``;
  return layoutOf(db) === "citus" ? sql`and c.partner_id = any(array[${partnerId}]::uuid[])` : sql`and c.partner_id = ${partnerId}::uuid`;
}

function selected(selection: ResendSelection): SQL {
  if ("callbackIds" in selection)
    return sql`and c.id in (select jsonb_array_elements_text(${JSON.stringify(selection.callbackIds)}::jsonb))`;
  const { cause, origin, since } = selection;
  return sql.join(
    [
      cause === undefined ? sql`` : sql`and ${CAUSE} = ${cause}`,
      origin === undefined ? sql`` : sql`and ${ORIGIN} = ${origin}`,
      since === undefined ? sql`` : sql`and c.undelivered_at >= ${since}::timestamptz`,
    ],
    sql` `,
  );
}
