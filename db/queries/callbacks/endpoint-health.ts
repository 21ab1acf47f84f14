import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { fromRaw, type Raw } from "#db/columns.ts";

/** Of the callbacks first tried within a period: how many were delivered, out of those delivered or failed at least once. */
export type Taken = { taken: number; of: number };

/** How one receiver does. */
export type EndpointHealth = {
  origin: string;
  taken24h: Taken;
  taken7d: Taken;
  /** Milliseconds over all attempts of 7 days that were answered. */
  p50Ms: number | null;
  p95Ms: number | null;
  timeouts7d: number;
  lastSuccessAt: Date | null;
  lastFailureAt: Date | null;
  /** Failed attempts since the last success. */
  consecutiveFailures: number;
  /** Failed at least once, and still tried. */
  retrying: number;
  undelivered: number;
  /** First attempts of 7 days in spans of 6 hours, oldest first: how many there were, and how many of them succeeded. */
  spans: { tried: number; good: number }[];
};

const SPANS = 28;

/**
 * The receivers with an attempt within 7 days before `now`, and those with an undelivered callback of any age; failing ones first: a
 * partner's, or everybody's. Reads only those attempts and callbacks.
 */
export async function listEndpointHealth(db: Database, partnerId: string | null, now: Date, limit: number): Promise<EndpointHealth[]> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const own = partnerId === null ? sql`` : sql`and c.partner_id = ${partnerId}::uuid`;
  const rows = await db.execute<Row>(sql`
    with tried as materialized (
      select split_part(c.lane, ' ', 2) as origin, a.sent_at, a.ended_at, a.duration_ms, a.error_kind is null as good, a.error_kind, a.response_status,
        a.number, a.number = 1 and a.series = 1 as is_first, c.state = 'delivered' as taken, c.state <> 'pending' or c.failing_since is not null as answered
      from callback_attempts a join callbacks c on c.id = a.callback_id and of_partner_or_unsaid(a.partner_id, c.partner_id)
      where a.sent_at > ${at} - interval '7 days' and a.sent_at <= ${at} and a.ended_at is not null ${own}
    ), latest as (
      select origin, max(ended_at) filter (where good) as good_at, max(ended_at) filter (where not good) as bad_at from tried group by origin
    ), spans as (
      select origin, json_agg(json_build_object('span', span, 'tried', tried, 'good', good)) as spans from (
        select origin, floor(extract(epoch from ${at} - sent_at) / 21600)::int as span, count(*)::int as tried,
          (count(*) filter (where good))::int as good
        from tried where number = 1 group by 1, 2
      ) by_span group by origin
    ), open as (
      select split_part(c.lane, ' ', 2) as origin, count(*) filter (where c.state = 'undelivered')::int as undelivered,
        count(*) filter (where c.state = 'pending')::int as retrying, max(coalesce(c.undelivered_at, c.failing_since)) as bad_at
      from callbacks c where (c.state = 'undelivered' or c.failing_since is not null and c.state = 'pending') ${own} group by 1
    )
    select r.origin,
      count(*) filter (where is_first and taken and sent_at > ${at} - interval '1 day')::int as taken_24h,
      count(*) filter (where is_first and answered and sent_at > ${at} - interval '1 day')::int as of_24h,
      count(*) filter (where is_first and taken)::int as taken_7d, count(*) filter (where is_first and answered)::int as of_7d,
      percentile_cont(0.5) within group (order by duration_ms) filter (where response_status is not null) as "p50Ms",
      percentile_cont(0.95) within group (order by duration_ms) filter (where response_status is not null) as "p95Ms",
      count(*) filter (where error_kind = 'timeout')::int as "timeouts7d",
      l.good_at as "lastSuccessAt", greatest(l.bad_at, o.bad_at) as "lastFailureAt",
      count(*) filter (where not good and (l.good_at is null or ended_at > l.good_at))::int as "consecutiveFailures",
      coalesce(o.undelivered, 0) as undelivered, coalesce(o.retrying, 0) as retrying,
      (select s.spans from spans s where s.origin = r.origin) as spans
    from (select origin from tried union select origin from open) r
    left join tried t on t.origin = r.origin left join latest l on l.origin = r.origin left join open o on o.origin = r.origin
    group by r.origin, l.good_at, l.bad_at, o.bad_at, o.undelivered, o.retrying
    order by "consecutiveFailures" desc, undelivered desc, retrying desc, r.origin limit ${limit}`);
  return rows.map(({ taken_24h, of_24h, taken_7d, of_7d, spans, ...row }) => ({
    ...fromRaw<Measured>(row, { instants: ["lastSuccessAt", "lastFailureAt"] }),
    taken24h: { taken: taken_24h, of: of_24h },
    taken7d: { taken: taken_7d, of: of_7d },
    spans: Array.from({ length: SPANS }, (_, index) => {
      const found = spans?.find(({ span }) => span === SPANS - 1 - index);
      return { tried: found?.tried ?? 0, good: found?.good ?? 0 };
    }),
  }));
}

type Measured = Omit<EndpointHealth, "taken24h" | "taken7d" | "spans">;
type Row = Raw<Measured> &
  Record<"taken_24h" | "of_24h" | "taken_7d" | "of_7d", number> & {
    spans: { span: number; tried: number; good: number }[] | null;
  };
