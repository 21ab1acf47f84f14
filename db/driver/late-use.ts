import { setTimeout as sleep } from "node:timers/promises";
import type postgres from "postgres";

/**
 * A statement was sent on a handle whose transaction had ended. Its connection is back in the pool by then: the statement would run in no
 * transaction, or in somebody else's.
 */
export class TransactionEndedError extends Error {
  override name = "TransactionEndedError";

  constructor(statement: string) {
    super(`the transaction has ended: not sent: ${statement.slice(0, 200)}`);
  }
}

type Listener = (error: TransactionEndedError) => void;
const listeners = new Set<Listener>();

/** Calls the listener for each late statement: always a defect. Returns a function that removes the listener. */
export function onLateUse(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** A statement was not sent because its transaction was cancelled. */
export class TransactionCancelledError extends Error {
  override name = "TransactionCancelledError";

  constructor() {
    super("the transaction was cancelled");
  }
}

/**
 * A handle of a transaction or savepoint. `cancel`: PostgreSQL ends the statement that runs, and later ones throw a
 * {@link TransactionCancelledError}.
 */
export type CancellableSql = postgres.TransactionSql & { cancel(): void };

type Work = (tx: postgres.TransactionSql) => unknown;
/** `active`: PostgreSQL works on it; the others wait behind it on the same connection. */
type Sent = Promise<unknown> & { active?: boolean; canceller?: ((query: unknown) => Promise<void>) | null };
/** What a transaction shares with its savepoints. `cancelling`: the cancellation under way. */
type Shared = { isCancelled: boolean; sent: Set<Sent>; cancelling: Promise<void> | null };

/** Until the next look whether a cancelled transaction's statement still runs. */
const LOOK_AGAIN_MS = 20;

/**
 * Ends each handle of a transaction or savepoint together with its callback. Statements sent before that go out before the commit. Any
 * later one throws a {@link TransactionEndedError} and reaches no connection. Handles are cancellable ({@link CancellableSql}).
 */
export function endingHandles<Driver extends postgres.Sql>(sql: Driver): Driver {
  const { begin } = sql;
  const opened = (...given: [Work] | [string, Work]) => {
    const [options, work] = given.length === 1 ? ["", given[0]] : given;
    return begin(options, (tx) => within(tx, work));
  };
  return Object.assign(sql, { begin: opened });
}

async function within(
  tx: postgres.TransactionSql,
  work: Work,
  shared: Shared = { isCancelled: false, sent: new Set(), cancelling: null },
): Promise<unknown> {
  const { unsafe, savepoint } = tx;
  let isOver = false;
  const refuseLate = (statement: string) => {
    if (!isOver) return;
    const error = new TransactionEndedError(statement);
    for (const listener of listeners) listener(error);
    throw error;
  };
  const sending = (...query: Parameters<typeof unsafe>) => {
    refuseLate(query[0]);
    if (shared.isCancelled) throw new TransactionCancelledError();
    const asked = unsafe(...query);
    // By default the driver sends a query only once it is awaited, which may be after the end. A text without values may be part of another
    // query.
    if (query.length === 1) return asked;
    const sent = asked.execute();
    const forget = () => void shared.sent.delete(sent);
    shared.sent.add(sent);
    sent.then(forget, forget);
    return sent;
  };
  const opened = async (...given: [Work] | [string, Work]) => {
    refuseLate("savepoint");
    const inner = given.length === 1 ? given[0] : given[1];
    return await savepoint((point) => within(point, inner, shared));
  };
  const cancel = () => {
    shared.isCancelled = true;
    shared.cancelling ??= cancelSent(shared.sent);
  };
  Object.assign(tx, { unsafe: sending, savepoint: opened, cancel });
  try {
    return await work(tx);
  } finally {
    isOver = true;
    // PostgreSQL cancels whatever the session does when the request arrives: the session must not do other work by then.
    await shared.cancelling;
  }
}

/**
 * Has PostgreSQL end the statement that runs, until none of those sent is left. The driver gives a statement that waits behind another one
 * its neighbour's answer when it cancels it, so only the one that runs is cancelled: the others fail with it. The driver's own `cancel` does
 * not say when PostgreSQL has the request.
 */
async function cancelSent(sent: ReadonlySet<Sent>): Promise<void> {
  while (sent.size > 0) {
    for (const each of sent) if (each.active) await each.canceller?.(each)?.catch(() => {});
    await sleep(LOOK_AGAIN_MS);
  }
}
