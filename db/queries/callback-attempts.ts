import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { callbackAttempts } from "#db/schema/callback-attempts.ts";

export type BegunAttempt = { id: string; callbackId: string; series: number; number: number; scheduledAt: Date; sentAt: Date };

/** Notes that attempts begin. One that a crash cut off before it ended begins again under its number. */
export async function insertAttempts(db: Database, attempts: BegunAttempt[]): Promise<void> {
  if (attempts.length === 0) return;
  await db
    .insert(callbackAttempts)
    .values(attempts)
    .onConflictDoUpdate({
      target: [callbackAttempts.callbackId, callbackAttempts.series, callbackAttempts.number],
      set: { sentAt: sql`excluded.sent_at` },
    });
}
