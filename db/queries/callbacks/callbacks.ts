import { and, asc, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { inShare, inShares } from "#db/lease.ts";
import { insertRows } from "#db/rows.ts";
import { callbackAttempts } from "#db/schema/callback-attempts.ts";
import { callbacks } from "#db/schema/callbacks.ts";
import type { Callback, CallbackEvent, CallbackState } from "#domain/callback.ts";

type Row = typeof callbacks.$inferSelect;

export type NewCallback = {
  id: string;
  partnerId: string;
  subjectId: string;
  apiKeyId: string;
  event: CallbackEvent;
  url: string;
  queue: string;
  body: string;
  trace: string | null;
};

/** Adds callbacks that are due at once; the commit notifies the workers. */
export async function insertCallbacks(db: Database, added: readonly NewCallback[], now: Date): Promise<void> {
  if (added.length === 0) return;
  const first = { state: "pending", series: 1, nextNumber: 1, dueAt: now, createdAt: now } as const;
  await insertRows(
    db,
    callbacks,
    added.map((callback) => ({ ...callback, ...first })),
  );
  await announceDueCallbacks(db);
}

/**
 * Starts the attempts of a callback again: next series, first number, due now. The row must be locked. A finished callback has no lease,
 * unless a manual attempt is in progress: that one ends first.
 */
export async function restartCallback(db: Database, { id, partnerId }: Pick<CallbackRow, "id" | "partnerId">, now: Date): Promise<void> {
  await db
    .update(callbacks)
    .set({
      state: "pending",
      series: sql`${callbacks.series} + 1`,
      nextNumber: 1,
      dueAt: now,
      deliveredAt: null,
      undeliveredAt: null,
    })
    .where(and(eq(callbacks.id, id), sql`of_partner(${callbacks.partnerId}, ${partnerId}::uuid)`));
  await announceDueCallbacks(db);
}

/**
 * Requests one manual attempt for each of these callbacks. A requested attempt that has not ended counts as that one. Returns the ids of
 * the callbacks that had none.
 */
export async function askExtraAttempts(
  db: Database,
  wanted: readonly { id: string; partnerId: string; attemptId: string }[],
  now: Date,
): Promise<string[]> {
  const rows = await inShares(db, "callbacks", wanted, (theirs, share) =>
    db.execute<{ id: string }>(sql`
      update callbacks c set extra_attempt_id = w."attemptId", extra_asked_at = ${now.toISOString()}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(theirs)}::jsonb) as w(id text, "attemptId" text)
      where c.id = w.id and c.extra_attempt_id is null ${inShare(share, "c.")} returning c.id`),
  );
  if (rows.length > 0) await announceDueCallbacks(db);
  return rows.map(({ id }) => id);
}

async function announceDueCallbacks(db: Database): Promise<void> {
  await db.execute(sql`select pg_notify('due_work', 'callbacks')`);
}

/** With a subject, only a callback about it. */
export type CallbackKey = { id: string; subjectId?: string };
export type CallbackRow = { id: string; partnerId: string; subjectId: string; url: string; state: CallbackState; series: number };

/** Locks the callback of that key, on its partner's node; null when there is none. */
export async function lockCallback(db: Database, key: CallbackKey): Promise<CallbackRow | null> {
  const found = await findCallback(db, key);
  if (found === null) return null;
  const [row] = await selectCallback(db, { ...key, partnerId: found.partnerId }).for("update");
  return row ?? null;
}

/** As {@link lockCallback}, without locking the row. */
export async function findCallback(db: Database, key: CallbackKey): Promise<CallbackRow | null> {
  const [row] = await selectCallback(db, key);
  return row ?? null;
}

function selectCallback(db: Database, key: CallbackKey & { partnerId?: string }) {
  const { id, partnerId, subjectId, url, state, series } = callbacks;
  return db
    .select({ id, partnerId, subjectId, url, state, series })
    .from(callbacks)
    .where(
      and(
        eq(id, key.id),
        key.subjectId === undefined ? undefined : eq(subjectId, key.subjectId),
        key.partnerId === undefined ? undefined : sql`of_partner(${partnerId}, ${key.partnerId}::uuid)`,
      ),
    );
}

/**
 * The callbacks of these subjects with every attempt that began, oldest first; `only`: those in a state, of a partner. One statement, so
 * that a callback and its attempts are from one instant: never a sixth failure of a callback that is still pending.
 */
export async function listCallbacksOf(db: Database, subjectIds: readonly string[], only: Only = {}): Promise<Callback[]> {
  if (subjectIds.length === 0) return [];
  return await listCallbacksWhere(db, inArray(callbacks.subjectId, [...subjectIds]), only);
}

/** As {@link listCallbacksOf}, by their own ids. */
export async function listCallbacksById(db: Database, ids: readonly string[], only: Only): Promise<Callback[]> {
  return ids.length === 0 ? [] : await listCallbacksWhere(db, inArray(callbacks.id, [...ids]), only);
}

async function listCallbacksWhere(db: Database, named: SQL, { state, partnerId }: Only): Promise<Callback[]> {
  const theirs = partnerId === undefined ? undefined : sql`of_partner(${callbacks.partnerId}, ${partnerId}::uuid)`;
  const ofOne = sql`of_partner_or_unsaid(${callbackAttempts.partnerId}, ${callbacks.partnerId})`;
  const rows = await db
    .select({ callback: callbacks, attempt: ATTEMPT })
    .from(callbacks)
    .leftJoin(callbackAttempts, and(eq(callbackAttempts.callbackId, callbacks.id), ofOne))
    .where(and(named, theirs, state ? eq(callbacks.state, state) : undefined))
    .orderBy(
      asc(callbacks.createdAt),
      asc(callbacks.id),
      asc(callbackAttempts.series),
      asc(callbackAttempts.sentAt),
      asc(callbackAttempts.id),
    );
  const found = new Map<string, Callback>();
  for (const { callback, attempt } of rows) {
    const known = found.get(callback.id) ?? fromRow(callback);
    if (attempt) known.attempts.push(attempt);
    found.set(callback.id, known);
  }
  return [...found.values()];
}

type Only = { state?: CallbackState; partnerId?: string };

const ATTEMPT = {
  series: callbackAttempts.series,
  number: callbackAttempts.number,
  scheduledAt: callbackAttempts.scheduledAt,
  sentAt: callbackAttempts.sentAt,
  durationMs: callbackAttempts.durationMs,
  responseStatus: callbackAttempts.responseStatus,
  error: callbackAttempts.error,
};

function fromRow(row: Row): Callback {
  const { id, partnerId, subjectId, apiKeyId, event, url, body, state, series, createdAt, deliveredAt, undeliveredAt } = row;
  const columns = { id, partnerId, subjectId, apiKeyId, event, url, body, state, series, createdAt, deliveredAt, undeliveredAt };
  return { ...columns, nextAttemptAt: row.dueAt, attempts: [] };
}
