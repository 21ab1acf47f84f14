import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import type { Raw } from "#db/columns.ts";
import type { Lease } from "#db/lease.ts";
import type { topups, withdrawals } from "#db/schema/fiat-orders.ts";

/** Withdrawals and top-ups that are due, and what a worker writes about them without moving them. */
export type FiatTable = "withdrawals" | "topups";

/** The worker's columns of an order, before it has worked on the next step. */
export const UNTOUCHED = { tries: 0, waitingReason: null, ambiguousSince: null, leaseUntil: null, leaseToken: null };

type Row = typeof withdrawals.$inferSelect | typeof topups.$inferSelect;
type Kept = "status" | "waitingReason" | "acceptedAt" | "givenAt" | "ambiguousSince" | "tries" | "dueAt" | "leaseUntil" | "leaseToken";

/** The order in a row, without its status, which follows from the step, and without the worker's columns. */
export function orderOf<Of extends Row>(row: Of): Omit<Of, Kept> {
  const { status, waitingReason, acceptedAt, givenAt, ambiguousSince, tries, dueAt, leaseUntil, leaseToken, ...order } = row;
  return order;
}

/** How far the talk with the provider about an order has come. `givenSecondsAgo` null: it was never given to it. `trace`: the order's. */
export type Talk = { acceptedAt: Date | null; givenSecondsAgo: number | null; tries: number; trace: string | null };

export async function readTalk(db: Database, table: FiatTable, id: string): Promise<Talk> {
  const [row] = await db.execute<{ accepted_at: string | null; given: number | null; tries: number; trace: string | null }>(
    sql`select accepted_at, extract(epoch from business_now() - given_at)::float8 as given, tries, trace from ${sql.identifier(table)} t where t.id = ${id}`,
  );
  if (!row) throw new Error(`${id} is no order`);
  const acceptedAt = row.accepted_at === null ? null : new Date(row.accepted_at);
  return { acceptedAt, givenSecondsAgo: row.given, tries: row.tries, trace: row.trace };
}

/** Records that the order is about to be submitted to the provider. False, and nothing is recorded, when another worker has it by now. */
export async function recordOrdering(db: Database, table: FiatTable, lease: Lease): Promise<boolean> {
  const { count } = await db.execute(sql`
    update ${sql.identifier(table)} set given_at = coalesce(given_at, business_now())
    where id = ${lease.id} and lease_token = ${lease.token} and due_at is not null`);
  return count === 1;
}

/** Turns an order into an operator's case, unless another worker has it or it was moved meanwhile. */
export async function markAmbiguous(tx: Database, table: FiatTable, lease: Lease, reason: string): Promise<boolean> {
  const { count } = await tx.execute(sql`
    update ${sql.identifier(table)} set ambiguous_since = business_now(), waiting_reason = ${reason}, due_at = null, lease_until = null, lease_token = null
    where id = ${lease.id} and lease_token = ${lease.token} and due_at is not null and step in ('paying_out', 'collecting')`);
  return count === 1;
}

/** Whether a locked order is an operator's case. */
export async function isAmbiguous(tx: Database, table: FiatTable, id: string): Promise<boolean> {
  const rows = await tx.execute(sql`select 1 from ${sql.identifier(table)} t where t.id = ${id} and t.ambiguous_since is not null`);
  return rows.length === 1;
}

/**
 * Returns an operator's case to the worker, which from now on only asks about it, because the provider may have accepted it. One that was
 * never submitted to its provider is submitted.
 */
export async function askAgain(tx: Database, table: FiatTable, id: string): Promise<void> {
  await tx.execute(sql`
    update ${sql.identifier(table)} set ambiguous_since = null, waiting_reason = null, tries = 0, due_at = business_now(),
      accepted_at = coalesce(accepted_at, given_at)
    where id = ${id} and ambiguous_since is not null`);
  await wakeFiat(tx);
}

export type Rest = {
  /** From now on, in business time. */
  seconds: number;
  /** For operators; null: all is as it should be. */
  reason: string | null;
  /** The provider has accepted the order, with its own reference (null: it gave none). */
  accepted?: { reference: string | null };
  /** It was given to the provider once, and said no: the provider does not have it. */
  refused?: boolean;
  /** Business time: it is due then at the latest. */
  notAfter?: Date | null;
  /** Counts as one more try without an end. */
  tried: boolean;
};

/** Releases an order until later, unless another worker has it by now or it was moved meanwhile. */
export async function restOrder(db: Database, table: FiatTable, lease: Lease, rest: Rest): Promise<void> {
  const accepted: SQL = rest.accepted
    ? sql`, accepted_at = coalesce(accepted_at, business_now()), provider_reference = coalesce(${rest.accepted.reference}, provider_reference)`
    : rest.refused
      ? sql`, given_at = null`
      : sql``;
  const at = sql`business_now() + ${rest.seconds} * interval '1 second'`;
  await db.execute(sql`
    update ${sql.identifier(table)} set due_at = least(${at}, ${rest.notAfter?.toISOString() ?? null}::timestamptz), waiting_reason = ${rest.reason},
      tries = ${rest.accepted ? sql`0` : sql`tries + ${rest.tried ? 1 : 0}`}, lease_until = null, lease_token = null ${accepted}
    where id = ${lease.id} and lease_token = ${lease.token} and due_at is not null`);
}

/** An order whose outcome at the provider is unknown. */
export type AmbiguousOrder = {
  id: string;
  kind: "withdrawal" | "topup";
  partnerName: string;
  amountMinor: bigint;
  currency: string;
  since: Date;
  reason: string;
};

/** All of them up to a limit, oldest first; both indexes contain only these. */
export async function listAmbiguous(db: Database, limit: number): Promise<AmbiguousOrder[]> {
  const rows = await db.execute<Raw<AmbiguousOrder>>(sql`
    select o.id, o.kind, p.name as "partnerName", o.amount_minor::text as "amountMinor", o.currency, o.ambiguous_since as since,
      coalesce(o.waiting_reason, '') as reason
    from (
      select id, 'withdrawal' as kind, partner_id, amount_minor, currency, ambiguous_since, waiting_reason from withdrawals where ambiguous_since is not null
      union all
      select id, 'topup', partner_id, amount_minor, currency, ambiguous_since, waiting_reason from topups where ambiguous_since is not null
    ) o join partners p on p.id = o.partner_id order by o.ambiguous_since limit ${limit}`);
  return rows.map((row) => ({ ...row, amountMinor: BigInt(row.amountMinor), since: new Date(row.since) }));
}

/** Wakes the workers when the transaction commits. */
export async function wakeFiat(tx: Database): Promise<void> {
  await tx.execute(sql`select pg_notify('due_work', 'fiat')`);
}
