import { is, sql } from "drizzle-orm";
import { type PgDatabase, PgTransaction } from "drizzle-orm/pg-core";
import type { PostgresJsQueryResultHKT } from "drizzle-orm/postgres-js";
import { cancel } from "./driver/cancel.ts";
import type { Layout } from "./layout.ts";
import { firstCause, isBehindAFailure } from "./trouble.ts";

/** A connection pool or an open transaction: a query is given either and need not know which. */
export type Database = PgDatabase<PostgresJsQueryResultHKT, Record<string, never>>;

/** A transaction, or a savepoint in one, with what becomes of it at its end. */
export type Transaction = Database & {
  /** Lets the work go on before the write has answered. It is waited for before the work's end, and fails the transaction where it fails. */
  sendAhead(write: Promise<unknown>): void;
  /**
   * As `sendAhead`, but for the last write: the commit follows at once. Only for a write that waits for no lock, because nothing checks the
   * time between it and the commit. In a savepoint it is awaited like any other.
   */
  sendWithCommit(write: Promise<unknown>): void;
  /** Settles once all that was sent ahead has answered. @throws The first failure. */
  answered(): Promise<void>;
  /** Runs the work once the transaction has committed, once for each name, with the pool of the process: in no partner's role. */
  afterCommit(name: string, work: (pool: Database) => void): void;
  /** Ends the transaction for a caller that has left: PostgreSQL ends the statement that runs, and no other one is sent. */
  cancel(): void;
};

/** The layout that a pool was opened for, and its transactions have. */
const LAYOUT = Symbol.for("settlement-service.layout");

/** How the database's tables are laid out: statements that Citus cannot run as one are sent as several there. */
export function layoutOf(db: Database): Layout {
  return (db as { [LAYOUT]?: Layout })[LAYOUT] ?? "whole";
}

/** Says it of a pool, or of a partner's view of it. */
export function laidOut<Opened extends Database>(db: Opened, layout: Layout): Opened {
  return Object.assign(db, { [LAYOUT]: layout });
}

type Open = Parameters<Parameters<Database["transaction"]>[0]>[0];
type Config = Parameters<Database["transaction"]>[1];

/** null: a pool. */
export function transactionOf(db: Database): Transaction | null {
  return isTransaction(db) ? db : null;
}

export function isTransaction(db: Database): db is Transaction {
  return is(db, PgTransaction) && "sendAhead" in db;
}

/**
 * Runs the work in the open transaction, if there is one, whose end decides; otherwise in a new one. Only for work whose errors no caller
 * catches within the transaction.
 */
export async function inTransaction<Result>(db: Database, work: (tx: Database) => Promise<Result>): Promise<Result> {
  return isTransaction(db) ? await untilAnswered(db, work) : await db.transaction(work);
}

/** Runs the work with everything that it has pipelined. It throws the error that came first. */
async function untilAnswered<Result>(tx: Transaction, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  try {
    const result = await work(tx);
    await tx.answered();
    return result;
  } catch (error) {
    if (!isBehindAFailure(error)) throw error;
    await tx.answered();
    throw error;
  }
}

/** A write that the work need not wait for. On a pool it is waited for. */
export async function sendAhead(db: Database, write: Promise<unknown>): Promise<void> {
  const tx = transactionOf(db);
  if (tx === null) await write;
  else tx.sendAhead(write);
}

/** A transaction's last write. On a pool it is waited for. */
export async function sendWithCommit(db: Database, write: Promise<unknown>): Promise<void> {
  const tx = transactionOf(db);
  if (tx === null) await write;
  else tx.sendWithCommit(write);
}

/** The results of statements sent together in one transaction. If one fails, it throws the error that came first. */
export async function sentTogether<const Sent extends readonly Promise<unknown>[]>(
  ...sent: Sent
): Promise<{ -readonly [Index in keyof Sent]: Awaited<Sent[Index]> }> {
  const ends = await Promise.allSettled(sent);
  const errors = ends.flatMap((end) => (end.status === "rejected" ? [end.reason as unknown] : []));
  if (errors.length > 0) throw firstCause(errors);
  return (await Promise.all(sent)) as { -readonly [Index in keyof Sent]: Awaited<Sent[Index]> };
}

type AfterCommit = Map<string, (pool: Database) => void>;

/**
 * Adds {@link Transaction} to the transactions of a pool. If a write that is sent with the commit fails, the commit becomes a rollback.
 * `pool`: the process's own, where `db` is a partner's view of it.
 */
export function openingTransactions<Opened extends Database>(db: Opened, pool: Database = db): Opened {
  const open = db.transaction.bind(db);
  const transaction = async <Result>(work: (tx: Transaction) => Promise<Result>, config?: Config): Promise<Result> => {
    const withCommit: Promise<unknown>[] = [];
    const after: AfterCommit = new Map();
    const isJoint = layoutOf(db) === "citus" && config?.accessMode !== "read only";
    const working = isJoint ? jointly(work) : work;
    const opened = (tx: Open) => untilAnswered(transactionFrom(laidOut(tx, layoutOf(db)), { after, withCommit }), working);
    const result = await open(opened, config);
    await Promise.all(withCommit);
    for (const then of after.values()) then(pool);
    return result;
  };
  return Object.assign(db, { transaction });
}

/**
 * On Citus: one commit for all nodes. Citus commits what was written on a node apart from what was written in the coordinator's own tables,
 * unless the transaction also wrote a table of the coordinator that Citus knows. `citus_join` writes that where the coordinator has written
 * anything, as the last statement, with the commit (db/citus-functions.ts). What was written on one node alone takes one plain commit there.
 */
function jointly<Result>(work: (tx: Transaction) => Promise<Result>): (tx: Transaction) => Promise<Result> {
  return async (tx) => {
    const result = await work(tx);
    tx.sendWithCommit(tx.execute(sql`select citus_join()`));
    return result;
  };
}

/** `withCommit` null: a savepoint. */
function transactionFrom(tx: Open, { after, withCommit }: { after: AfterCommit; withCommit: Promise<unknown>[] | null }): Transaction {
  const ahead: Promise<unknown>[] = [];
  const send = (to: Promise<unknown>[], write: Promise<unknown>) => {
    // A drizzle query is sent each time that it is awaited; this sends it once.
    const sending = Promise.resolve(write);
    sending.catch(() => {});
    to.push(sending);
  };
  const open = tx.transaction.bind(tx);
  const savepoint = async <Result>(work: (inner: Transaction) => Promise<Result>): Promise<Result> => {
    const own: AfterCommit = new Map();
    const result = await open<Result>((inner) =>
      untilAnswered(transactionFrom(laidOut(inner, layoutOf(tx)), { after: own, withCommit: null }), work),
    );
    for (const [name, then] of own) after.set(name, then);
    return result;
  };
  return Object.assign(tx, {
    transaction: savepoint,
    sendAhead: (write: Promise<unknown>) => send(ahead, write),
    sendWithCommit: (write: Promise<unknown>) => send(withCommit ?? ahead, write),
    async answered() {
      await sentTogether(...ahead.splice(0));
    },
    afterCommit: (name: string, then: (pool: Database) => void) => void after.set(name, then),
    cancel: () => cancel(tx),
  });
}
