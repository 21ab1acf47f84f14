import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { leaseIsFree } from "#db/lease.ts";
import { HALTED } from "#domain/lane.ts";
import type { Backlog, RateAge } from "#domain/vitals.ts";

/**
 * What tells how the service is doing, across tables. Each query reads what is open, by a partial index, never what is
 * finished: their cost does not grow with the service's history.
 */

/**
 * The due work of all tables, and how late the latest of it is. A transfer that is sent waits for the chain, and for nobody here; one
 * whose lane stands waits for people.
 */
export async function readBacklogs(db: Database): Promise<Backlog[]> {
  const rows = await db.execute<{ table: Backlog["table"]; open: number; oldest_due_seconds: number | null }>(sql`
    select 'transfers' as "table", (select count(*)::int from transfers where due_at is not null) as open,
      (select extract(epoch from business_now() - due_at)::float8 from transfers
        where due_at <= (select business_now()) and state in ('queued', 'signed') and ${leaseIsFree()}
          and (rest_until is null or rest_until < (select clock_timestamp()))
          and (waiting_reason is null or waiting_reason not like ${`${HALTED}%`}) order by due_at limit 1) as oldest_due_seconds
    union all
    select 'callbacks', (select count(*)::int from callbacks where due_at is not null),
      (select extract(epoch from business_now() - due_at)::float8 from callbacks
        where due_at <= (select business_now()) and ${leaseIsFree()} order by due_at limit 1)
    union all
    select 'withdrawals', (select count(*)::int from withdrawals where due_at is not null),
      (select extract(epoch from business_now() - due_at)::float8 from withdrawals
        where due_at <= (select business_now()) and ${leaseIsFree()} order by due_at limit 1)
    union all
    select 'topups', (select count(*)::int from topups where due_at is not null),
      (select extract(epoch from business_now() - due_at)::float8 from topups
        where due_at <= (select business_now()) and ${leaseIsFree()} order by due_at limit 1)`);
  return rows.map((row) => ({ table: row.table, open: row.open, oldestDueSeconds: row.oldest_due_seconds }));
}

/** How many transfers that are not final stand where. */
export async function countOpenTransfers(db: Database): Promise<{ state: string; count: number }[]> {
  return await db.execute<{ state: string; count: number }>(sql`
    select state, count(*)::int as count from transfers where state in ('queued', 'signed', 'broadcast', 'mined', 'needs_review') group by state`);
}

/** Transfers that cannot move on, by chain and reason. */
export async function countWaitingTransfers(db: Database): Promise<{ chain: string; reason: string; count: number }[]> {
  return await db.execute<{ chain: string; reason: string; count: number }>(sql`
    select chain, waiting_reason as reason, count(*)::int as count from transfers
    where due_at is not null and waiting_reason is not null group by chain, waiting_reason order by count desc limit 20`);
}

/** Callbacks that were given up, settlements that await an admin, and fiat orders of which nobody can tell whether the provider has them. */
export async function countAwaiting(
  db: Database,
): Promise<{ undeliveredCallbacks: number; pendingApprovals: number; ambiguousOrders: number }> {
  const rows = await db.execute<{ undelivered_callbacks: number; pending_approvals: number; ambiguous_orders: number }>(sql`
    select (select count(*)::int from callbacks where state = 'undelivered') as undelivered_callbacks,
      (select count(*)::int from settlements where status = 'quoted' and approval_state = 'pending') as pending_approvals,
      (select count(*)::int from withdrawals where ambiguous_since is not null)
        + (select count(*)::int from topups where ambiguous_since is not null) as ambiguous_orders`);
  const row = rows[0];
  return {
    undeliveredCallbacks: row?.undelivered_callbacks ?? 0,
    pendingApprovals: row?.pending_approvals ?? 0,
    ambiguousOrders: row?.ambiguous_orders ?? 0,
  };
}

/** The age of each pair's mid rate, and whether it may still be quoted from. */
export async function listRateAges(db: Database): Promise<RateAge[]> {
  const rows = await db.execute<{ pair: string; age_seconds: number; fresh: boolean }>(sql`
    select source_currency || '/' || destination_currency as pair,
      case when stale_at is null then 0 else greatest(extract(epoch from clock_timestamp() - as_of), 0)::float8 end as age_seconds,
      (stale_at is null or stale_at > clock_timestamp()) as fresh
    from exchange_rates order by 1`);
  return rows.map((row) => ({ pair: row.pair, ageSeconds: row.age_seconds, fresh: row.fresh }));
}
