import { and, eq, isNull, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { pausedReceivers } from "#db/schema/paused-receivers.ts";

export type PausedReceiver = typeof pausedReceivers.$inferSelect;

/** Returns whether the same side had not paused it already. */
export async function insertPausedReceiver(db: Database, receiver: PausedReceiver): Promise<boolean> {
  const added = await db.insert(pausedReceivers).values(receiver).onConflictDoNothing().returning({ origin: pausedReceivers.origin });
  return added.length > 0;
}

/** Lets what waits run on. Answers whether it was paused by that side. */
export async function deletePausedReceiver(
  db: Database,
  { partnerId, origin }: Pick<PausedReceiver, "partnerId" | "origin">,
): Promise<boolean> {
  const side = partnerId === null ? isNull(pausedReceivers.partnerId) : eq(pausedReceivers.partnerId, partnerId);
  const gone = await db
    .delete(pausedReceivers)
    .where(and(side, eq(pausedReceivers.origin, origin)))
    .returning({ origin: pausedReceivers.origin });
  if (gone.length > 0) await db.execute(sql`select pg_notify('due_work', 'callbacks')`);
  return gone.length > 0;
}

/** Paused receivers: for a partner its own and those that the operator paused for everybody; for the operator (null) all. */
export async function listPausedReceivers(db: Database, partnerId: string | null): Promise<PausedReceiver[]> {
  const own =
    partnerId === null ? undefined : sql`(${pausedReceivers.partnerId} is null or ${pausedReceivers.partnerId} = ${partnerId}::uuid)`;
  return await db.select().from(pausedReceivers).where(own).orderBy(pausedReceivers.origin);
}
