import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { type ProcessKind, processRole } from "./application-role.ts";
import { withCertificate } from "./driver/client-certificate.ts";
import { endingHandles } from "./driver/late-use.ts";
import { namingStatements } from "./driver/named-statements.ts";
import { oneByOne } from "./driver/one-by-one.ts";
import { type Limited, sayingMore, type Tenant, tenantDriver, tenantOpening } from "./driver/tenant.ts";
import type { Layout } from "./layout.ts";
import { type Database, laidOut, openingTransactions } from "./transaction.ts";

export type { Tenant } from "./driver/tenant.ts";
export type { Database } from "./transaction.ts";

export type DatabaseOptions = {
  url: string;
  /** Shown in `pg_stat_activity`. */
  applicationName: string;
  maxConnections: number;
  /** The role the pool works as. Left out, it stays the role that the URL names (migrations, tests). */
  role?: string;
  statementTimeoutMs?: number;
  /**
   * A pooler in transaction mode sits in front of the database: each transaction may get another session, so no session state, prepared
   * statement or LISTEN is possible. Role and timeouts are then the log-in role's own settings (see `readSession`).
   */
  pooled?: boolean;
  /** Leads past the pooler, for LISTEN. Left out: `url` does. */
  directUrl?: string;
  /** How its tables are laid out. Left out: whole. */
  layout?: Layout | undefined;
  /** Called with each statement as it is sent: a test counts them. */
  onStatement?: (text: string) => void;
};

/** How many partners' views a pool caches: the most recent ones. */
const MOST_TENANTS = 1_000;

/** The pool's key for its views. A global symbol that all copies of this module share: the front door and Next's bundles have one each. */
const SCOPE = Symbol.for("settlement-service.scope");

type Scoped = { [SCOPE]?: (tenant: Limited) => Database };

/**
 * The database as a tenant sees it. For a partner, even a query that forgets its filter reads and writes only that partner's rows, and for a
 * person only their own sessions, factors and tokens, because of the database's own policies (docs/decisions/second-line.md). `db`: a pool, not a
 * transaction.
 */
export function scopedTo(db: Database, tenant: Tenant): Database {
  const { person } = tenant;
  const limited = tenant.of === "partner" ? tenant : person === undefined ? null : { ...tenant, person };
  if (limited === null) return db;
  const scope = (db as Scoped)[SCOPE];
  if (scope === undefined) throw new Error("only a pool of the application's role can be held to a partner");
  return scope(limited);
}

/** Creates the pool's views by partner and person, each once. Without a role there are none: policies do not restrict the owner. */
function scoping(sql: postgres.Sql, role: string, pool: Database, layout: Layout): (tenant: Limited) => Database {
  const openWith = sayingMore(sql);
  const kept = new Map<string, Database>();
  return (tenant) => {
    const opening = tenantOpening(role, tenant);
    const known = kept.get(opening);
    if (known !== undefined) return known;
    const driver = tenantDriver(sql, openWith, opening);
    // Drizzle uses only these three parts of the driver.
    const scoped = laidOut(openingTransactions(drizzle(driver as unknown as postgres.Sql, { casing: "snake_case" }), pool), layout);
    const [oldest] = kept.size >= MOST_TENANTS ? kept.keys() : [];
    if (oldest !== undefined) kept.delete(oldest);
    kept.set(opening, scoped);
    return scoped;
  };
}

/** How a process of the service opens its database: in its own role. Through a pooler: as the role of its log-in. */
export function asProcess(
  kind: ProcessKind,
  login: { databaseUrl: string; databaseDirectUrl: string; databasePooled: boolean; databaseLayout: Layout },
): Pick<DatabaseOptions, "url" | "role" | "pooled" | "directUrl" | "layout"> {
  return {
    layout: login.databaseLayout,
    url: login.databaseUrl,
    role: processRole(decodeURIComponent(new URL(login.databaseDirectUrl).pathname.slice(1)), kind),
    pooled: login.databasePooled,
    directUrl: login.databaseDirectUrl,
  };
}

/** An open database: the pool for queries, and a separate connection for notifications. */
export type OpenDatabase = {
  db: Database;
  sql: postgres.Sql;
  listen: postgres.Sql["listen"];
  close(withinSeconds?: number): Promise<void>;
};

/**
 * Opens a pool. Timeouts limit every statement, lock wait and idle transaction, so a caller gets an error within seconds instead of hanging
 * when the database is in trouble.
 */
export function openDatabase(options: DatabaseOptions): OpenDatabase {
  const sql = endingHandles(
    options.pooled
      ? oneByOne(openPool(options, { prepare: false, connection: {} }))
      : namingStatements(oneByOne(openPool(options, direct(options)))),
  );
  const listener =
    options.directUrl === undefined || options.directUrl === options.url
      ? sql
      : openPool({ ...options, url: options.directUrl }, direct(options));
  const close = async (withinSeconds = 5) => {
    await Promise.all([...new Set([sql, listener])].map((pool) => pool.end({ timeout: withinSeconds })));
  };
  const layout = options.layout ?? "whole";
  const db = laidOut(openingTransactions(drizzle(sql, { casing: "snake_case" })), layout);
  if (options.role !== undefined) Object.assign(db, { [SCOPE]: scoping(sql, options.role, db, layout) } satisfies Scoped);
  return { db, sql, listen: (...heard) => listener.listen(...heard), close };
}

/**
 * What every session has, in PostgreSQL's own words: limits of time, and no compiled statements (`jit`), which cost each short statement more
 * than it takes. A direct connection says it as it starts; behind a pooler it is a setting of the log-in or the database.
 */
export const SESSION_SETTINGS = { statement_timeout: "5s", lock_timeout: "3s", idle_in_transaction_session_timeout: "10s", jit: "off" };

type Session = { prepare: boolean; connection: Record<string, string | number> };

/** Sent as the connection starts, so that no statement is ever spent on it. */
function direct({ role, statementTimeoutMs }: DatabaseOptions): Session {
  const connection = {
    ...SESSION_SETTINGS,
    ...(statementTimeoutMs !== undefined && { statement_timeout: statementTimeoutMs }),
    ...(role ? { role } : {}),
  };
  return { prepare: true, connection };
}

function openPool(options: DatabaseOptions, { prepare, connection }: Session): postgres.Sql {
  const given = {
    max: options.maxConnections,
    connect_timeout: 2,
    idle_timeout: 60,
    backoff: () => 0.25,
    onnotice: () => {},
    prepare,
    ...(options.onStatement && { debug: (_connection: number, text: string) => options.onStatement?.(text) }),
    connection: { application_name: options.applicationName, ...connection },
  };
  return postgres(...withCertificate(options.url, given));
}
