import { randomUUID } from "node:crypto";
import { and, asc, desc, eq, getTableColumns, inArray, isNull, lt, lte, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { PERSON_COLUMNS } from "#db/queries/people/users.ts";
import { notificationMessages, notificationRules, notificationSettings, notifications } from "#db/schema/notifications.ts";
import { users } from "#db/schema/people.ts";
import { layoutOf } from "#db/transaction.ts";
import type { Outside } from "#domain/notification.ts";
import { isSettled } from "./subjects.ts";

/** Locks those without a planned message, oldest first, with their persons' settings. */
export async function lockUnplanned(tx: Database, limit: number) {
  const rule = and(eq(notificationRules.userId, notifications.userId), eq(notificationRules.kind, notifications.kind));
  return await tx
    .select({ notification: notifications, rule: notificationRules, settings: notificationSettings, isSettled: isSettled(layoutOf(tx)) })
    .from(notifications)
    .leftJoin(notificationRules, rule)
    .leftJoin(notificationSettings, eq(notificationSettings.userId, notifications.userId))
    .where(isNull(notifications.plannedAt))
    .orderBy(asc(notifications.createdAt))
    .limit(limit)
    .for("update", { of: notifications, skipLocked: true });
}

export type Collecting = { userId: string; channel: Outside; dueAt: Date; now: Date };

/**
 * The collecting message of that person and channel, created if there is none; locked until the transaction ends, so that nobody starts to
 * send it.
 */
export async function collectingMessage(tx: Database, { userId, channel, dueAt, now }: Collecting): Promise<string> {
  const [row] = await tx
    .insert(notificationMessages)
    .values({ id: randomUUID(), userId, channel, state: "open", dueAt, tries: 0, createdAt: now })
    .onConflictDoUpdate({
      target: [notificationMessages.userId, notificationMessages.channel],
      targetWhere: sql`state = 'open'`,
      set: { dueAt: sql`least(${notificationMessages.dueAt}, excluded.due_at)` },
    })
    .returning({ id: notificationMessages.id });
  if (row === undefined) throw new Error("a message that was inserted or found has no id");
  return row.id;
}

export async function recordPlanned(
  tx: Database,
  ids: readonly string[],
  carried: { mailId: string | null; webhookId: string | null },
  now: Date,
): Promise<void> {
  await tx
    .update(notifications)
    .set({ ...carried, plannedAt: now })
    .where(inArray(notifications.id, [...ids]));
}

export type ClaimedMessage = { id: string; userId: string; channel: Outside; tries: number; token: string };

/** A try takes less time; a dead worker's message is free again after this. */
const LEASE_SECONDS = 60;

/**
 * Leases due messages of a road, one a person, the longest due first. From here on a message collects no more: what it carries, and its id, are the
 * same at every try. `but`: whose messages are under way here already.
 */
export async function claimMessages(
  db: Database,
  { channel, token, limit, now, but }: { channel: Outside; token: string; limit: number; now: Date; but: readonly string[] },
): Promise<ClaimedMessage[]> {
  const at: SQL = sql`${now.toISOString()}::timestamptz`;
  const rows = await db.execute<{ id: string; userId: string; tries: number }>(sql`
    with due as (
      select m.id from notification_messages m
      where m.channel = ${channel} and m.due_at <= ${at} and (m.lease_until is null or m.lease_until <= ${at})
        and not (m.user_id::text = any(array(select jsonb_array_elements_text(${JSON.stringify(but)}::jsonb))))
        and not exists (
          select from notification_messages o where o.user_id = m.user_id and o.channel = m.channel and o.due_at is not null
            and o.id <> m.id and (o.lease_until > ${at} or (o.due_at, o.id) < (m.due_at, m.id)))
      order by m.due_at limit ${limit} for update of m skip locked
    )
    update notification_messages m set state = 'sending', tries = m.tries + 1, lease_token = ${token},
      lease_until = ${at} + ${LEASE_SECONDS} * interval '1 second'
    from due where m.id = due.id returning m.id, m.user_id as "userId", m.tries`);
  return rows.map((row) => ({ ...row, channel, token }));
}

/** What a message carries, for whom as they are at this moment, and by which rules. */
export async function readMessage(db: Database, { id, userId, channel }: ClaimedMessage) {
  const [person] = await db
    .select({ user: PERSON_COLUMNS, settings: notificationSettings })
    .from(users)
    .leftJoin(notificationSettings, eq(notificationSettings.userId, users.id))
    .where(eq(users.id, userId));
  if (person === undefined) return null;
  const carried = await db
    .select({ notification: notifications, rule: notificationRules, isSettled: isSettled(layoutOf(db)) })
    .from(notifications)
    .leftJoin(notificationRules, and(eq(notificationRules.userId, notifications.userId), eq(notificationRules.kind, notifications.kind)))
    .where(eq(channel === "mail" ? notifications.mailId : notifications.webhookId, id))
    .orderBy(asc(notifications.at), asc(notifications.id));
  return { ...person, carried };
}

export type MessageEnd = { state: "sent" | "given_up" | "dropped"; trouble: string | null } | { dueAt: Date; trouble: string };

/** Stores the outcome of a try while this worker still has the lease. Returns false otherwise. */
export async function settleMessage(db: Database, { id, token }: ClaimedMessage, end: MessageEnd, now: Date): Promise<boolean> {
  const change = "state" in end ? { state: end.state, dueAt: null, endedAt: now } : { dueAt: end.dueAt };
  const { count } = await db
    .update(notificationMessages)
    .set({ ...change, trouble: end.trouble, leaseUntil: null, leaseToken: null })
    .where(and(eq(notificationMessages.id, id), eq(notificationMessages.leaseToken, token)));
  return count > 0;
}

/** Deletes notifications sent before `before` (real time), and empty messages that ended then. Returns how many rows were deleted. */
export async function deleteDeliveredBefore(db: Database, before: Date, limit: number): Promise<number> {
  const old = db.select({ id: notifications.id }).from(notifications).where(lt(notifications.createdAt, before)).limit(limit);
  const param = await db.delete(notifications).where(inArray(notifications.id, old));
  const unused = and(
    lte(notificationMessages.endedAt, before),
    sql`not exists (select from notifications n where ${notificationMessages.id} in (n.mail_id, n.webhook_id))`,
  );
  const ended = db.select({ id: notificationMessages.id }).from(notificationMessages).where(unused).limit(limit);
  const messages = await db.delete(notificationMessages).where(inArray(notificationMessages.id, ended));
  return param.count + messages.count;
}

/** What the bell shows a person, the newest first. */
export async function listNotifications(db: Database, userId: string, limit: number) {
  return await db
    .select({ ...getTableColumns(notifications), isSettled: isSettled(layoutOf(db)) })
    .from(notifications)
    .where(and(eq(notifications.userId, userId), eq(notifications.inConsole, true)))
    .orderBy(desc(notifications.createdAt), desc(notifications.at), desc(notifications.id))
    .limit(limit);
}

/** One of the person's own, or all; those already read stay as they are. */
export async function markRead(db: Database, userId: string, id: string | null, now: Date): Promise<void> {
  const unread = and(eq(notifications.userId, userId), isNull(notifications.readAt), sql`${notifications.inConsole}`);
  await db
    .update(notifications)
    .set({ readAt: now })
    .where(id === null ? unread : and(unread, eq(notifications.id, id)));
}
