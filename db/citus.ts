import type postgres from "postgres";
import { allRoles } from "./application-role.ts";
import { CITUS_FUNCTIONS } from "./citus-functions.ts";
import { CITUS_TABLES, columnsOf } from "./citus-tables.ts";
import { buildIndex } from "./concurrent-index.ts";
import { DISTRIBUTED_TABLES, DISTRIBUTION, KNOWN_TO_CITUS } from "./distribution.ts";
import { assertEmpty, indexed, type Reference, readShape, refer } from "./layout.ts";
import { LOCK_TIMEOUT_MS } from "./migration-locks.ts";

/** The database has no Citus, no nodes that take parts, or one that is away. */
export class NoCitus extends Error {
  override readonly name = "NoCitus";
}

/** A partner's parts are on one node, so all distributed tables have as many. Citus splits and moves parts later, but never joins them. */
const PARTS = 32;
const FIRST = DISTRIBUTED_TABLES[0] ?? "";

/** Whether its tables are already Citus's: then it stays so, whatever a later `migrate` says. */
export async function usesCitus(sql: postgres.Sql): Promise<boolean> {
  const [row] = await sql<{ has: boolean }[]>`select to_regclass('pg_catalog.pg_dist_partition') is not null as has`;
  return row?.has === true && (await listPlaced(sql)).has(FIRST);
}

/**
 * Gives the tables of an empty database to Citus, as `db/distribution.ts` says: distributed tables by partner, all in the same parts, and
 * reference tables on every node. What is whole remains an ordinary table of the coordinator. The keys become those of parts by partner, and
 * references between a whole table and any other are dropped, because Citus keeps none. What is placed already stays.
 *
 * @throws NoCitus
 * @throws NotEmpty
 */
export async function distributeTables(sql: postgres.Sql): Promise<void> {
  await sql.begin(placeTables);
  await placeOwn(sql);
  await placeJoint(sql);
  await sql.begin(async (tx) => {
    await tx.unsafe(CHANGES_TABLES);
    for (const statement of CITUS_FUNCTIONS) await tx.unsafe(statement);
  });
}

/** A table without rows: a transaction that writes it commits on all its nodes or on none (`db/transaction.ts`). */
export const JOINT = "citus_joint";

async function placeJoint(sql: postgres.Sql): Promise<void> {
  await sql.unsafe(`create table if not exists ${JOINT} (never boolean check (never is null and never is not null))`);
  if (!(await listPlaced(sql)).has(JOINT)) await sql`select citus_add_local_table_to_metadata(${JOINT})`;
}

/** The tables that no other layout has, with the columns and indexes that an earlier version's lack. */
async function placeOwn(sql: postgres.Sql): Promise<void> {
  const placed = await listPlaced(sql);
  for (const [name, table] of Object.entries(CITUS_TABLES)) {
    if (placed.has(name)) await addColumns(sql, name, table.columns);
    else
      await sql.begin(async (tx) => {
        await tx.unsafe(`create table public."${name}" (${columnsOf(table)})`);
        await tx`select create_distributed_table(${name}, 'partner_id', colocate_with => ${FIRST})`;
      });
    for (const [index, what] of Object.entries(table.indexes))
      await buildIndex(sql, `create index concurrently if not exists "${index}" on "${name}" ${what}`);
  }
}

async function addColumns(sql: postgres.Sql, name: string, columns: Readonly<Record<string, string>>): Promise<void> {
  const rows = await sql<
    { column: string }[]
  >`select attname as column from pg_attribute where attrelid = ${name}::regclass and attnum > 0`;
  const there = rows.map(({ column }) => column);
  const missing = Object.entries(columns).filter(([column]) => !there.includes(column));
  if (missing.length === 0) return;
  await sql.unsafe(`alter table public."${name}" ${missing.map(([column, type]) => `add column ${column} ${type}`).join(", ")}`);
}

/**
 * What a transaction that changes tables sets. Triggers look at rows of the same partner, which are in the same place. One connection to
 * each node, because rows refer to reference tables. No node waits for a lock for longer than the coordinator does. A whole table that
 * refers to a reference table does not become Citus's, with all tables that it is connected to.
 */
export const CHANGES_TABLES = `set local citus.enable_unsafe_triggers = on; set local citus.multi_shard_modify_mode = sequential;
  set local citus.enable_local_reference_table_foreign_keys = off; set local citus.shard_count = ${PARTS};
  set local lock_timeout = ${LOCK_TIMEOUT_MS}`;

