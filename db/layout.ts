import type postgres from "postgres";
import { DISTRIBUTED_TABLES } from "./distribution.ts";

/**
 * `whole`: no table is partitioned. `hashed`: the distributed tables of `db/distribution.ts` are partitioned by partner. `citus`: Citus
 * spreads them over its nodes (`db/citus.ts`).
 */
export const LAYOUTS = ["whole", "hashed", "citus"] as const;
export type Layout = (typeof LAYOUTS)[number];

/** Parses DATABASE_LAYOUT. @throws for any other word. */
export function readLayout(word: string | undefined): Layout {
  const layout = LAYOUTS.find((known) => known === (word || "whole"));
  if (layout === undefined) throw new Error(`DATABASE_LAYOUT is one of ${LAYOUTS.join(", ")}, not ${JSON.stringify(word)}.`);
  return layout;
}

/** So many parts: a power of two, so that they can be split in half. */
const PARTS = 8;
/** The schema of the partitions: only the owner may use it, so that nobody bypasses the parent's policies. */
const SCHEMA = "parts";

/** The database has rows, and those are brought over by copying, not by this. */
export class NotEmpty extends Error {
  override readonly name = "NotEmpty";
}

/**
 * Partitions the distributed tables of an empty database by partner, as a distributed engine (Citus) would, under the same rules: every
 * unique key includes the partner, and so does every reference among these tables. References from other tables to them are dropped. A
 * database that is partitioned already stays unchanged.
 *
 * @throws NotEmpty
 */
export async function spreadTables(sql: postgres.Sql): Promise<void> {
  await sql.begin(async (tx) => {
    const tables = await wholeTables(tx);
    if (tables.length === 0) return;
    await assertEmpty(tx, tables);
    const kept = await readShape(tx, tables);
    for (const { name } of kept.views) await tx.unsafe(`drop view public."${name}"`);
    for (const { name, table } of kept.references) await tx.unsafe(`alter table public."${table}" drop constraint "${name}"`);
    await tx.unsafe(`create schema if not exists ${SCHEMA}`);
    for (const name of ["of_partner", "of_partner_or_unsaid"])
      await tx.unsafe(
        `create or replace function ${name}(uuid, uuid) returns boolean language sql immutable parallel safe as 'select $1 = $2'`,
      );
    for (const name of tables) await spread(tx, name, kept);
    for (const reference of kept.references) await refer(tx, reference);
    for (const { definition } of kept.triggers) await tx.unsafe(definition);
    for (const { name, definition } of kept.views) await tx.unsafe(`create view public."${name}" as ${definition}`);
  });
}

/** @throws NotEmpty */
export async function assertEmpty(tx: postgres.TransactionSql, tables: readonly string[]): Promise<void> {
  for (const name of tables) {
    const rows = await tx`select 1 from ${tx(name)} limit 1`;
    if (rows.length > 0) throw new NotEmpty(`The layout of a database is chosen while it is empty: ${name} has rows.`);
  }
}

