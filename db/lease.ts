import { type SQL, sql } from "drizzle-orm";
import { askNodes } from "./citus-nodes.ts";
import type { Database, Tenant } from "./client.ts";
import { DISTRIBUTED_TABLES } from "./distribution.ts";
import { layoutOf } from "./transaction.ts";

/**
 * Due work is leased. A worker that claims a row leases it until `lease_until` (real time) with its own token, and renews the lease while
 * it works. It writes only if its token is still there, so a worker that lost its lease changes nothing. Leases are short: a killed
 * worker's rows are free again within {@link LEASE_SECONDS}, or what the table's engine sets.
 */
export const LEASE_SECONDS = 10;

/** The tables of due work: `id`, `lease_until`, `lease_token`, and `due_at` in business time. */
export type LeasedTable = "callbacks" | "event_destinations" | "simulated_orders" | "topups" | "transfers" | "withdrawals";

/**
 * Business time, read once per statement. Read for every row, it would prevent the use of an index, and a claim would scan everything that
 * is not due yet.
 */
const NOW = sql`(select business_now())`;

/** A row leased by this worker. `partnerId`: its owner, where its table may be partitioned by partner. */
export type Lease = { id: string; token: string; partnerId?: string | null };

/**
 * Whose rows one statement over due work locks and writes: everybody's where the table is in one piece, one partner's where it is spread by
 * partner, so that it is one part's affair and no transaction of several nodes (docs/scaling.md).
 */
export type Share = Tenant;

/** The share of a table that is in one piece. */
export const EVERYBODY: Share = { of: "everybody" };

/** Whether the table is spread by partner. */
function isSpread(db: Database, table: LeasedTable): boolean {
  return layoutOf(db) === "citus" && DISTRIBUTED_TABLES.includes(table);
}

/**
 * The shares in which a table's due rows are claimed. Where it is spread, one per partner with due rows, the longest due first. Finding the
 * partners reads all nodes and locks nothing. While a node is away, each of the others is asked alone.
 */
export async function listShares(db: Database, table: LeasedTable): Promise<Share[]> {
  if (!isSpread(db, table)) return [EVERYBODY];
  return await askNodes(db, table, (among) => listDue(db, table, among));
}

async function listDue(db: Database, table: LeasedTable, among: SQL): Promise<Share[]> {
  const asked = table === "callbacks" ? sql`extra_attempt_id is not null` : sql`false`;
  const rows = await db.execute<{ id: string }>(sql`
    select partner_id as id from ${sql.identifier(table)} where (due_at <= ${NOW} or ${asked}) and ${leaseIsFree()} ${among}
    group by partner_id order by min(due_at)`);
  return rows.map(({ id }) => ({ of: "partner", id }));
}

/** Rows of a table by the shares that they are written in. */
function sharesOf<Row extends Pick<Lease, "partnerId">>(db: Database, table: LeasedTable, rows: readonly Row[]) {
  if (!isSpread(db, table)) return [{ share: EVERYBODY, rows }];
  return [...Map.groupBy(rows, ({ partnerId }) => partnerId ?? null)].map(([id, theirs]) => {
    const share: Share = id === null ? EVERYBODY : { of: "partner", id };
    return { share, rows: theirs };
  });
}

/** Writes rows share by share, each with its own statement, and returns their results. */
export async function inShares<Row extends Pick<Lease, "partnerId">, Answer>(
  db: Database,
  table: LeasedTable,
  rows: readonly Row[],
  write: (rows: readonly Row[], share: Share) => Promise<Answer[]>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const { share, rows: theirs } of sharesOf(db, table, rows)) answers.push(...(await write(theirs, share)));
  return answers;
}

/** Said of every table that a share's statement reads, with `and`. `prefix`: as in {@link leaseIsFree}. */
export function inShare(share: Share, prefix = ""): SQL {
  return share.of === "everybody" ? sql`` : sql`and ${sql.raw(`${prefix}partner_id`)} = ${share.id}::uuid`;
}

