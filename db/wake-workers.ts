import { sql } from "drizzle-orm";
import { batched } from "./batched.ts";
import { type Database, transactionOf } from "./transaction.ts";

/** What workers listen for. */
type Work = "transfers" | "outbox";

/**
 * Wakes the workers after the commit. Nobody waits for it, and the workers' next poll makes up for a wake that is lost with its process.
 * Not within the commit: commits that notify are serialised on the whole server, each for as long as its flush takes.
 */
export async function wakeWorkers(tx: Database, work: Work): Promise<void> {
  const open = transactionOf(tx);
  if (open === null) await wake(tx, work);
  else open.afterCommit(`wake ${work}`, (pool) => void wake(pool, work).catch(() => {}));
}

const wake = batched(
  (work: Work) => work,
  async (db, asked) => {
    await db.execute(sql`select pg_notify('due_work', ${asked[0]})`);
    return asked.map(() => true);
  },
);
