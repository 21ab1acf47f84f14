import { eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { leaseIsFree } from "#db/lease.ts";
import { listPausedReceivers } from "#db/queries/callbacks/paused-receivers.ts";
import { newestTerms } from "#db/queries/rates/pair-terms.ts";
import { unfinished } from "#db/queries/transfers/unfinished.ts";
import { processes } from "#db/schema/processes.ts";
import { queueOf } from "#domain/callback.ts";
import { HALTED } from "#domain/halt-scope.ts";
import type { Backlog, ProcessVitals, RateAge, WaitingTransfers } from "#domain/vitals.ts";

/**
 * Figures about the state of the service, across tables. Each query reads open rows by a partial index, never finished ones, so their cost
 * does not grow with the history.
 */

/**
 * The due work of all tables, and how late the oldest is. A sent transfer waits for the chain, not for us; one with a halted scope, and a
 * callback to a paused receiver, wait for people.
 */
export async function readBacklogs(db: Database): Promise<Backlog[]> {
  const paused = await listPausedReceivers(db, null);
  const origins = paused.filter(({ partnerId }) => partnerId === null).map(({ origin }) => origin);
  const lanes = paused.flatMap(({ partnerId, origin }) => (partnerId === null ? [] : [queueOf(partnerId, origin)]));
  return await db.execute<Backlog>(sql`
    select 'transfers' as "table", (select count(*)::int from transfers where due_at is not null) as open,
      (select extract(epoch from business_now() - due_at)::float8 from transfers
        where due_at <= (select business_now()) and state in ('queued', 'signed') and ${leaseIsFree()}
          and (rest_until is null or rest_until < (select clock_timestamp()))
          and (waiting_reason is null or waiting_reason not like ${`${HALTED}%`}) order by due_at limit 1) as "oldestDueSeconds"
    union all
    select 'callbacks', (select count(*)::int from callbacks where due_at is not null),
      (select extract(epoch from business_now() - due_at)::float8 from callbacks
        where due_at <= (select business_now()) and ${leaseIsFree()} and ${isNone(sql`lane`, lanes)}
          and ${isNone(sql`split_part(lane, ' ', 2)`, origins)} order by due_at limit 1)
    union all
    select 'withdrawals', (select count(*)::int from withdrawals where due_at is not null),
      (select extract(epoch from business_now() - due_at)::float8 from withdrawals
        where due_at <= (select business_now()) and ${leaseIsFree()} order by due_at limit 1)
    union all
    select 'topups', (select count(*)::int from topups where due_at is not null),
      (select extract(epoch from business_now() - due_at)::float8 from topups
        where due_at <= (select business_now()) and ${leaseIsFree()} order by due_at limit 1)`);
}

function isNone(value: SQL, texts: readonly string[]): SQL {
  return sql`${value} <> all(array(select jsonb_array_elements_text(${JSON.stringify(texts)}::jsonb)))`;
}

/** The number of transfers that are not final, by state. */
export async function countOpenTransfers(db: Database): Promise<{ state: string; count: number }[]> {
  return await db.execute<{ state: string; count: number }>(sql`
    select state, count(*)::int as count from transfers where ${unfinished()} group by state`);
}

/** Blocked transfers, by chain and reason, without those on hold, which are not a fault of the service. */
export async function countWaitingTransfers(db: Database): Promise<WaitingTransfers[]> {
  return await db.execute<WaitingTransfers>(sql`
    select chain, waiting_kind as kind, waiting_reason as reason, count(*)::int as count from transfers
    where due_at is not null and waiting_reason is not null and waiting_kind is distinct from 'hold'
    group by chain, waiting_kind, waiting_reason order by count desc limit 20`);
}

type Awaiting = { undeliveredCallbacks: number; pendingApprovals: number; ambiguousOrders: number; heldPayments: number };

/** Undelivered callbacks, settlements and held payments that wait for an admin, and ambiguous fiat orders. */
export async function countAwaiting(db: Database): Promise<Awaiting> {
  const [row] = await db.execute<Awaiting>(sql`
    select (select count(*)::int from callbacks where state = 'undelivered') as "undeliveredCallbacks",
      (select count(*)::int from settlements where status = 'quoted' and approval_state = 'pending') as "pendingApprovals",
      (select count(*)::int from withdrawals where ambiguous_since is not null)
        + (select count(*)::int from topups where ambiguous_since is not null) as "ambiguousOrders",
      (select count(*)::int from payment_holds where outcome = 'open') as "heldPayments"`);
  if (row === undefined) throw new Error("a statement without a table answered nothing");
  return row;
}

/** Every pair that somebody may quote: by whom, the age of its mid rate if it has one, whether it may be quoted from, and how long it has been too old. They are few: not paged. */
export async function listRateAges(db: Database): Promise<RateAge[]> {
  return await db.execute<RateAge>(sql`
    select q.source_currency || '/' || q.destination_currency as pair,
      case when r.as_of is null then null when r.stale_at is null then 0
        else greatest(extract(epoch from clock_timestamp() - r.as_of), 0)::float8 end as "ageSeconds",
      (r.as_of is not null and (r.stale_at is null or r.stale_at > clock_timestamp())) as fresh,
      case when r.stale_at <= clock_timestamp() then extract(epoch from clock_timestamp() - r.stale_at)::float8 end as "staleSeconds", q.partner_ids as "partnerIds"
    from (
      select source_currency, destination_currency, case when bool_and(partner_id is not null) then array_agg(distinct partner_id::text) end as partner_ids
      from ${newestTerms()} where enabled and not withdrawn group by source_currency, destination_currency
    ) as q
    left join exchange_rates as r on r.source_currency = q.source_currency and r.destination_currency = q.destination_currency
    order by 1`);
}

export type Heartbeat = { id: string; kind: string; startedAt: Date; metrics: unknown[] };

/** Records that the process is alive right now (real time, the database's clock), with its figures. */
export async function saveHeartbeat(db: Database, heartbeat: Heartbeat): Promise<void> {
  const now = sql`clock_timestamp()`;
  await db
    .insert(processes)
    .values({ ...heartbeat, beatAt: now })
    .onConflictDoUpdate({ target: processes.id, set: { beatAt: now, metrics: sql`excluded.metrics` } });
}

/** Processes with a heartbeat within the last hour, newest first. */
export async function listProcesses(db: Database): Promise<ProcessVitals[]> {
  const beatAgeSeconds = sql<number>`extract(epoch from clock_timestamp() - ${processes.beatAt})::float8`;
  return await db
    .select({ id: processes.id, kind: processes.kind, startedAt: processes.startedAt, metrics: processes.metrics, beatAgeSeconds })
    .from(processes)
    .where(sql`${processes.beatAt} > clock_timestamp() - interval '1 hour'`)
    .orderBy(sql`${processes.beatAt} desc`)
    .limit(100);
}

export async function deleteProcess(db: Database, id: string): Promise<void> {
  await db.delete(processes).where(eq(processes.id, id));
}

/** Forgets processes that died without a word an hour ago or longer. */
export async function deleteSilentProcesses(db: Database): Promise<void> {
  await db.delete(processes).where(sql`${processes.beatAt} < clock_timestamp() - interval '1 hour'`);
}
