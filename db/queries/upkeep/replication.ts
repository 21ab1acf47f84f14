import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import type { Replication } from "#domain/vitals.ts";

/** Whether a commit of this connection waits for a standby that has it, too. */
export async function readReplication(db: Database): Promise<Replication> {
  const rows = await db.execute<{ standbys: string; commit: string }>(sql`
    select current_setting('synchronous_standby_names') as standbys, current_setting('synchronous_commit') as commit`);
  const { standbys = "", commit = "off" } = rows[0] ?? {};
  return { isSynchronous: standbys.trim() !== "" && commit !== "off" && commit !== "local" };
}