/** Places the tables that are not placed yet, and drops the references that Citus does not keep. */
export async function placeTables(tx: postgres.TransactionSql): Promise<void> {
  await tx.unsafe(CHANGES_TABLES);
  const missing = await listMissing(tx);
  const shape = await readShape(tx, KNOWN_TO_CITUS);
  await assertEmpty(tx, missing);
  const [here, gone] = [shape.references.filter(isKept), shape.references.filter((reference) => !isKept(reference))];
  const again = here.filter(({ table, target }) => missing.includes(table) || missing.includes(target));
  for (const { name, table } of [...gone, ...again]) await tx.unsafe(`alter table public."${table}" drop constraint "${name}"`);
  for (const name of missing.filter((table) => DISTRIBUTION[table]?.kind === "reference")) await tx`select create_reference_table(${name})`;
  for (const name of missing.filter((table) => DISTRIBUTION[table]?.kind === "distributed")) {
    await tx.unsafe(`alter table public."${name}" alter column partner_id set not null`);
    for (const index of shape.indexes.filter(({ table, unique }) => table === name && unique)) {
      await tx.unsafe(index.kind === null ? `drop index "${index.name}"` : `alter table "${name}" drop constraint "${index.name}"`);
      await tx.unsafe(indexed(index));
    }
    await tx`select create_distributed_table(${name}, 'partner_id', colocate_with => ${name === FIRST ? "none" : FIRST})`;
  }
  for (const reference of again) await refer(tx, reference);
}

/** Citus keeps references of a distributed table, and those among reference tables. */
export function isKept({ table, target }: Pick<Reference, "table" | "target">): boolean {
  const [from, to] = [DISTRIBUTION[table]?.kind, DISTRIBUTION[target]?.kind];
  return (from === "distributed" && (to === "distributed" || to === "reference")) || (from === "reference" && to === "reference");
}

/** @throws NoCitus where a node is missing or does not answer */
export async function assertNodes(sql: postgres.Sql): Promise<void> {
  const [row] = await sql<{ has: boolean }[]>`select exists (select from pg_extension where extname = 'citus') as has`;
  if (row?.has !== true)
    throw new NoCitus(
      "This database has no Citus: install it on each node, and as a superuser run `create extension citus` in this database there.",
    );
  const nodes = await sql`select from pg_dist_node where isactive and shouldhaveshards`;
  if (nodes.length === 0)
    throw new NoCitus("Citus has no node that takes parts: as a superuser run `select citus_add_node(HOST, PORT)` for each worker.");
  const [away] = await sql<{ node: string }[]>`
    select nodename || ':' || nodeport as node from run_command_on_workers('select 1') where not success`;
  if (away !== undefined) throw new NoCitus(`The node ${away.node} of Citus does not answer: start it, and migrate again.`);
}

/** The tables of distributed rows and of reference rows that are there, and not placed. */
async function listMissing(tx: postgres.TransactionSql): Promise<string[]> {
  const placed = await listPlaced(tx);
  const there = await tx<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename = any(${[...KNOWN_TO_CITUS]})`;
  return KNOWN_TO_CITUS.filter((name) => !placed.has(name) && there.some((table) => table.name === name));
}

async function listPlaced(sql: postgres.ISql): Promise<ReadonlySet<string>> {
  const rows = await sql<{ name: string }[]>`
    select relname as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid where relnamespace = 'public'::regnamespace`;
  return new Set(rows.map(({ name }) => name));
}

/**
 * What a transaction sets for itself is set on each node as well. And triggers and functions may read other tables on the node that runs them:
 * those of the same partner, which are there, and reference tables. Only the coordinator writes reference tables: the lock for others needs
 * the right to update, which no role has on a table that only grows.
 */
export const DATABASE_SETTINGS = [
  "citus.propagate_set_commands = local",
  "citus.allow_nested_distributed_execution = on",
  "citus.allow_modifications_from_workers_to_replicated_tables = off",
];

/**
 * Citus queries its nodes as the role that asks, so that the rights and policies hold there, too. So each role of the service may log in on
 * them; it has no password, and who may come in is said by `pg_hba.conf`.
 */
export async function letRolesThrough(sql: postgres.Sql): Promise<void> {
  const [row] = await sql<{ name: string }[]>`select current_database() as name`;
  const name = row?.name ?? "";
  const roles = await sql<{ name: string }[]>`
    select rolname as name from pg_roles where rolname = any(${allRoles(name)}) and not rolcanlogin`;
  for (const role of roles) await sql`alter role ${sql(role.name)} login`;
  for (const setting of DATABASE_SETTINGS) await sql.unsafe(`alter database "${name}" set ${setting}`);
}
