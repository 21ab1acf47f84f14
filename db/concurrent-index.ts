import type postgres from "postgres";

/** Builds or drops an index concurrently, by a statement that may be repeated. */
export async function buildIndex(sql: postgres.Sql, statement: string): Promise<void> {
  for (const each of await byParts(sql, statement)) {
    if (!(await isBuilt(sql, each))) await sql.unsafe(each);
  }
}

/**
 * Of a partitioned table (`db/layout.ts`) each part builds its index concurrently. The last statement finds them all and builds nothing:
 * PostgreSQL takes no index of a whole partitioned table concurrently.
 */
async function byParts(sql: postgres.Sql, statement: string): Promise<string[]> {
  const [, name = "", table = ""] = CONCURRENT_INDEX.exec(statement) ?? [];
  const parts = await sql<{ part: string }[]>`
    select c.relname as part from pg_inherits h join pg_class c on c.oid = h.inhrelid
    where h.inhparent = to_regclass(${`public."${table}"`}) order by c.relname`;
  if (parts.length === 0) return [statement];
  const built = parts.map(({ part }) => {
    const number = /\d+$/.exec(part)?.[0] ?? "";
    return statement.replace(`"${name}"`, `"${name}_${number}"`).replace(`ON "${table}"`, `ON parts."${part}"`);
  });
  return [...built, statement.replace(/ concurrently/i, "")];
}

const CONCURRENT_INDEX = /\bcreate (?:unique )?index concurrently (?:if not exists )?"?(\w+)"? on "?(\w+)"?/i;

/**
 * Whether the index is there that the statement builds if it does not exist. Citus is not asked to: it would mark that index as invalid. An
 * interrupted build leaves an invalid index behind, which `if not exists` would mistake for the real one: it is dropped.
 */
async function isBuilt(sql: postgres.Sql, statement: string): Promise<boolean> {
  const [, mayExist, name] = /\bcreate (?:unique )?index concurrently (if not exists )?"?(\w+)"?/i.exec(statement) ?? [];
  if (name === undefined) return false;
  const [found] = await sql<{ schema: string; valid: boolean }[]>`
    select relnamespace::regnamespace::text as schema, indisvalid as valid from pg_index join pg_class on pg_class.oid = indexrelid
    where relname = ${name} and relnamespace in (to_regnamespace('public'), to_regnamespace('parts'))`;
  if (found?.valid === false) await sql`drop index concurrently if exists ${sql(`${found.schema}.${name}`)}`;
  return found?.valid === true && mayExist !== undefined;
}

/** Whether a statement builds or drops an index concurrently. */
export function isConcurrent(statement: string): boolean {
  return /^\s*(?:--[^\n]*\n\s*)*(?:create(?: unique)?|drop) index concurrently\b/i.test(statement);
}
