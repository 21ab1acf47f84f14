import { openQueues } from "./queues.ts";
import { type Database, isTransaction } from "./transaction.ts";
import { isEverybodys } from "./trouble.ts";

type Pending<Asked, Answer> = { asked: Asked; resolve: (answer: Answer) => void; fail: (error: unknown) => void };

/**
 * Batches concurrent queries to a pool into one statement. In a transaction a query is sent at once, alone. `ask` answers each query in
 * order; an error is thrown only to its caller. Only queries with the same `batchKey` are batched: they wait for each other's locks. If a batch
 * fails because of one query, each is sent alone, and the queries after them do not wait for that.
 */
export function batched<Asked, Answer>(
  batchKey: (asked: Asked, db: Database) => string,
  ask: (db: Database, asked: readonly [Asked, ...Asked[]]) => Promise<readonly (Answer | Error)[]>,
): (db: Database, asked: Asked) => Promise<Answer> {
  const askOne = async (db: Database, pending: Pending<Asked, Answer>): Promise<void> => {
    await ask(db, [pending.asked]).then(([answer]) => settle(pending, answer), pending.fail);
  };
  const together = async (db: Database, pendings: readonly Pending<Asked, Answer>[]): Promise<void> => {
    const [one, ...others] = pendings;
    if (one === undefined) return;
    try {
      const answer = await ask(db, [one.asked, ...others.map(({ asked }) => asked)]);
      for (const [index, pending] of pendings.entries()) settle(pending, answer[index]);
    } catch (error) {
      if (others.length === 0 || isEverybodys(error)) for (const pending of pendings) pending.fail(error);
      else for (const pending of pendings) void askOne(db, pending);
    }
  };
  const pools = new WeakMap<Database, ReturnType<typeof openQueues<Pending<Asked, Answer>>>>();
  return (db, asked) =>
    new Promise((resolve, fail) => {
      const pending = { asked, resolve, fail };
      if (isTransaction(db)) return void askOne(db, pending);
      const join = pools.get(db) ?? openQueues<Pending<Asked, Answer>>((pendings) => together(db, pendings));
      pools.set(db, join);
      join(batchKey(asked, db), pending);
    });
}

function settle<Asked, Answer>({ resolve, fail }: Pending<Asked, Answer>, answer: Answer | Error | undefined): void {
  if (answer === undefined) fail(new Error("a question was not answered"));
  else if (answer instanceof Error) fail(answer);
  else resolve(answer);
}
