import type { PgDatabase } from "drizzle-orm/pg-core";
import { drizzle, type PostgresJsQueryResultHKT } from "drizzle-orm/postgres-js";
import postgres from "postgres";

/** A connection pool or an open transaction: a service is given either and need not know which. */
export type Database = PgDatabase<PostgresJsQueryResultHKT, Record<string, never>>;

export type DatabaseOptions = {
  url: string;
  /** Shown in `pg_stat_activity`. */
  applicationName: string;
  maxConnections: number;
  /** The role the pool works as. Left out, it stays the role that the URL names (migrations, tests). */
  role?: string;
  statementTimeoutMs?: number;
};

/** An opened database: the pool for queries, and the driver itself for LISTEN. */
export type OpenDatabase = { db: Database; sql: postgres.Sql; close(): Promise<void> };

/**
 * Opens a pool. No statement, no wait for a lock and no idle transaction can hold a connection for long: with the database
 * in trouble a caller gets an error within seconds instead of hanging.
 */
export function openDatabase(options: DatabaseOptions): OpenDatabase {
  const sql = postgres(options.url, {
    max: options.maxConnections,
    connect_timeout: 2,
    idle_timeout: 60,
    backoff: () => 0.25,
    onnotice: () => {},
    connection: {
      application_name: options.applicationName,
      statement_timeout: options.statementTimeoutMs ?? 5_000,
      lock_timeout: 3_000,
      idle_in_transaction_session_timeout: 10_000,
      ...(options.role ? { role: options.role } : {}),
    },
  });
  return { db: drizzle(sql, { casing: "snake_case" }), sql, close: () => sql.end({ timeout: 5 }) };
}
