import { sql } from "drizzle-orm";
import { type Database, transactionOf } from "./transaction.ts";

/** The channel on which web processes hear whose events there are: ids of partners, separated by commas. */
export const EVENT_CHANNEL = "partner_events";

/** One notification for all that commit meanwhile: it takes as much as a small write. */
const GATHER_MS = 50;
/** What fits into a notification. Readers that wait find the others within a second. */
const MOST = 200;

const gathering = new WeakMap<Database, Set<string>>();

/**
 * Wakes those who wait for a partner's events, and the workers that send them to destinations. After the commit and never with it (see
 * `db/wake-workers.ts`): no request waits for it, and a reader that misses it looks again by itself.
 */
export function ringForEvents(db: Database, partnerId: string): void {
  const open = transactionOf(db);
  if (open === null) ring(db, partnerId);
  else open.afterCommit(`events ${partnerId}`, (pool) => ring(pool, partnerId));
}

function ring(pool: Database, partnerId: string): void {
  const partners = gathering.get(pool);
  if (partners !== undefined) return void partners.add(partnerId);
  gathering.set(pool, new Set([partnerId]));
  setTimeout(() => {
    const named = [...(gathering.get(pool) ?? [])].slice(0, MOST).join();
    gathering.delete(pool);
    setImmediate(() => pool.execute(sql`select pg_notify(${EVENT_CHANNEL}, ${named}), pg_notify('due_work', 'events')`).catch(() => {}));
  }, GATHER_MS).unref();
}
