import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { type Migration, readMigrations } from "#db/migration-files.ts";
import { databaseErrorOf } from "#db/trouble.ts";

/**
 * How a database's schema compares to what this program knows. `companion`: newer, by a version that still lets this one run
 * next to it. `foreign`: of no version of this program's line.
 */
export type SchemaState = "same" | "missing" | "older" | "companion" | "newer" | "foreign";

/** Why a process must not use a schema, and what to do. */
export const SCHEMA_SENTENCES: Readonly<Record<Exclude<SchemaState, "same" | "companion">, string>> = {
  missing: "It has no schema yet. Run `npm run migrate`.",
  older: "Its schema is older than this program. Run `npm run migrate`.",
  newer: "Its schema is newer than this program and no longer supports it. Start the version that migrated it.",
  foreign:
    "This program does not know its schema, because an unreleased version made it. Use another database. A sandbox starts again if you remove its DATA_DIR.",
};

/**
 * @param applied the hashes of the migrations that the database has had, in order
 * @param oldest how many migrations a program must know at least to run on it, as the newest migration said
 */
export function compareSchema(applied: readonly string[], oldest: number, migrations: readonly Migration[]): SchemaState {
  const common = Math.min(applied.length, migrations.length);
  if (migrations.slice(0, common).some(({ hash }, index) => applied[index] !== hash)) return "foreign";
  if (applied.length === 0) return "missing";
  if (applied.length === migrations.length) return "same";
  if (applied.length < migrations.length) return "older";
  return migrations.length >= oldest ? "companion" : "newer";
}

/** No table, no schema, or not even the role that the first migration makes. */
const MISSING = new Set(["42P01", "3F000", "22023"]);
/** Anyone who migrated it last did not let the application look. */
const FORBIDDEN = "42501";

/** How the schema of the database compares to this program's. One query, at the start of a process. */
export async function readSchemaState(db: Database): Promise<SchemaState> {
  try {
    const rows = await db.execute<{ hash: string; oldest: string | null }>(sql`
      select hash, obj_description('drizzle.__drizzle_migrations'::regclass, 'pg_class') as oldest
      from drizzle.__drizzle_migrations order by id`);
    const oldest = Number(rows[0]?.oldest ?? Number.POSITIVE_INFINITY);
    return compareSchema(
      rows.map(({ hash }) => hash),
      oldest,
      readMigrations(),
    );
  } catch (error) {
    const { code = "", message = "" } = databaseErrorOf(error) ?? {};
    if (MISSING.has(code)) return "missing";
    // A log-in that may not take on its role says nothing about the schema.
    if (code === FORBIDDEN && !message.includes("set role")) return "older";
    throw error;
  }
}
