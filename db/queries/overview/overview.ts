import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { fromRaw, type Raw } from "#db/columns.ts";
import { firstId } from "#domain/ids.ts";

/** Instants are business time; `from` inclusive, `to` exclusive. `partnerId` null: all partners together. */
export type OverviewScope = { partnerId: string | null; from: Date; to: Date };

/** The settlements created in the range, by state; an unconfirmed expired quote counts as lapsed. */
export type OutcomeCount = {
  at: Date;
  quoted: number;
  awaiting: number;
  lapsed: number;
  processing: number;
  executed: number;
  failed: number;
  cancelled: number;
  rejected: number;
  confirmed: number;
};

/** Outcomes per span of creation, spans without any left out. */
export async function countOutcomes(db: Database, scope: OverviewScope, spanSeconds: number): Promise<OutcomeCount[]> {
  const rows = await db.execute<Raw<OutcomeCount>>(sql`
    select ${span(sql`created_at`, spanSeconds)} as at,
      count(*) filter (where status = 'quoted' and approval_state is distinct from 'pending' and expires_at > clock.now)::int as quoted,
      count(*) filter (where status = 'quoted' and approval_state = 'pending')::int as awaiting,
      count(*) filter (where status = 'quoted' and approval_state is distinct from 'pending' and expires_at <= clock.now)::int as lapsed,
      count(*) filter (where status = 'processing')::int as processing,
      count(*) filter (where status = 'executed')::int as executed,
      count(*) filter (where status = 'failed')::int as failed,
      count(*) filter (where status = 'cancelled' and approval_state is distinct from 'rejected')::int as cancelled,
      count(*) filter (where status = 'cancelled' and approval_state = 'rejected')::int as rejected,
      count(*) filter (where confirmed_at is not null)::int as confirmed
    from settlements s, (select business_now() as now offset 0) clock
    where ${within(sql`created_at`, scope)} group by 1 order by 1`);
  return rows.map((row) => ({ ...row, at: new Date(row.at) }));
}

/** Executed volume of one pair in one span. Minor units of the source, base units of the token. */
export type VolumePoint = {
  at: Date;
  sourceCurrency: string;
  destinationCurrency: string;
  tokenDecimals: number;
  count: number;
  sourceAmountMinor: bigint;
  destinationAmountBase: bigint;
};

/** Volume by span of execution and pair. */
export async function sumVolume(db: Database, scope: OverviewScope, spanSeconds: number): Promise<VolumePoint[]> {
  const rows = await db.execute<Raw<VolumePoint>>(sql`
    select ${span(sql`executed_at`, spanSeconds)} as at, source_currency as "sourceCurrency", destination_currency as "destinationCurrency",
      token_decimals as "tokenDecimals", count(*)::int as count, sum(source_amount_minor)::text as "sourceAmountMinor",
      sum(destination_amount_base)::text as "destinationAmountBase"
    from settlements s where executed_at is not null and ${within(sql`executed_at`, scope)} group by 1, 2, 3, 4 order by 1, 2, 3`);
  return rows.map((row) => fromRaw<VolumePoint>(row, { instants: ["at"], integers: ["sourceAmountMinor", "destinationAmountBase"] }));
}

/** Seconds from confirmation to execution. */
export type ExecutionTime = { at: Date; chain: string; count: number; p50Seconds: number; p95Seconds: number };

/** How long execution took, by span of execution and chain. */
export async function measureExecution(db: Database, scope: OverviewScope, spanSeconds: number): Promise<ExecutionTime[]> {
  const took = sql`extract(epoch from executed_at - confirmed_at)`;
  const rows = await db.execute<Raw<ExecutionTime>>(sql`
    select ${span(sql`executed_at`, spanSeconds)} as at, chain, count(*)::int as count,
      percentile_cont(0.5) within group (order by ${took})::float8 as "p50Seconds", percentile_cont(0.95) within group (order by ${took})::float8 as "p95Seconds"
    from settlements s where executed_at is not null and ${within(sql`executed_at`, scope)} group by 1, 2 order by 1, 2`);
  return rows.map((row) => ({ ...row, at: new Date(row.at) }));
}

/** Medians of the range: seconds from quote to execution, and from creation to an admin's decision. Null: nothing to measure. */
export async function readMedians(
  db: Database,
  scope: OverviewScope,
): Promise<{ executionSeconds: number | null; decisionSeconds: number | null }> {
  const rows = await db.execute<{ execution: number | null; decision: number | null }>(sql`
    select (select percentile_cont(0.5) within group (order by extract(epoch from executed_at - created_at))::float8
        from settlements s where executed_at is not null and ${within(sql`executed_at`, scope)}) as execution,
      (select percentile_cont(0.5) within group (order by extract(epoch from approval_decided_at - created_at))::float8
        from settlements s where approval_decided_at is not null and ${within(sql`approval_decided_at`, scope)}) as decision`);
  return { executionSeconds: rows[0]?.execution ?? null, decisionSeconds: rows[0]?.decision ?? null };
}

