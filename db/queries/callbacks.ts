import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { callbackAttempts } from "#db/schema/callback-attempts.ts";
import { callbacks } from "#db/schema/callbacks.ts";
import type { Callback, CallbackEvent, CallbackState } from "#server/domain/callback.ts";

type Row = typeof callbacks.$inferSelect;

export type NewCallback = {
  id: string;
  partnerId: string;
  subjectId: string;
  apiKeyId: string;
  event: CallbackEvent;
  url: string;
  lane: string;
  body: string;
  now: Date;
};

/** Adds a callback that is due at once; the workers hear of it when the transaction commits. */
export async function insertCallback(db: Database, { now, ...callback }: NewCallback): Promise<void> {
  await db.insert(callbacks).values({ ...callback, state: "pending", series: 1, nextNumber: 1, dueAt: now, createdAt: now });
  await announceDueCallbacks(db);
}

/** Starts the attempts of a callback anew: next series, first number, due now. The row must be locked. */
export async function restartCallback(db: Database, id: string, now: Date): Promise<void> {
  await db
    .update(callbacks)
    .set({
      state: "pending",
      series: sql`${callbacks.series} + 1`,
      nextNumber: 1,
      dueAt: now,
      deliveredAt: null,
      undeliveredAt: null,
      leaseUntil: null,
      leaseToken: null,
    })
    .where(eq(callbacks.id, id));
  await announceDueCallbacks(db);
}

async function announceDueCallbacks(db: Database): Promise<void> {
  await db.execute(sql`select pg_notify('due_work', 'callbacks')`);
}

export type CallbackKey = { id: string; subjectId: string };
export type CallbackRow = { id: string; partnerId: string; url: string; state: CallbackState; series: number };

/** A callback of that subject, its row held until the transaction ends; null when there is none of that id. */
export async function lockCallback(db: Database, key: CallbackKey): Promise<CallbackRow | null> {
  const [row] = await selectCallback(db, key).for("update");
  return row ?? null;
}

/** As {@link lockCallback}, without holding the row. */
export async function findCallback(db: Database, key: CallbackKey): Promise<CallbackRow | null> {
  const [row] = await selectCallback(db, key);
  return row ?? null;
}

function selectCallback(db: Database, key: CallbackKey) {
  const { id, partnerId, url, state, series } = callbacks;
  return db
    .select({ id, partnerId, url, state, series })
    .from(callbacks)
    .where(and(eq(id, key.id), eq(callbacks.subjectId, key.subjectId)));
}

/**
 * The callbacks of these subjects with every attempt that began, oldest first; with a state named, only those in it. One statement,
 * so that a callback and its attempts are of one instant: never a sixth failure beside a callback that is still pending.
 */
export async function listCallbacksOf(db: Database, subjectIds: readonly string[], state?: CallbackState): Promise<Callback[]> {
  if (subjectIds.length === 0) return [];
  const rows = await db
    .select({ callback: callbacks, attempt: ATTEMPT })
    .from(callbacks)
    .leftJoin(callbackAttempts, eq(callbackAttempts.callbackId, callbacks.id))
    .where(and(inArray(callbacks.subjectId, [...subjectIds]), state ? eq(callbacks.state, state) : undefined))
    .orderBy(asc(callbacks.createdAt), asc(callbacks.id), asc(callbackAttempts.series), asc(callbackAttempts.number));
  const found = new Map<string, Callback>();
  for (const { callback, attempt } of rows) {
    const known = found.get(callback.id) ?? fromRow(callback);
    if (attempt) known.attempts.push(attempt);
    found.set(callback.id, known);
  }
  return [...found.values()];
}

const ATTEMPT = {
  series: callbackAttempts.series,
  number: callbackAttempts.number,
  scheduledAt: callbackAttempts.scheduledAt,
  sentAt: callbackAttempts.sentAt,
  durationMs: callbackAttempts.durationMs,
  responseStatus: callbackAttempts.responseStatus,
  error: callbackAttempts.error,
};

function fromRow({ lane: _lane, leaseToken: _token, leaseUntil: _until, nextNumber: _number, dueAt, ...row }: Row): Callback {
  return { ...row, nextAttemptAt: dueAt, attempts: [] };
}
