import { sql } from "drizzle-orm";
import { batched } from "./batched.ts";
import { type Database, transactionOf } from "./transaction.ts";

/** What workers listen for. */
type Work = "transfers";

/**
 * Wakes the workers once the transaction has committed: nobody waits for it, and a wake that is lost with its process is made up for by their
 * next round. Not with the commit itself: commits that notify take turns on the whole server, each for as long as its flush takes.
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
