import type postgres from "postgres";
import { CHANGES_TABLES, placeTables } from "./citus.ts";
import { inCitusWords } from "./citus-migrations.ts";
import { buildIndex, isConcurrent } from "./concurrent-index.ts";
import type { Migration } from "./migration-files.ts";
import { locksOf, lockTables } from "./migration-locks.ts";

/**
 * One migration, all or nothing. Only one that uses `concurrently` runs outside of a transaction: its statements must be repeatable.
 * `onCitus`: the database has Citus's layout already, so its words are Citus's, and a table is placed as soon as it is made.
 */
export async function applyMigration(sql: postgres.Sql, migration: Migration, onCitus: boolean): Promise<void> {
  const record = (on: postgres.Sql | postgres.TransactionSql) =>
    on`insert into drizzle.__drizzle_migrations (hash, created_at) values (${migration.hash}, ${migration.when})`;
  const statements = onCitus ? migration.statements.flatMap((statement) => inCitusWords(statement) ?? []) : migration.statements;
  if (migration.statements.some(isConcurrent)) {
    for (const statement of statements) await buildIndex(sql, statement);
    await record(sql);
    return;
  }
  await sql.begin(async (tx) => {
    if (onCitus) await tx.unsafe(CHANGES_TABLES);
    await lockTables(tx, locksOf(statements));
    for (const statement of statements) {
      await tx.unsafe(statement);
      if (onCitus && MAKES_TABLES.test(statement)) await placeTables(tx);
    }
    await record(tx);
  });
}

/** It may make a table, or a reference in the words of a table's columns. */
const MAKES_TABLES = /\bcreate table\b|\breferences\b/i;
