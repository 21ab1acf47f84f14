import { readReplication } from "#db/queries/upkeep/replication.ts";
import { tellReplication } from "#domain/vitals.ts";
import type { Uses } from "#server/context.ts";

/** Live mode says at its start whether a failover of the database may lose what was committed: afterwards wallets halt, and people compare. */
export async function warnOfReplication(ctx: Uses<"db" | "log">): Promise<void> {
  const replication = await readReplication(ctx.db);
  if (!replication.isSynchronous) ctx.log.warn({}, tellReplication(replication).detail);
}
