import { type SQL, sql } from "drizzle-orm";
import type { Database } from "./client.ts";

/**
 * Due work is leased: a worker that claims a row holds it until `lease_until` (real time) under a token of its own, renews the
 * lease while it works, and writes only where the token still stands, so that one which lost its lease changes nothing.
 * A lease is short: what a killed worker held is free again within {@link LEASE_SECONDS}, or what the table's engine asks for.
 */
export const LEASE_SECONDS = 10;

/** The tables of due work: `id`, `lease_until`, `lease_token`, and `due_at` in business time. */
export type LeasedTable = "callbacks" | "simulated_orders" | "topups" | "transfers" | "withdrawals";

/** One row that this worker holds. */
export type Lease = { id: string; token: string };

/** Nobody holds the row. `prefix`: the alias under which a query knows the table, for example `c.`. */
export function leaseIsFree(prefix = ""): SQL {
  const column = sql.raw(`${prefix}lease_until`);
  return sql`(${column} is null or ${column} < (select clock_timestamp()))`;
}

/** Until when a lease taken or renewed now holds. */
export function leaseEnd(seconds = LEASE_SECONDS): SQL {
  return sql`clock_timestamp() + ${seconds} * interval '1 second'`;
}

export type Claim = {
  token: string;
  limit: number;
  seconds?: number /** A condition beside being due and free. */;
  only?: SQL | undefined;
};

/** Leases due rows, the longest due first, and answers their ids; two workers never get the same one. */
export async function claimDue(db: Database, table: LeasedTable, { token, limit, seconds, only }: Claim): Promise<string[]> {
  const name = sql.identifier(table);
  const rows = await db.execute<{ id: string }>(sql`
    with free as (
      select id from ${name} where due_at <= business_now() and ${leaseIsFree()} ${only ? sql`and ${only}` : sql``}
      order by due_at limit ${limit} for update skip locked
    )
    update ${name} t set lease_until = ${leaseEnd(seconds)}, lease_token = ${token} from free where t.id = free.id returning t.id`);
  return rows.map(({ id }) => id);
}

/** Whether a locked row is still in this worker's hands. */
export async function holdsLease(tx: Database, table: LeasedTable, { id, token }: Lease): Promise<boolean> {
  const rows = await tx.execute(sql`select 1 from ${sql.identifier(table)} where id = ${id} and lease_token = ${token}`);
  return rows.length === 1;
}

/**
 * Extends the leases that still stand, and answers the ids of rows that are another worker's by now. Rows that are being written this
 * very moment are passed over, so that renewing never waits for settling, nor blocks it for long.
 */
export async function renewLeases(db: Database, table: LeasedTable, leases: readonly Lease[], seconds = LEASE_SECONDS): Promise<string[]> {
  if (leases.length === 0) return [];
  const name = sql.identifier(table);
  const rows = await db.execute<{ id: string }>(sql`
    with held as (select id, token from jsonb_to_recordset(${JSON.stringify(leases)}::jsonb) as h(id text, token uuid)),
      renewed as (
        select t.id from ${name} t join held on held.id = t.id and held.token = t.lease_token order by t.id for update of t skip locked
      ),
      extended as (update ${name} t set lease_until = ${leaseEnd(seconds)} from renewed where t.id = renewed.id)
    select t.id from ${name} t join held on held.id = t.id and held.token <> t.lease_token`);
  return rows.map(({ id }) => id);
}

/** Gives leases back unused: the rows are due as before, for whoever comes next. */
export async function releaseLeases(db: Database, table: LeasedTable, leases: readonly Lease[]): Promise<void> {
  if (leases.length === 0) return;
  await db.execute(sql`
    update ${sql.identifier(table)} t set lease_until = null, lease_token = null
    from jsonb_to_recordset(${JSON.stringify(leases)}::jsonb) as h(id text, token uuid)
    where t.id = h.id and t.lease_token = h.token`);
}
