import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { callbacks } from "#db/schema/callbacks.ts";
import type { Callback, CallbackEvent, CallbackState } from "#server/domain/callback.ts";
import { listAttemptsOf } from "./callback-attempts.ts";

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

/** The callbacks of these subjects with every attempt that began, oldest first; with a state named, only those in it. */
export async function listCallbacksOf(db: Database, subjectIds: readonly string[], state?: CallbackState): Promise<Callback[]> {
  if (subjectIds.length === 0) return [];
  const rows = await db
    .select()
    .from(callbacks)
    .where(and(inArray(callbacks.subjectId, [...subjectIds]), state ? eq(callbacks.state, state) : undefined))
    .orderBy(asc(callbacks.createdAt), asc(callbacks.id));
  const ids = rows.map((row) => row.id);
  const attempts = await listAttemptsOf(db, ids);
  return rows.map(({ lane: _lane, leaseToken: _token, leaseUntil: _until, nextNumber: _number, dueAt, ...row }) => ({
    ...row,
    nextAttemptAt: dueAt,
    attempts: attempts.get(row.id) ?? [],
  }));
}
