import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";

/**
 * Business time, as the database tells it: the real instant, moved by the sandbox's clock (contract, part 9). Asked after a
 * row was locked it is later than the lock, so that "before `expires_at`" is decided by one clock on all machines.
 */
export async function readBusinessNow(db: Database): Promise<Date> {
  const rows = await db.execute<{ now: Date | string }>(sql`select business_now() as now`);
  const now = rows[0]?.now;
  if (now === undefined) throw new Error("the database told no time");
  return new Date(now);
}
