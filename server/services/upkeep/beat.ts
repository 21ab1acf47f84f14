import { deleteProcess, deleteSilentProcesses, type Heartbeat, saveHeartbeat } from "#db/queries/upkeep/processes.ts";
import type { Uses } from "#server/context.ts";

/**
 * Says that this process is alive, and hands its figures to whoever serves `/metrics`. Called
 * every `BEAT_EVERY_SECONDS`.
 */
export async function beat(ctx: Uses<"db">, heartbeat: Heartbeat): Promise<void> {
  await saveHeartbeat(ctx.db, heartbeat);
  await deleteSilentProcesses(ctx.db);
}

/** Says that this process stops on purpose, so that nobody takes it for dead. */
export async function sayFarewell(ctx: Uses<"db">, processId: string): Promise<void> {
  await deleteProcess(ctx.db, processId);
}
