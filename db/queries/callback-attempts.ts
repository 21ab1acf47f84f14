import { asc, inArray, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { callbackAttempts } from "#db/schema/callback-attempts.ts";
import type { CallbackAttempt } from "#server/domain/callback.ts";

/** The attempts of these callbacks that began, in their order. */
export async function listAttemptsOf(db: Database, callbackIds: string[]): Promise<Map<string, CallbackAttempt[]>> {
  const found = new Map<string, CallbackAttempt[]>();
  if (callbackIds.length === 0) return found;
  const rows = await db
    .select({
      callbackId: callbackAttempts.callbackId,
      series: callbackAttempts.series,
      number: callbackAttempts.number,
      scheduledAt: callbackAttempts.scheduledAt,
      sentAt: callbackAttempts.sentAt,
      durationMs: callbackAttempts.durationMs,
      responseStatus: callbackAttempts.responseStatus,
      error: callbackAttempts.error,
    })
    .from(callbackAttempts)
    .where(inArray(callbackAttempts.callbackId, callbackIds))
    .orderBy(asc(callbackAttempts.series), asc(callbackAttempts.number));
  for (const { callbackId, ...attempt } of rows) {
    const list = found.get(callbackId);
    if (list) list.push(attempt);
    else found.set(callbackId, [attempt]);
  }
  return found;
}

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
