import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import type { ResendSelection } from "#server/domain/callback-group.ts";

/** Undelivered callbacks of one cause at one receiver. */
export type UndeliveredGroup = {
  cause: string;
  /** Scheme, host and port. */
  origin: string;
  count: number;
  partners: number;
  oldestAt: Date;
  newestAt: Date;
  sample: { callbackId: string; subjectId: string; url: string; error: string | null };
};

/** Why the callback `c` was given up, by the last attempt of its last series. */
const LAST_ATTEMPT = sql`left join lateral (
  select a.error_kind, a.response_status, a.error from callback_attempts a
  where a.callback_id = c.id and a.series = c.series order by a.number desc limit 1) last on true`;
const CAUSE = sql`case when last.error_kind = 'status' then 'http_' || last.response_status else coalesce(last.error_kind, 'unknown') end`;
const ORIGIN = sql`split_part(c.lane, ' ', 2)`;

/** Undelivered callbacks by cause and receiver, most first: a partner's, or everybody's. Reads what is undelivered, by a partial index. */
export async function listUndeliveredGroups(db: Database, partnerId: string | null, limit: number): Promise<UndeliveredGroup[]> {
  const rows = await db.execute<GroupRow>(sql`
    select ${CAUSE} as cause, ${ORIGIN} as origin, count(*)::int as count, count(distinct c.partner_id)::int as partners,
      min(c.undelivered_at) as oldest_at, max(c.undelivered_at) as newest_at,
      (array_agg(json_build_object('callbackId', c.id, 'subjectId', c.subject_id, 'url', c.url, 'error', last.error)
        order by c.undelivered_at desc))[1] as sample
    from callbacks c ${LAST_ATTEMPT}
    where c.state = 'undelivered' ${ofPartner(partnerId)}
    group by 1, 2 order by count(*) desc, 1, 2 limit ${limit}`);
  return rows.map((row) => ({
    cause: row.cause,
    origin: row.origin,
    count: row.count,
    partners: row.partners,
    oldestAt: new Date(row.oldest_at),
    newestAt: new Date(row.newest_at),
    sample: row.sample,
  }));
}

type GroupRow = {
  cause: string;
  origin: string;
  count: number;
  partners: number;
  oldest_at: string;
  newest_at: string;
  sample: UndeliveredGroup["sample"];
};

/** One URL of every receiver that the selection meets. */
export async function listSelectedUrls(
  db: Database,
  partnerId: string | null,
  selection: ResendSelection,
): Promise<{ origin: string; url: string }[]> {
  return await db.execute<{ origin: string; url: string }>(sql`
    select ${ORIGIN} as origin, min(c.url) as url from callbacks c ${LAST_ATTEMPT}
    where c.state = 'undelivered' ${ofPartner(partnerId)} ${selected(selection)} group by 1 limit 1000`);
}

/** How many the selection meets at each receiver, most first; receivers beyond `limit` are left out. */
export async function countSelected(
  db: Database,
  partnerId: string | null,
  selection: ResendSelection,
  limit: number,
): Promise<{ origin: string; count: number }[]> {
  return await db.execute<{ origin: string; count: number }>(sql`
    select ${ORIGIN} as origin, count(*)::int as count from callbacks c ${LAST_ATTEMPT}
    where c.state = 'undelivered' ${ofPartner(partnerId)} ${selected(selection)} group by 1 order by 2 desc, 1 limit ${limit}`);
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
 * Starts the attempts of the selected undelivered callbacks anew, oldest first, and notes each under the job. Answers how many. One
 * that somebody else resends at this moment is left to them.
 */
export async function restartCallbacks(db: Database, { jobId, partnerId, selection, origins, now, limit }: Restart): Promise<number> {
  const rows = await db.execute<{ count: number }>(sql`
    with chosen as materialized (
      select c.id, c.undelivered_at from callbacks c ${LAST_ATTEMPT}
      where c.state = 'undelivered' ${ofPartner(partnerId)} ${selected(selection)}
        and ${ORIGIN} in (select jsonb_array_elements_text(${JSON.stringify(origins)}::jsonb))
      order by c.undelivered_at limit ${limit} for update of c skip locked
    ), restarted as (
      update callbacks c set state = 'pending', series = c.series + 1, next_number = 1, due_at = ${now.toISOString()}::timestamptz,
        delivered_at = null, undelivered_at = null, lease_until = null, lease_token = null
      from chosen where c.id = chosen.id and c.state = 'undelivered' returning c.id, c.series, chosen.undelivered_at
    ), noted as (
      insert into resend_job_items (job_id, callback_id, series, undelivered_at) select ${jobId}, id, series, undelivered_at from restarted
    ), announced as materialized (
      select pg_notify('due_work', 'callbacks') where exists (select 1 from restarted)
    )
    select (select count(*)::int from restarted) as count, (select count(*) from announced) as announced`);
  return rows[0]?.count ?? 0;
}

function ofPartner(partnerId: string | null): SQL {
  return partnerId === null ? sql`` : sql`and c.partner_id = ${partnerId}::uuid`;
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
