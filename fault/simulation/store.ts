import type { Database } from "#db/client.ts";
import type { Gate } from "./gate.ts";

/** An in-memory table. Rows are never changed, only replaced. `unique`: what no two rows may have the same of. */
export class Table<Row extends { id: string }> {
  readonly rows = new Map<string, Row>();
  readonly name: string;
  readonly unique: (row: Row) => readonly string[];

  constructor(name: string, unique: (row: Row) => readonly string[] = () => []) {
    this.name = name;
    this.unique = unique;
  }
}

/** PostgreSQL's word that a value must be unique. */
export class UniqueViolation extends Error {
  override readonly name = "UniqueViolation";
}

/** Somebody else holds what a statement needs; it begins again once that one has ended. */
class Blocked {
  readonly by: Session;
  constructor(by: Session) {
    this.by = by;
  }
}

type Change = { table: Table<{ id: string }>; id: string; row: { id: string } | null };

/** One transaction: what it has written is no one else's to see before it commits, what it has locked is no one else's to change. */
export class Session {
  readonly written = new Map<Table<{ id: string }>, Map<string, { id: string } | null>>();
  readonly locks: string[] = [];
  readonly afterCommit: (() => void)[] = [];
  waitsFor: Session | null = null;
  /** A statement of it has failed: PostgreSQL does nothing more for it. */
  isBroken = false;
  /** Its process is gone. */
  isGone = false;
  #waiting: (() => void)[] = [];

  untilOver(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  over(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const go of waiting) go();
  }
}

/** What a statement sees and does. Everything is done at its end, or nothing: where it has to wait, it begins again. */
export class View {
  readonly now: number;
  readonly #changes: Change[] = [];
  readonly #store: Store;
  readonly #session: Session;

  constructor(store: Store, session: Session) {
    this.#store = store;
    this.#session = session;
    this.now = store.now();
  }

  get<Row extends { id: string }>(table: Table<Row>, id: string): Row | undefined {
    const own = this.#session.written.get(table as never)?.get(id);
    return own === undefined ? table.rows.get(id) : ((own ?? undefined) as Row | undefined);
  }

  list<Row extends { id: string }>(table: Table<Row>, wanted: (row: Row) => boolean): Row[] {
    const own = this.#session.written.get(table as never);
    const found: Row[] = [];
    for (const row of table.rows.values()) if (!own?.has(row.id) && wanted(row)) found.push(row);
    if (own) for (const row of own.values()) if (row !== null && wanted(row as Row)) found.push(row as Row);
    return found;
  }

  /** `for update`. Answers the row as it is now that it is locked. */
  lock<Row extends { id: string }>(table: Table<Row>, id: string): Row | undefined {
    this.hold(`${table.name} ${id}`);
    return this.get(table, id);
  }

  hold(key: string): void {
    const holder = this.#store.holders.get(key);
    if (holder !== undefined && holder !== this.#session) throw new Blocked(holder);
    if (holder !== undefined) return;
    this.#store.holders.set(key, this.#session);
    this.#session.locks.push(key);
  }

  /** `skip locked`. */
  isFree<Row extends { id: string }>(table: Table<Row>, id: string): boolean {
    const holder = this.#store.holders.get(`${table.name} ${id}`);
    return holder === undefined || holder === this.#session;
  }

  /** Waits for anyone who has written that row and has not committed yet; one who only holds it blocks no one. */
  untilWritten<Row extends { id: string }>(table: Table<Row>, id: string): void {
    const holder = this.#store.holders.get(`${table.name} ${id}`);
    if (holder !== undefined && holder !== this.#session && holder.written.get(table as never)?.has(id)) throw new Blocked(holder);
  }

  put<Row extends { id: string }>(table: Table<Row>, row: Row): void {
    this.hold(`${table.name} ${row.id}`);
    const before = this.get(table, row.id);
    const had = before === undefined ? [] : table.unique(before);
    for (const key of table.unique(row)) {
      if (had.includes(key)) continue;
      this.hold(`${table.name} = ${key}`);
      const twin = this.list(table, (other) => other.id !== row.id && table.unique(other).includes(key));
      const made = this.#changes.some(
        (one) => one.table === (table as never) && one.row !== null && one.id !== row.id && table.unique(one.row as Row).includes(key),
      );
      if (twin.length > 0 || made) throw new UniqueViolation(`${table.name}: ${key}`);
    }
    this.#changes.push({ table: table as never, id: row.id, row });
  }

  drop<Row extends { id: string }>(table: Table<Row>, id: string): void {
    this.lock(table, id);
    this.#changes.push({ table: table as never, id, row: null });
  }

  /** Once the transaction has committed. */
  whenCommitted(work: () => void): void {
    this.#session.afterCommit.push(work);
  }

  done(): void {
    for (const { table, id, row } of this.#changes) {
      const own = this.#session.written.get(table) ?? new Map();
      this.#session.written.set(table, own.set(id, row));
    }
  }
}

/** The database: read committed, rows locked until the end of a transaction, a deadlock ended by an error. */
export class Store {
  readonly holders = new Map<string, Session>();
  readonly now: () => number;

