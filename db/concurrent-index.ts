import type postgres from "postgres";

/** Builds or drops an index concurrently, by a statement that may be repeated. */
export async function buildIndex(sql: postgres.Sql, statement: string): Promise<void> {
  for (const each of await byParts(sql, statement)) {
    await dropHalfBuilt(sql, each);
    await sql.unsafe(each);
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

/** An interrupted build leaves an invalid index behind, which `if not exists` would mistake for the real one. */
async function dropHalfBuilt(sql: postgres.Sql, statement: string): Promise<void> {
  const name = /\bcreate (?:unique )?index concurrently (?:if not exists )?"?(\w+)"?/i.exec(statement)?.[1];
  if (name === undefined) return;
  const [left] = await sql<{ schema: string }[]>`
    select relnamespace::regnamespace::text as schema from pg_index join pg_class on pg_class.oid = indexrelid
    where relname = ${name} and not indisvalid`;
  if (left) await sql`drop index concurrently if exists ${sql(`${left.schema}.${name}`)}`;
}

/** Whether a statement builds or drops an index concurrently. */
export function isConcurrent(statement: string): boolean {
  return /^\s*(?:--[^\n]*\n\s*)*(?:create(?: unique)?|drop) index concurrently\b/i.test(statement);
}
