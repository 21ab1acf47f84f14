import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";

/**
 * Ends the sessions of this process's own log-in whose program stopped in the middle of a statement, and whose transaction keeps its locks
 * ever since: it was frozen, or its machine was. The driver describes a statement before it sends the values. In between, PostgreSQL waits for the
 * program, and none of its time limits applies: the session is `active`, so it is not idle, and no statement runs.
 *
 * @returns how many were ended
 */
export async function endAbandonedSessions(db: Database, olderThanSeconds: number): Promise<number> {
  return await db.transaction(async (tx) => {
    // A role may end the sessions of its own log-in only. The role that we work as is another one.
    await tx.execute(sql`set local role none`);
    const ended = await tx.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and usename = session_user and pid <> pg_backend_pid()
        and state = 'active' and wait_event = 'ClientRead' and xact_start is not null
        and state_change < clock_timestamp() - ${olderThanSeconds} * interval '1 second'`);
    return ended.length;
  });
}
