import { sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Database } from "#db/client.ts";
import { callbackAttempts } from "#db/schema/callback-attempts.ts";

/** `number` null: one beside the six, under the id that was given out when it was asked for. */
export type BegunAttempt = { id: string; callbackId: string; series: number; number: number | null; scheduledAt: Date; sentAt: Date };

/** Notes that attempts begin. One that a crash cut off before it ended begins again under its number, one beside the six under its id. */
export async function insertAttempts(db: Database, attempts: BegunAttempt[]): Promise<void> {
  const scheduled = attempts.filter(({ number }) => number !== null);
  const extra = attempts.filter(({ number }) => number === null);
  const { id, callbackId, series, number } = callbackAttempts;
  await insertBegun(db, scheduled, [callbackId, series, number]);
  await insertBegun(db, extra, [id]);
}

async function insertBegun(db: Database, attempts: BegunAttempt[], target: PgColumn[]): Promise<void> {
  if (attempts.length === 0) return;
  await db
    .insert(callbackAttempts)
    .values(attempts)
    .onConflictDoUpdate({ target, set: { sentAt: sql`excluded.sent_at` } });
}