  constructor(now: () => number) {
    this.now = now;
  }

  /** Every row of one transaction becomes everybody's at once. */
  commit(session: Session): void {
    for (const [table, rows] of session.written)
      for (const [id, row] of rows) {
        if (row === null) table.rows.delete(id);
        else table.rows.set(id, row);
      }
    this.#end(session);
    for (const work of session.afterCommit) work();
  }

  rollBack(session: Session): void {
    this.#end(session);
  }

  #end(session: Session): void {
    for (const key of session.locks) if (this.holders.get(key) === session) this.holders.delete(key);
    session.written.clear();
    session.over();
  }

  async run<Result>(session: Session, body: (view: View) => Result, isAlive: () => boolean): Promise<Result> {
    for (;;) {
      const view = new View(this, session);
      try {
        const result = body(view);
        view.done();
        return result;
      } catch (error) {
        if (!(error instanceof Blocked)) throw error;
        for (let other: Session | null = error.by; other !== null; other = other.waitsFor)
          if (other === session) throw new Error("deadlock detected");
        session.waitsFor = error.by;
        await error.by.untilOver();
        session.waitsFor = null;
        if (session.isGone || !isAlive()) return await never();
      }
    }
  }
}

/** What the service's code holds for its `Database`: a pool of one process, or a transaction in it. */
export type Handle = { store: Store; gate: Gate; session: Session | null };

/** A process's pool. Of one that is killed the open transactions are rolled back, as PostgreSQL does when the connection breaks. */
export function openPool(store: Store, gate: Gate): Database {
  const open = new Set<Session>();
  gate.onDeath(() => {
    for (const session of open) {
      session.isGone = true;
      store.rollBack(session);
    }
    open.clear();
  });
  const pool = {
    store,
    gate,
    session: null,
    async transaction<Result>(work: (tx: Database) => Promise<Result>): Promise<Result> {
      const session = new Session();
      open.add(session);
      try {
        await gate.pass("begin");
        const result = await work({ store, gate, session, transaction: nested } as unknown as Database);
        await gate.pass("commit");
        if (!open.delete(session)) return await never();
        store.commit(session);
        await gate.pass("committed");
        return result;
      } catch (error) {
        if (open.delete(session)) store.rollBack(session);
        throw error;
      }
    },
  };
  return pool as unknown as Database;
}

const nested = () => Promise.reject(new Error("a transaction in a transaction is outside of the simulation"));

const never = () => new Promise<never>(() => {});

/** One statement: sent, done and answered, each of which may be the last thing that the process sees. */
export async function statement<Result>(db: Database, name: string, body: (view: View) => Result): Promise<Result> {
  const { store, gate, session } = db as unknown as Handle;
  const isAlive = () => gate.who.alive;
  const sending = gate.pass(name);
  if (sending !== undefined) await sending;
  const own = session ?? new Session();
  if (own.isBroken) throw new Error("current transaction is aborted");
  try {
    const result = await store.run(own, body, isAlive);
    if (session === null) store.commit(own);
    const answering = gate.pass(name);
    if (answering !== undefined) await answering;
    return result;
  } catch (error) {
    own.isBroken = true;
    if (session === null) store.rollBack(own);
    throw error;
  }
}