/** Those of the distributed tables that are in one piece. */
async function wholeTables(tx: postgres.TransactionSql): Promise<string[]> {
  const rows = await tx<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname = any(${[...DISTRIBUTED_TABLES]}) order by relname`;
  return rows.map(({ name }) => name);
}

/** `kind`: `p` and `u` of constraints; null: only an index. */
type Index = { name: string; table: string; unique: boolean; kind: string | null; columns: string; definition: string };
export type Reference = { name: string; table: string; columns: string[]; target: string; targets: string[]; definition: string };
type Defined = { name: string; definition: string };
type Shape = { indexes: Index[]; references: Reference[]; triggers: Defined[]; views: Defined[] };

/** The indexes, references, triggers and views of these tables. */
export async function readShape(tx: postgres.TransactionSql, tables: readonly string[]): Promise<Shape> {
  const oids = tx`select oid from pg_class where relnamespace = 'public'::regnamespace and relname = any(${[...tables]})`;
  const indexes = await tx<Index[]>`
    select i.relname as name, t.relname as table, x.indisunique as unique, c.contype as kind, pg_get_indexdef(i.oid) as definition,
      (select string_agg(quote_ident(a.attname), ', ' order by k.at) from unnest(x.indkey) with ordinality as k(number, at)
        join pg_attribute a on a.attrelid = t.oid and a.attnum = k.number) as columns
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
      left join pg_constraint c on c.conindid = i.oid and c.conrelid = t.oid and c.contype in ('p', 'u')
    where t.oid in (${oids}) order by 1`;
  const references = await tx<Reference[]>`
    select c.conname as name, t.relname as table, r.relname as target, pg_get_constraintdef(c.oid) as definition,
      array(select a.attname::text from unnest(c.conkey) with ordinality as k(number, at)
        join pg_attribute a on a.attrelid = t.oid and a.attnum = k.number order by k.at) as columns,
      array(select a.attname::text from unnest(c.confkey) with ordinality as k(number, at)
        join pg_attribute a on a.attrelid = r.oid and a.attnum = k.number order by k.at) as targets
    from pg_constraint c join pg_class t on t.oid = c.conrelid join pg_class r on r.oid = c.confrelid
    where c.contype = 'f' and (t.oid in (${oids}) or r.oid in (${oids})) order by 1`;
  const triggers = await tx<Defined[]>`
    select tgname as name, pg_get_triggerdef(oid) as definition from pg_trigger where tgrelid in (${oids}) and not tgisinternal order by 1`;
  const views = await tx<Defined[]>`
    select distinct v.relname as name, pg_get_viewdef(v.oid) as definition
    from pg_depend d join pg_rewrite w on w.oid = d.objid join pg_class v on v.oid = w.ev_class
    where d.classid = 'pg_rewrite'::regclass and d.refobjid in (${oids}) and v.relkind = 'v' order by 1`;
  return { indexes, references, triggers, views };
}

async function spread(tx: postgres.TransactionSql, name: string, { indexes }: Shape): Promise<void> {
  await tx.unsafe(`alter table public."${name}" rename to "${name}_whole"`);
  await tx.unsafe(
    `create table public."${name}" (like public."${name}_whole" including defaults including constraints including comments) partition by hash (partner_id)`,
  );
  await tx.unsafe(`drop table public."${name}_whole"`);
  await tx.unsafe(`alter table public."${name}" alter column partner_id set not null`);
  for (let part = 0; part < PARTS; part += 1) {
    await tx.unsafe(
      `create table ${SCHEMA}."${name}_${part}" partition of public."${name}" for values with (modulus ${PARTS}, remainder ${part})`,
    );
  }
  for (const index of indexes.filter(({ table }) => table === name)) {
    await tx.unsafe(indexed(index));
    // PostgreSQL reports a violation under the partition's name of the constraint: the parent's name with the partition's number (see
    // `isUniqueViolation`).
    const parts = await tx<{ index: string; part: string }[]>`
      select i.relname as index, substring(t.relname from '[0-9]+$') as part from pg_inherits h join pg_class i on i.oid = h.inhrelid
        join pg_index x on x.indexrelid = i.oid join pg_class t on t.oid = x.indrelid where h.inhparent = ${`public.${index.name}`}::regclass`;
    for (const { index: old, part } of parts) await tx.unsafe(`alter index ${SCHEMA}."${old}" rename to "${index.name}_${part}"`);
  }
}

/** Unique keys stay as they were, with the partner added last, so that each partition's index also serves queries without one. */
export function indexed({ name, table, unique, kind, columns, definition }: Index): string {
  const hasPartner = columns?.split(", ").includes("partner_id") ?? false;
  if (kind !== null) {
    const words = kind === "p" ? "primary key" : `unique${definition.includes("NULLS NOT DISTINCT") ? " nulls not distinct" : ""}`;
    return `alter table public."${table}" add constraint "${name}" ${words} (${hasPartner ? columns : `${columns}, partner_id`})`;
  }
  return unique && !hasPartner ? definition.replace(/(USING btree \([^()]*)\)/, "$1, partner_id)") : definition;
}

/** A reference between two partitioned tables includes the partner. One from an unpartitioned table cannot be enforced. */
export async function refer(tx: postgres.TransactionSql, { name, table, columns, target, targets, definition }: Reference): Promise<void> {
  const add = (what: string) => tx.unsafe(`alter table public."${table}" add constraint "${name}" ${what}`);
  if (!DISTRIBUTED_TABLES.includes(target)) await add(definition.replace(/ NOT VALID$/, ""));
  else if (DISTRIBUTED_TABLES.includes(table))
    await add(`foreign key (partner_id, ${columns.join(", ")}) references public."${target}" (partner_id, ${targets.join(", ")})`);
}
