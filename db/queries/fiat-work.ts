import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { topups } from "#db/schema/topups.ts";
import { withdrawals } from "#db/schema/withdrawals.ts";
import { type Lease, leaseEnd, leaseIsFree, releaseLeases, renewLeases } from "./lease.ts";

/** Withdrawals and top-ups that are due, and what a worker writes about them without moving them. */
export type FiatTable = "withdrawals" | "topups";
const TABLES = { withdrawals, topups } as const;

/** Leases due orders, the longest due first; two workers never get the same one. */
export async function claimDueOrders(db: Database, table: FiatTable, token: string, limit: number): Promise<string[]> {
  const rows = await db.execute<{ id: string }>(sql`
    with free as (
      select id from ${TABLES[table]} t where t.due_at <= business_now() and ${leaseIsFree("t.")}
      order by t.due_at limit ${limit} for update skip locked
    )
    update ${TABLES[table]} t set lease_until = ${leaseEnd()}, lease_token = ${token} from free where t.id = free.id returning t.id`);
  return rows.map((row) => row.id);
}

/** See {@link renewLeases}. */
export function renewOrderLeases(db: Database, table: FiatTable, leases: readonly Lease[]): Promise<Set<string>> {
  return renewLeases(db, TABLES[table], leases);
}

/** See {@link releaseLeases}. */
export function releaseOrderLeases(db: Database, table: FiatTable, leases: readonly Lease[]): Promise<void> {
  return releaseLeases(db, TABLES[table], leases);
}

/** Whether a locked order is still in this worker's hands. */
export async function holdsOrder(tx: Database, table: FiatTable, lease: Lease): Promise<boolean> {
  const rows = await tx.execute(sql`select 1 from ${TABLES[table]} t where t.id = ${lease.id} and t.lease_token = ${lease.token}`);
  return rows.length === 1;
}

/** How far the talk with the provider about an order has come. */
export type Talk = { acceptedAt: Date | null; tries: number };

export async function readTalk(db: Database, table: FiatTable, id: string): Promise<Talk> {
  const [row] = await db.execute<{ accepted_at: string | null; tries: number }>(
    sql`select accepted_at, tries from ${TABLES[table]} t where t.id = ${id}`,
  );
  if (!row) throw new Error(`${id} is no order`);
  return { acceptedAt: row.accepted_at === null ? null : new Date(row.accepted_at), tries: row.tries };
}

export type Rest = {
  /** From now on, in business time. */
  seconds: number;
  /** For operators; null: all is as it should be. */
  reason: string | null;
  /** The provider has taken the order, under this name of its own (null: it told none). */
  accepted?: { reference: string | null };
  /** The provider does not know the order: it has to be given to it again. */
  forgotten?: boolean;
  /** Counts as one more try without an end. */
  tried: boolean;
};

/** Lets go of an order until later, unless another worker has it by now or it was moved meanwhile. */
export async function restOrder(db: Database, table: FiatTable, lease: Lease, rest: Rest): Promise<void> {
  const accepted: SQL = rest.accepted
    ? sql`, accepted_at = coalesce(accepted_at, business_now()), provider_reference = coalesce(${rest.accepted.reference}, provider_reference)`
    : rest.forgotten
      ? sql`, accepted_at = null`
      : sql``;
  await db.execute(sql`
    update ${TABLES[table]} set due_at = business_now() + ${rest.seconds} * interval '1 second', waiting_reason = ${rest.reason},
      tries = ${rest.accepted ? sql`0` : sql`tries + ${rest.tried ? 1 : 0}`}, lease_until = null, lease_token = null ${accepted}
    where id = ${lease.id} and lease_token = ${lease.token} and due_at is not null`);
}

/** Wakes the workers when the transaction commits. */
export async function wakeFiat(tx: Database): Promise<void> {
  await tx.execute(sql`select pg_notify('due_work', 'fiat')`);
}
