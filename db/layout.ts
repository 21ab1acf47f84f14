import type postgres from "postgres";
import { DISTRIBUTED_TABLES } from "./distribution.ts";

/** `whole`: each table is in one piece. `citus`: Citus spreads the distributed tables of `db/distribution.ts` over its nodes (`db/citus.ts`). */
const LAYOUTS = ["whole", "citus"] as const;
export type Layout = (typeof LAYOUTS)[number];

/** Parses DATABASE_LAYOUT. @throws for any other word. */
export function readLayout(word: string | undefined): Layout {
  const layout = LAYOUTS.find((known) => known === (word || "whole"));
  if (layout === undefined) throw new Error(`DATABASE_LAYOUT is one of ${LAYOUTS.join(", ")}, not ${JSON.stringify(word)}.`);
  return layout;
}

/** The database has rows, and those are brought over by copying, not by this. */
export class NotEmpty extends Error {
  override readonly name = "NotEmpty";
}

/** @throws NotEmpty */
export async function assertEmpty(tx: postgres.TransactionSql, tables: readonly string[]): Promise<void> {
  for (const name of tables) {
    const rows = await tx`select 1 from ${tx(name)} limit 1`;
    if (rows.length > 0) throw new NotEmpty(`The layout of a database is chosen while it is empty: ${name} has rows.`);
  }
}

/** `kind`: `p` and `u` of constraints; null: only an index. */
export type Index = { name: string; table: string; unique: boolean; kind: string | null; columns: string; definition: string };
export type Reference = { name: string; table: string; target: string; definition: string };
type Shape = { indexes: Index[]; references: Reference[] };

/** The indexes of these tables, and the references from and to them. */
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
    select c.conname as name, t.relname as table, r.relname as target, pg_get_constraintdef(c.oid) as definition
    from pg_constraint c join pg_class t on t.oid = c.conrelid join pg_class r on r.oid = c.confrelid
    where c.contype = 'f' and (t.oid in (${oids}) or r.oid in (${oids})) order by 1`;
  return { indexes, references };
}

/** Unique keys stay as they were, with the partner added last, so that each part's index also serves queries without one. */
export function indexed({ name, table, unique, kind, columns, definition }: Index): string {
  if (kind === null) return unique ? keyedByPartner(definition) : definition;
  const words = kind === "p" ? "primary key" : `unique${definition.includes("NULLS NOT DISTINCT") ? " nulls not distinct" : ""}`;
  return keyedByPartner(`alter table public."${table}" add constraint "${name}" ${words} (${columns})`);
}

/** The statement of a unique index or key, with the partner added to its columns. */
export function keyedByPartner(statement: string): string {
  const head = /\bunique index\b[^(]*\(|\b(?:unique|primary key)(?: nulls not distinct)?\s*\(/i.exec(statement);
  if (head === null) return statement;
  const begin = head.index + head[0].length;
  let end = begin;
  for (let depth = 1; depth > 0 && end < statement.length; end += 1) depth += { "(": 1, ")": -1 }[statement[end] ?? ""] ?? 0;
  const columns = statement.slice(begin, end - 1);
  return /\bpartner_id\b/.test(columns) ? statement : `${statement.slice(0, begin)}${columns}, partner_id${statement.slice(end - 1)}`;
}

/** The words of a reference between two distributed tables: it includes the partner. */
export function referredByPartner(words: string): string {
  if (/foreign key\s*\([^)]*\bpartner_id\b/i.test(words)) return words;
  return words.replace(/(foreign key\s*\()([^)]*\)\s*references [^(]*\()/i, "$1partner_id, $2partner_id, ");
}

/** A reference between two distributed tables includes the partner. One from a whole table to a distributed one cannot be enforced. */
export async function refer(tx: postgres.TransactionSql, { name, table, target, definition }: Reference): Promise<void> {
  const words = definition.replace(/ NOT VALID$/, "");
  const add = (what: string) => tx.unsafe(`alter table public."${table}" add constraint "${name}" ${what}`);
  if (!DISTRIBUTED_TABLES.includes(target)) await add(words);
  else if (DISTRIBUTED_TABLES.includes(table)) await add(referredByPartner(words));
}