/** Waiting and decided approvals by age; `upToSeconds` null: older than the last bound. */
export type ApprovalAge = { upToSeconds: number | null; waiting: number; decided: number };
const AGES = [300, 900, 3_600, 14_400, 86_400, 604_800] as const;

/** The age of waiting approvals now, and the age at which the others of the range were decided. */
export async function countApprovalAges(db: Database, scope: OverviewScope): Promise<ApprovalAge[]> {
  const rows = await db.execute<{ place: number; waiting: number; decided: number }>(sql`
    select width_bucket(age, ${`{${AGES.join(",")}}`}::float8[]) as place,
      count(*) filter (where is_waiting)::int as waiting, count(*) filter (where not is_waiting)::int as decided from (
      select extract(epoch from business_now() - created_at)::float8 as age, true as is_waiting from settlements s
        where status = 'quoted' and approval_state = 'pending' ${ofPartner(scope)}
      union all
      select extract(epoch from approval_decided_at - created_at)::float8, false from settlements s
        where approval_decided_at is not null and ${within(sql`approval_decided_at`, scope)}) ages
    group by 1`);
  return [...AGES, null].map((upToSeconds, place) => {
    const found = rows.find((row) => row.place === place);
    return { upToSeconds, waiting: found?.waiting ?? 0, decided: found?.decided ?? 0 };
  });
}

/** Admins' decisions; a rejection by the system, of what nobody decided in time, counts too. */
export type DecisionCount = { at: Date; approved: number; rejected: number };

/** Decisions by span. */
export async function countDecisions(db: Database, scope: OverviewScope, spanSeconds: number): Promise<DecisionCount[]> {
  const rows = await db.execute<Raw<DecisionCount>>(sql`
    select ${span(sql`approval_decided_at`, spanSeconds)} as at, count(*) filter (where approval_state = 'approved')::int as approved,
      count(*) filter (where approval_state = 'rejected')::int as rejected
    from settlements s where approval_decided_at is not null and ${within(sql`approval_decided_at`, scope)} group by 1 order by 1`);
  return rows.map((row) => ({ ...row, at: new Date(row.at) }));
}

/** The amounts that the range's expired quotes would have delivered, by token. */
export async function sumLapsed(db: Database, scope: OverviewScope): Promise<{ currency: string; tokenDecimals: number; base: bigint }[]> {
  const rows = await db.execute<{ currency: string; decimals: number; base: string }>(sql`
    select destination_currency as currency, token_decimals as decimals, sum(destination_amount_base)::text as base
    from settlements s where status = 'quoted' and approval_state is distinct from 'pending' and expires_at <= (select business_now())
      and ${within(sql`created_at`, scope)} group by 1, 2 order by 1`);
  return rows.map(({ currency, decimals, base }) => ({ currency, tokenDecimals: decimals, base: BigInt(base) }));
}

/** The callbacks created in a span: delivered at the first attempt, delivered in all, given up, and failing but still retried. */
export type CallbackSuccess = { at: Date; count: number; first: number; delivered: number; undelivered: number; retrying: number };

export async function countCallbackSuccess(db: Database, scope: OverviewScope, spanSeconds: number): Promise<CallbackSuccess[]> {
  const rows = await db.execute<Raw<CallbackSuccess>>(sql`
    select ${span(sql`created_at`, spanSeconds)} as at, count(*)::int as count,
      count(*) filter (where state = 'delivered' and series = 1 and next_number = 1)::int as first,
      count(*) filter (where state = 'delivered')::int as delivered, count(*) filter (where state = 'undelivered')::int as undelivered,
      count(*) filter (where state = 'pending' and failing_since is not null)::int as retrying
    from callbacks s where s.id >= ${firstId("callback", scope.from)} and s.id < ${firstId("callback", scope.to)} ${ofPartner(scope)}
    group by 1 order by 1`);
  return rows.map((row) => ({ ...row, at: new Date(row.at) }));
}

function span(column: SQL, seconds: number): SQL {
  return sql`date_bin(make_interval(secs => ${seconds}), s.${column}, 'epoch'::timestamptz)`;
}

function within(column: SQL, scope: OverviewScope): SQL {
  return sql`s.${column} >= ${scope.from.toISOString()}::timestamptz and s.${column} < ${scope.to.toISOString()}::timestamptz ${ofPartner(scope)}`;
}

function ofPartner({ partnerId }: OverviewScope): SQL {
  return partnerId === null ? sql`` : sql`and s.partner_id = ${partnerId}::uuid`;
}
