import { is } from "drizzle-orm";
import { type PgDatabase, PgTransaction } from "drizzle-orm/pg-core";
import { drizzle, type PostgresJsQueryResultHKT } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { applicationRole } from "./application-role.ts";
import { endingHandles } from "./driver/late-use.ts";
import { namingStatements } from "./named-statements.ts";
import { sayingMore, type Tenant, tenantDriver, tenantOpening } from "./tenant.ts";
import { firstCause } from "./trouble.ts";
import { dropGathered, sendGathered } from "./unsent.ts";

export type { Tenant } from "./tenant.ts";

/** A connection pool or an open transaction: a service is given either and need not know which. */
export type Database = PgDatabase<PostgresJsQueryResultHKT, Record<string, never>>;

/** The work in one transaction: in the one that is open, if there is, whose end decides. For work whose errors nobody in between survives. */
export async function inTransaction<Result>(db: Database, work: (tx: Database) => Promise<Result>): Promise<Result> {
  return isTransaction(db) ? await work(db) : await db.transaction(work);
}

export function isTransaction(db: Database): boolean {
  return is(db, PgTransaction);
}

type Transaction = Parameters<Parameters<Database["transaction"]>[0]>[0];

/** What was sent in a transaction and is not waited for before its commit. */
const SENT_WITH_COMMIT = new WeakMap<Database, Promise<unknown>[]>();

/**
 * A transaction's last write, which its commit follows at once. Only for what waits for nobody's lock: between it and the commit nobody
 * looks at the clock any more. Elsewhere (in a savepoint, in no transaction) it is waited for like any other.
 */
export async function sendWithCommit(db: Database, write: Promise<unknown>): Promise<void> {
  const sent = SENT_WITH_COMMIT.get(db);
  if (sent === undefined) return void (await write);
  // A query of drizzle's is sent each time that it is asked for its answer: this is the one.
  const sending = Promise.resolve(write);
  sending.catch(() => {});
  sent.push(sending);
}

/** The answers to what was sent together in one transaction. Where a statement fails, the error that is thrown is the one that began it. */
export async function sentTogether<const Sent extends readonly Promise<unknown>[]>(
  ...sent: Sent
): Promise<{ -readonly [Index in keyof Sent]: Awaited<Sent[Index]> }> {
  const ends = await Promise.allSettled(sent);
  const errors = ends.flatMap((end) => (end.status === "rejected" ? [end.reason as unknown] : []));
  if (errors.length > 0) throw firstCause(errors);
  return (await Promise.all(sent)) as { -readonly [Index in keyof Sent]: Awaited<Sent[Index]> };
}

/** What is done once a transaction has committed, by name. */
const AFTER_COMMIT = new WeakMap<Database, Map<string, (pool: Database) => void>>();

/** Has something done once the transaction has committed, once for each name. False: nobody here would know when that is (a savepoint, a pool). */
export function afterCommit(tx: Database, name: string, work: (pool: Database) => void): boolean {
  return AFTER_COMMIT.get(tx)?.set(name, work) !== undefined;
}

/** Lets the writes of a transaction be sent with its commit. Where one fails, the commit behind it is a rollback, and the transaction fails. */
function committingTogether<Opened extends Database>(db: Opened): Opened {
  const open = db.transaction.bind(db);
  const transaction = async <Result>(work: (tx: Transaction) => Promise<Result>, config?: Parameters<typeof open>[1]): Promise<Result> => {
    const sent: Promise<unknown>[] = [];
    const after = new Map<string, (pool: Database) => void>();
    const opened = async (tx: Transaction): Promise<Result> => {
      SENT_WITH_COMMIT.set(tx, sent);
      AFTER_COMMIT.set(tx, after);
      try {
        const result = await work(tx);
        sendGathered(tx);
        return result;
      } catch (error) {
        dropGathered(tx, error);
        throw error;
      }
    };
    const result = await open<Result>(opened, config);
    await Promise.all(sent);
    for (const then of after.values()) then(db);
    return result;
  };
  return Object.assign(db, { transaction });
}

export type DatabaseOptions = {
  url: string;
  /** Shown in `pg_stat_activity`. */
  applicationName: string;
  maxConnections: number;
  /** The role the pool works as. Left out, it stays the role that the URL names (migrations, tests). */
  role?: string;
  statementTimeoutMs?: number;
  /**
   * A pooler in transaction mode stands before the database: each transaction may have another session, so that nothing can be said to
   * one, prepared in one or heard in one. Role and time-outs are then the log-in role's own settings (see `readSession`).
   */
  pooled?: boolean;
  /** Leads past the pooler, for LISTEN. Left out: `url` does. */
  directUrl?: string;
  /** Is told each statement as it is sent: a test counts them. */
  onStatement?: (text: string) => void;
};

/** Of so many partners a pool keeps what does their work: the last ones. */
const MOST_TENANTS = 1_000;

/** Under it a pool keeps what makes its views. A name that all copies of this module share: the front door and Next's bundles have one each. */
const SCOPE = Symbol.for("settlement-service.scope");

