import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { JOINT } from "#db/citus.ts";
import { CITUS_FUNCTIONS } from "#db/citus-functions.ts";
import { CITUS_TABLES, columnsOf } from "#db/citus-tables.ts";
import { DISTRIBUTED_TABLES } from "#db/distribution.ts";
import { indexed, readShape, refer } from "#db/layout.ts";
import { migrate } from "#db/migrate.ts";
import { withConnection } from "#sandbox/postgres/server.ts";
import { openTestDatabase, type TestDatabase } from "./database.ts";

/** The schema of the parts. */
export const PARTS_SCHEMA = "parts";
const PARTS = 8;

/**
 * In place of Citus, where there is none: a database whose distributed tables are partitioned by hash of `partner_id`, with the keys of
 * Citus's layout, and whose pools send the statements of that layout. PostgreSQL's plans show which of them read a part without its partner.
 */
export async function createPartsDatabase(): Promise<TestDatabase> {
  const { adminUrl, template } = inject("testServer");
  const name = `test_${randomBytes(6).toString("hex")}`;
  await withConnection(adminUrl, (admin) => admin.unsafe(`create database "${name}" template "${template}"`));
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  await withConnection(url.href, (sql) => sql.unsafe(`create table ${JOINT} (never boolean); grant delete on ${JOINT} to public`));
  await withConnection(url.href, spreadTables);
  await withConnection(url.href, addOwnTables);
  for (const statement of CITUS_FUNCTIONS) await withConnection(url.href, (sql) => sql.unsafe(statement));
  await migrate(url.href);
  return openTestDatabase(adminUrl, name, name, { layout: "citus", nodes: [] });
}

type Sql = Parameters<Parameters<typeof withConnection>[1]>[0];
type Transaction = Parameters<typeof readShape>[0];

async function spreadTables(sql: Sql): Promise<void> {
  await sql.begin(async (tx) => {
    const kept = await readShape(tx, DISTRIBUTED_TABLES);
    const more = await readDefinitions(tx);
    for (const { name } of more.views) await tx.unsafe(`drop view public."${name}"`);
    for (const { name, table } of kept.references) await tx.unsafe(`alter table public."${table}" drop constraint "${name}"`);
    await tx.unsafe(`create schema ${PARTS_SCHEMA}`);
    for (const name of DISTRIBUTED_TABLES) {
      await spread(tx, name);
      for (const index of kept.indexes.filter(({ table }) => table === name)) await tx.unsafe(indexed(index));
    }
    for (const reference of kept.references) await refer(tx, reference);
    for (const { definition } of more.triggers) await tx.unsafe(definition);
    for (const { name, definition } of more.views) await tx.unsafe(`create view public."${name}" as ${definition}`);
  });
}

/** The tables that only Citus's layout has. */
async function addOwnTables(sql: Sql): Promise<void> {
  await sql.begin(async (tx) => {
    for (const [name, table] of Object.entries(CITUS_TABLES)) {
      await tx.unsafe(`create table public."${name}" (${columnsOf(table)}) partition by hash (partner_id)`);
      await addParts(tx, name);
      for (const [index, what] of Object.entries(table.indexes)) await tx.unsafe(`create index ${index} on ${name} ${what}`);
    }
  });
}

/** Policies that read it go with it, and `migrate` makes them for the roles of this database. */
async function spread(tx: Transaction, name: string): Promise<void> {
  await tx.unsafe(`alter table public."${name}" rename to "${name}_whole";
    create table public."${name}" (like public."${name}_whole" including defaults including constraints including comments) partition by hash (partner_id);
    drop table public."${name}_whole" cascade; alter table public."${name}" alter column partner_id set not null`);
  await addParts(tx, name);
}

async function addParts(tx: Transaction, name: string): Promise<void> {
  for (let part = 0; part < PARTS; part += 1)
    await tx.unsafe(
      `create table ${PARTS_SCHEMA}."${name}_${part}" partition of public."${name}" for values with (modulus ${PARTS}, remainder ${part})`,
    );
}

type Defined = { name: string; definition: string };

/** Triggers and views of the distributed tables, which go with a table that is made again. */
async function readDefinitions(tx: Transaction): Promise<{ triggers: Defined[]; views: Defined[] }> {
  const oids = tx`select oid from pg_class where relnamespace = 'public'::regnamespace and relname = any(${[...DISTRIBUTED_TABLES]})`;
  const triggers = await tx<Defined[]>`
    select tgname as name, pg_get_triggerdef(oid) as definition from pg_trigger where tgrelid in (${oids}) and not tgisinternal order by 1`;
  const views = await tx<Defined[]>`
    select distinct v.relname as name, pg_get_viewdef(v.oid) as definition
    from pg_depend d join pg_rewrite w on w.oid = d.objid join pg_class v on v.oid = w.ev_class
    where d.classid = 'pg_rewrite'::regclass and d.refobjid in (${oids}) and v.relkind = 'v' order by 1`;
  return { triggers, views };
}
