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

/** Calls the listener for each statement that came too late: always a defect of ours. Returns what ends that. */
export function onLateUse(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

type Work = (tx: postgres.TransactionSql) => unknown;

/**
 * Ends each handle of a transaction or savepoint together with the work that was given it. What the work has asked by then is on its way,
 * before the commit; whatever is asked later throws a {@link TransactionEndedError}, and reaches no connection.
 */
export function endingHandles<Driver extends postgres.Sql>(sql: Driver): Driver {
  const { begin } = sql;
  const opened = (...given: [Work] | [string, Work]) => {
    const [options, work] = given.length === 1 ? ["", given[0]] : given;
    return begin(options, (tx) => within(tx, work));
  };
  return Object.assign(sql, { begin: opened });
}

async function within(tx: postgres.TransactionSql, work: Work): Promise<unknown> {
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
    const asked = unsafe(...query);
    // Left alone, the driver sends a query only once it is waited for, which may be after the end. A text without values may be a part of another.
    return query.length === 1 ? asked : asked.execute();
  };
  const opened = async (...given: [Work] | [string, Work]) => {
    refuseLate("savepoint");
    const inner = given.length === 1 ? given[0] : given[1];
    return await savepoint((point) => within(point, inner));
  };
  Object.assign(tx, { unsafe: sending, savepoint: opened });
  try {
    return await work(tx);
  } finally {
    isOver = true;
  }
}