type Scoped = { [SCOPE]?: (partnerId: string) => Database };

/**
 * The database as that tenant sees it: of a partner, a query that forgets to ask whose rows it reads or writes gets that partner's alone, for
 * the database's own policies hold it to them (docs/decisions/second-line.md). `db`: a pool, no transaction.
 */
export function scopedTo(db: Database, tenant: Tenant): Database {
  if (tenant.of === "everybody") return db;
  const scope = (db as Scoped)[SCOPE];
  if (scope === undefined) throw new Error("only a pool of the application's role can be held to a partner");
  return scope(tenant.id);
}

/** Makes the pool's views by partner, each once. Without a role there are none: the owner is held to nothing. */
function scoping(sql: postgres.Sql, role: string): (partnerId: string) => Database {
  const openWith = sayingMore(sql);
  const kept = new Map<string, Database>();
  return (partnerId) => {
    const known = kept.get(partnerId);
    if (known !== undefined) return known;
    const driver = tenantDriver(sql, openWith, tenantOpening(role, partnerId));
    // Of the driver drizzle uses these three and nothing else.
    const scoped = committingTogether(drizzle(driver as unknown as postgres.Sql, { casing: "snake_case" }));
    const [oldest] = kept.size >= MOST_TENANTS ? kept.keys() : [];
    if (oldest !== undefined) kept.delete(oldest);
    kept.set(partnerId, scoped);
    return scoped;
  };
}

/** How a process of the service opens its database: as the application, or through a pooler as whomever it logs in. */
export function asApplication(told: {
  databaseUrl: string;
  databaseDirectUrl: string;
  databasePooled: boolean;
}): Pick<DatabaseOptions, "url" | "role" | "pooled" | "directUrl"> {
  return {
    url: told.databaseUrl,
    role: applicationRole(decodeURIComponent(new URL(told.databaseDirectUrl).pathname.slice(1))),
    pooled: told.databasePooled,
    directUrl: told.databaseDirectUrl,
  };
}

/** An opened database: the pool for queries, and what hears notifications on a connection of its own. */
export type OpenDatabase = {
  db: Database;
  sql: postgres.Sql;
  listen: postgres.Sql["listen"];
  close(withinSeconds?: number): Promise<void>;
};

/**
 * Opens a pool. No statement, no wait for a lock and no idle transaction can hold a connection for long: with the database
 * in trouble a caller gets an error within seconds instead of hanging.
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
  const db = committingTogether(drizzle(sql, { casing: "snake_case" }));
  if (options.role !== undefined) Object.assign(db, { [SCOPE]: scoping(sql, options.role) } satisfies Scoped);
  return { db, sql, listen: (...heard) => listener.listen(...heard), close };
}

/**
 * What every session has, in PostgreSQL's own words: limits of time, and no compiled statements (`jit`), which cost each short statement more
 * than it takes. A direct connection says it as it starts; behind a pooler it is a setting of the log-in or the database.
 */
export const SESSION_SETTINGS = { statement_timeout: "5s", lock_timeout: "3s", idle_in_transaction_session_timeout: "10s", jit: "off" };

type Session = { prepare: boolean; connection: Record<string, string | number> };

/** Told as the connection starts, so that no statement is ever spent on it. */
function direct({ role, statementTimeoutMs }: DatabaseOptions): Session {
  const connection = {
    ...SESSION_SETTINGS,
    ...(statementTimeoutMs !== undefined && { statement_timeout: statementTimeoutMs }),
    ...(role ? { role } : {}),
  };
  return { prepare: true, connection };
}

function openPool(options: DatabaseOptions, { prepare, connection }: Session): postgres.Sql {
  return postgres(options.url, {
    max: options.maxConnections,
    connect_timeout: 2,
    idle_timeout: 60,
    backoff: () => 0.25,
    onnotice: () => {},
    prepare,
    ...(options.onStatement && { debug: (_connection: number, text: string) => options.onStatement?.(text) }),
    connection: { application_name: options.applicationName, ...connection },
  });
}

/**
 * Lets a connection wait for each answer before it asks for more. The driver sends queries ahead where no connection is free: one request's
 * would stand behind another's that waits for a lock, though other connections get free; and PgBouncer takes the session away with the
 * answer to the one before, so that a query that was on its way by then is never answered. Within a transaction they are still sent ahead.
 */
function oneByOne(sql: postgres.Sql): postgres.Sql {
  const asked = <Query>(query: Query): Query => {
    // The driver asks this of each query it has sent: whether others may follow at once. `begin` brings an answer of its own.
    const options: unknown = query !== null && typeof query === "object" && "options" in query ? query.options : null;
    if (options !== null && typeof options === "object" && !("onexecute" in options)) Object.assign(options, { onexecute: () => false });
    return query;
  };
  const { unsafe } = sql;
  Object.assign(sql, { unsafe: (...told: Parameters<typeof unsafe>) => asked(unsafe(...told)) });
  return new Proxy(sql, { apply: (target, self, told) => asked(Reflect.apply(target, self, told)) });
}
