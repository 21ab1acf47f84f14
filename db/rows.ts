import { type Column, getTableColumns, getTableName, type SQL, sql } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Database } from "./client.ts";
import { DISTRIBUTED_TABLES } from "./distribution.ts";
import { layoutOf } from "./transaction.ts";

/**
 * Many rows in one statement whose text does not depend on their number, so that it keeps its name (see `driver/named-statements.ts`). The
 * rows are one JSON value, and all name the same columns. `computed`: columns that the database computes, the same for every row.
 */
export async function insertRows<Table extends PgTable, Filled extends keyof Table["$inferInsert"] = never>(
  db: Database,
  table: Table,
  rows: readonly Omit<Table["$inferInsert"], Filled>[],
  computed?: Record<Filled, SQL>,
): Promise<void> {
  if (rows.length === 0) return;
  if (computed === undefined && layoutOf(db) === "citus" && isDistributed(table)) await insertValues(db, table, rows);
  else await db.execute(insertion(table, rows, computed));
}

const isDistributed = (table: PgTable) => DISTRIBUTED_TABLES.includes(getTableName(table));

/** On Citus, where a role with policies inserts given values only. */
async function insertValues(db: Database, table: PgTable, rows: readonly object[]): Promise<void> {
  await db.insert(table).values([...rows] as never);
}

/** The statement of {@link insertRows}, for anyone who adds to it. */
export function insertion<Table extends PgTable, Filled extends keyof Table["$inferInsert"] = never>(
  table: Table,
  rows: readonly Omit<Table["$inferInsert"], Filled>[],
  computed?: Record<Filled, SQL>,
): SQL {
  const identifier = identifierOf(table);
  const given = columnsOf(table, rows);
  const filled = Object.entries<SQL>(computed ?? {}).map(([name, value]) => ({ name, value }));
  const names = [...given, ...filled].map(({ name }) => identifier(name));
  const values = [...given.map(({ name }) => sql`n.${identifier(name)}`), ...filled.map(({ value }) => value)];
  return sql`insert into ${table} (${list(names)}) select ${list(values)} from ${recordset(table, given, rows)} as n`;
}

/** Writes the changes of locked rows, found by their `id`. `computed` may refer to a row as `t` before and `n` after. */
export async function updateRows<Table extends PgTable>(
  db: Database,
  table: Table,
  rows: readonly (Partial<Table["$inferInsert"]> & { id: string })[],
  computed: { readonly [name in keyof Table["$inferInsert"]]?: SQL } = {},
): Promise<void> {
  if (rows.length === 0) return;
  const identifier = identifierOf(table);
  const given = columnsOf(table, rows);
  const set = given.flatMap(({ name }) => (name === "id" || name in computed ? [] : [sql`${identifier(name)} = n.${identifier(name)}`]));
  for (const [name, value] of Object.entries<SQL | undefined>(computed)) if (value) set.push(sql`${identifier(name)} = ${value}`);
  await db.execute(sql`update ${table} t set ${list(set)} from ${recordset(table, given, rows)} as n where t.id = n.id`);
}

/** A row that a handwritten statement answers under the names of the table's columns, as drizzle would answer it. */
export function rowOf<Table extends PgTable>(table: Table, raw: object): Table["$inferSelect"] {
  const columns = Object.entries(getTableColumns(table)).flatMap(([name, column]) => {
    const value: unknown = Reflect.get(raw, columnName(column));
    return value === undefined ? [] : [[name, value === null ? null : column.mapFromDriverValue(value)]];
  });
  return Object.fromEntries(columns);
}

/** Whether a column has one of these texts: one parameter, however many there are. As an array, so that an index can serve each. */
export function among(column: Column, values: readonly string[]): SQL {
  return sql`${column} = any(array(select jsonb_array_elements_text(${JSON.stringify(values)}::jsonb)))`;
}

type Given = { name: string; column: Column };

function columnsOf(table: PgTable, rows: readonly object[]): Given[] {
  const columns = new Map(Object.entries(getTableColumns(table)));
  return Object.entries(rows[0] ?? {}).flatMap(([name, value]) => {
    const column = columns.get(name);
    return column === undefined || value === undefined ? [] : [{ name, column }];
  });
}

function recordset(table: PgTable, given: readonly Given[], rows: readonly object[]): SQL {
  return sql`json_populate_recordset(null::${table}, ${recordsOf(table, rows, given)}::json)`;
}

/** The rows as one JSON value, under the names of their columns, for a statement that takes them by `json_populate_recordset`. */
export function recordsOf(table: PgTable, rows: readonly object[], given: readonly Given[] = columnsOf(table, rows)): string {
  const columns = given.map(({ name, column }) => ({ name, column, key: columnName(column) }));
  return JSON.stringify(
    rows.map((row) => Object.fromEntries(columns.map(({ name, column, key }) => [key, driverValue(column, Reflect.get(row, name))]))),
  );
}

function driverValue(column: Column, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  const driven: unknown = column.dataType === "json" ? value : column.mapToDriverValue(value);
  return typeof driven === "bigint" ? driven.toString() : driven;
}

/** What the database calls a column: the name that the schema gives it, or its name in the code in snake case. */
const columnName = ({ keyAsName, name }: Column) => (keyAsName ? toSnakeCase(name) : name);
const identifierOf = (table: PgTable) => {
  const columns = new Map(Object.entries(getTableColumns(table)));
  return (name: string) => {
    const column = columns.get(name);
    return sql.identifier(column === undefined ? toSnakeCase(name) : columnName(column));
  };
};
const list = (parts: readonly SQL[] | readonly ReturnType<typeof sql.identifier>[]) => sql.join([...parts], sql`, `);
