import { Column, getTableColumns, is, type Name, Param, Placeholder, type SQL, sql, type Table } from "drizzle-orm";
import { CasingCache } from "drizzle-orm/casing";
import { PgDialect, type PreparedQueryConfig } from "drizzle-orm/pg-core";
import type { Database } from "./client.ts";
import type { Layout } from "./layout.ts";
import { layoutOf } from "./transaction.ts";

/**
 * A placeholder for a value of each execution, which may occur several times; written as a column's value where one is given. `row.key` is a
 * value of an object among the values.
 */
export type Params<Values> = (name: (keyof Values & string) | `${keyof Values & string}.${string}`, column?: Column) => SQL;

const DIALECT = new PgDialect({ casing: "snake_case" });
const NAMES = new CasingCache("snake_case");

/**
 * A statement for every request: its text is built once, and then only its values are sent, on a pool or in a transaction. Rare statements
 * are better written where they are used (docs/decisions/database-conversation.md). Citus may need another text. `reads`: the table whose {@link columnsOf} are in its
 * result.
 */
export function statement<Values extends Record<string, unknown>, Row extends Record<string, unknown>>(
  template: (param: Params<Values>, layout: Layout) => SQL,
  reads?: Table,
): (db: Database, values: Values) => Promise<Row[]> {
  const texts = new Map<Layout, ReturnType<typeof build>>();
  const decoded = reads === undefined ? [] : Object.entries(getTableColumns(reads)).filter(([, column]) => !isAsSent(column));
  return async (db, values) => {
    const layout = layoutOf(db);
    const built = texts.get(layout) ?? build(template((name, column) => sql`${sql.param(sql.placeholder(name), column)}`, layout));
    texts.set(layout, built);
    const params = built.readers.map((each) => each(values));
    const query = { sql: built.text, params };
    const rows = await db._.session.prepareQuery<PreparedQueryConfig & { execute: Row[] }>(query, undefined, undefined, false).execute();
    for (const row of rows) {
      for (const [key, column] of decoded) if (row[key] !== null) Reflect.set(row, key, column.mapFromDriverValue(row[key]));
    }
    return rows;
  };
}

/** The columns of a table, or of what a statement calls by its name, under their names in code. */
export function columnsOf(table: Table): SQL {
  const named = Object.entries(getTableColumns(table)).map(([key, column]) => sql`${column} as ${sql.identifier(key)}`);
  return sql.join(named, sql`, `);
}

/**
 * One row of parameters in the place of a table, under the names of its columns: `row` is what it is called, there and among the values.
 * PostgreSQL reads a parameter for each column with less effort than one JSON value for all.
 */
export function rowOfParams<Values>(param: Params<Values>, row: keyof Values & string, table: Table, keys: readonly string[]): SQL {
  const columns = getTableColumns(table);
  const given = keys.flatMap((key) => {
    const column = columns[key];
    if (column === undefined) return [];
    return sql`${param(`${row}.${key}`, column)}::${sql.raw(column.getSQLType())} as ${sql.identifier(NAMES.getColumnCasing(column))}`;
  });
  return sql`(select ${sql.join(given, sql`, `)}) as ${sql.identifier(row)}`;
}

/** The names of columns for `insert` and `select`. */
export function namesOf(table: Table, keys: readonly string[]): SQL {
  return sql.join(namesIn(table, keys), sql`, `);
}

/** Columns of a table as a row `found` has them: left out, the row that an `insert` finds there already. */
export function changesOf(table: Table, keys: readonly string[], found = "excluded"): SQL {
  const changes = namesIn(table, keys).map((name) => sql`${name} = ${sql.identifier(found)}.${name}`);
  return sql.join(changes, sql`, `);
}

function namesIn(table: Table, keys: readonly string[]): Name[] {
  const columns = getTableColumns(table);
  return keys.flatMap((key) => (columns[key] === undefined ? [] : [sql.identifier(NAMES.getColumnCasing(columns[key]))]));
}

/** The same statement with one parameter for a value that occurs in several places. */
function build(template: SQL) {
  const { sql: text, params } = DIALECT.sqlToQuery(template);
  const names: string[] = [];
  const readers: ((values: Record<string, unknown>) => unknown)[] = [];
  const places = params.map((param) => {
    if (!is(param, Param) || !is(param.value, Placeholder)) throw new Error("a statement takes its values as parameters");
    const { encoder } = param;
    const { name } = param.value;
    if (names.includes(name)) return names.indexOf(name) + 1;
    const read = readerOf(name);
    readers.push((values) => {
      const value = read(values);
      return value === null || value === undefined ? null : encoder.mapToDriverValue(value);
    });
    return names.push(name);
  });
  return { readers, text: text.replace(/\$(\d+)/g, (_, place: string) => `$${places[Number(place) - 1]}`) };
}

function readerOf(name: string): (values: Record<string, unknown>) => unknown {
  const [row = "", key] = name.split(".");
  return key === undefined ? (values) => values[row] : (values) => Reflect.get(Object(values[row]), key);
}

function isAsSent(column: Column): boolean {
  return column.mapFromDriverValue === Column.prototype.mapFromDriverValue;
}
