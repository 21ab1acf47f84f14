import type postgres from "postgres";
import { allRoles } from "./application-role.ts";
import { CITUS_FUNCTIONS } from "./citus-functions.ts";
import { CITUS_TABLES } from "./citus-tables.ts";
import { DISTRIBUTED_TABLES, DISTRIBUTION } from "./distribution.ts";
import { assertEmpty, indexed, type Reference, readShape, refer } from "./layout.ts";

/** The database has no Citus, or no nodes that take parts. */
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
  await assertNodes(sql);
  await place(sql);
  await placeOwn(sql);
  await placeJoint(sql);
  await sql.begin(async (tx) => {
    await tx.unsafe("set local citus.enable_unsafe_triggers = on");
    for (const statement of CITUS_FUNCTIONS) await tx.unsafe(statement);
  });
}

/** A table without rows: a transaction that writes it commits on all its nodes or on none (`db/transaction.ts`). */
export const JOINT = "citus_joint";

async function placeJoint(sql: postgres.Sql): Promise<void> {
  await sql.unsafe(`create table if not exists ${JOINT} (never boolean check (never is null and never is not null))`);
  if (!(await listPlaced(sql)).has(JOINT)) await sql`select citus_add_local_table_to_metadata(${JOINT})`;
}

/** The tables that no other layout has. */
async function placeOwn(sql: postgres.Sql): Promise<void> {
  const placed = await listPlaced(sql);
  for (const [name, { columns, indexes }] of Object.entries(CITUS_TABLES)) {
    if (placed.has(name)) continue;
    await sql.begin(async (tx) => {
      await tx.unsafe(`create table public."${name}" (${columns})`);
      for (const index of indexes) await tx.unsafe(index);
      await tx`select create_distributed_table(${name}, 'partner_id', colocate_with => ${FIRST})`;
    });
  }
}

async function place(sql: postgres.Sql): Promise<void> {
  const placed = await listPlaced(sql);
  const missing = (kind: "distributed" | "reference") =>
    Object.keys(DISTRIBUTION).filter((name) => DISTRIBUTION[name]?.kind === kind && !placed.has(name));
  const distributed = missing("distributed");
  const references = missing("reference");
  if (distributed.length + references.length === 0) return;
  await sql.begin(async (tx) => {
    // Its triggers look at rows of the same partner, which are in the same place.
    await tx.unsafe(`set local citus.enable_unsafe_triggers = on; set local citus.multi_shard_modify_mode = sequential;
      set local citus.shard_count = ${PARTS}`);
    await assertEmpty(tx, [...distributed, ...references]);
    const shape = await readShape(tx, [...distributed, ...references]);
    for (const { name, table } of shape.references) await tx.unsafe(`alter table public."${table}" drop constraint "${name}"`);
    await tx.unsafe(OF_PARTNER);
    for (const name of references) await tx`select create_reference_table(${name})`;
    for (const name of distributed) {
      await tx.unsafe(`alter table public."${name}" alter column partner_id set not null`);
      for (const index of shape.indexes.filter(({ table, unique }) => table === name && unique)) {
        await tx.unsafe(index.kind === null ? `drop index "${index.name}"` : `alter table "${name}" drop constraint "${index.name}"`);
        await tx.unsafe(indexed(index));
      }
      await tx`select create_distributed_table(${name}, 'partner_id', colocate_with => ${name === FIRST ? "none" : FIRST})`;
    }
    for (const reference of shape.references.filter(isKept)) await refer(tx, reference);
  });
}

/** As in the other layout of parts: inlined, so that the planner sees the partner. */
const OF_PARTNER = ["of_partner", "of_partner_or_unsaid"]
  .map((name) => `create or replace function ${name}(uuid, uuid) returns boolean language sql immutable parallel safe as 'select $1 = $2'`)
  .join(";");

/** Citus keeps references of a distributed table, and those among reference tables. */
function isKept({ table, target }: Reference): boolean {
  const [from, to] = [DISTRIBUTION[table]?.kind, DISTRIBUTION[target]?.kind];
  return (from === "distributed" && to !== "whole") || (from === "reference" && to === "reference");
}

async function assertNodes(sql: postgres.Sql): Promise<void> {
  const [row] = await sql<{ has: boolean }[]>`select exists (select from pg_extension where extname = 'citus') as has`;
  if (row?.has !== true)
    throw new NoCitus(
      "This database has no Citus: install it on each node, and as a superuser run `create extension citus` in this database there.",
    );
  const nodes = await sql`select from pg_dist_node where isactive and shouldhaveshards`;
  if (nodes.length === 0)
    throw new NoCitus("Citus has no node that takes parts: as a superuser run `select citus_add_node(HOST, PORT)` for each worker.");
}

async function listPlaced(sql: postgres.Sql): Promise<ReadonlySet<string>> {
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
  const writers = allRoles(name).filter((role) => !/_(?:login|signer)$/.test(role) && !role.includes("_signer_"));
  const existing = await sql<{ name: string }[]>`select rolname as name from pg_roles where rolname = any(${writers})`;
  for (const role of existing) await sql`grant delete on ${sql(JOINT)} to ${sql(role.name)}`;
  for (const setting of DATABASE_SETTINGS) await sql.unsafe(`alter database "${name}" set ${setting}`);
}