/** Nobody has leased the row. `prefix`: the table's alias in a query, for example `c.`. */
export function leaseIsFree(prefix = ""): SQL {
  const column = sql.raw(`${prefix}lease_until`);
  return sql`(${column} is null or ${column} < (select clock_timestamp()))`;
}

/** The expiry of a lease taken or renewed now. Read it with the rows: Citus refuses such a function in an update. */
export function leaseEnd(seconds = LEASE_SECONDS): SQL {
  return sql`clock_timestamp() + ${seconds} * interval '1 second'`;
}

export type Claim = {
  token: string;
  limit: number;
  seconds?: number /** A condition in addition to being due and free. */;
  only?: SQL | undefined;
};

/** Leases due rows, the longest due first of each share; two workers never get the same one. */
export async function claimDue(db: Database, table: LeasedTable, claim: Claim): Promise<Lease[]> {
  const leases: Lease[] = [];
  for (const share of await listShares(db, table)) {
    const limit = claim.limit - leases.length;
    if (limit > 0) leases.push(...(await claimShare(db, table, { ...claim, limit }, share)));
  }
  return leases;
}

async function claimShare(db: Database, table: LeasedTable, { token, limit, seconds, only }: Claim, share: Share): Promise<Lease[]> {
  const name = sql.identifier(table);
  const rows = await db.execute<{ id: string }>(sql`
    with free as (
      select id, ${leaseEnd(seconds)} as until from ${name} where due_at <= ${NOW} and ${leaseIsFree()} ${only ? sql`and ${only}` : sql``} ${inShare(share)}
      order by due_at limit ${limit} for update skip locked
    )
    update ${name} t set lease_until = free.until, lease_token = ${token} from free
    where t.id = free.id ${inShare(share, "t.")} returning t.id`);
  return rows.map(({ id }) => ({ id, token, partnerId: share.of === "partner" ? share.id : null }));
}

/** Whether a locked row is still in this worker's hands. */
export async function holdsLease(tx: Database, table: LeasedTable, { id, token }: Lease): Promise<boolean> {
  const rows = await tx.execute(sql`select 1 from ${sql.identifier(table)} where id = ${id} and lease_token = ${token}`);
  return rows.length === 1;
}

/**
 * Extends leases that are still valid, and returns the ids of rows that another worker has by now. It skips rows that are locked right now,
 * so that renewing never waits for settling, nor blocks it for long.
 */
export async function renewLeases(db: Database, table: LeasedTable, leases: readonly Lease[], seconds = LEASE_SECONDS): Promise<string[]> {
  if (leases.length === 0) return [];
  const name = sql.identifier(table);
  const rows = await inShares(db, table, leases, (theirs, share) =>
    db.execute<{ id: string }>(sql`
      with held as (select id, token from jsonb_to_recordset(${JSON.stringify(theirs)}::jsonb) as h(id text, token uuid)),
        renewed as (
          select t.id, ${leaseEnd(seconds)} as until from ${name} t join held on held.id = t.id and held.token = t.lease_token ${inShare(share, "t.")}
          order by t.id for update of t skip locked
        ),
        extended as (update ${name} t set lease_until = renewed.until from renewed where t.id = renewed.id ${inShare(share, "t.")})
      select t.id from ${name} t join held on held.id = t.id and held.token <> t.lease_token ${inShare(share, "t.")}`),
  );
  return rows.map(({ id }) => id);
}

/** Releases unused leases: the rows are due as before, for any worker. */
export async function releaseLeases(db: Database, table: LeasedTable, leases: readonly Lease[]): Promise<void> {
  if (leases.length === 0) return;
  await inShares(db, table, leases, (theirs, share) =>
    db.execute(sql`
      update ${sql.identifier(table)} t set lease_until = null, lease_token = null
      from jsonb_to_recordset(${JSON.stringify(theirs)}::jsonb) as h(id text, token uuid)
      where t.id = h.id and t.lease_token = h.token ${inShare(share, "t.")}`),
  );
}
