import { inArray, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { notifications } from "#db/schema/notifications.ts";
import { layoutOf } from "#db/transaction.ts";
import { DECIDABLE, isOver } from "./subjects.ts";

/** Before a webhook is asked to post them: of what is to be decided, the chat hears the decision too. */
export async function oweFollowUps(db: Database, ids: readonly string[]): Promise<void> {
  await db
    .update(notifications)
    .set({ followUp: "owed" })
    .where(sql`${inArray(notifications.id, [...ids])} and ${notifications.followUp} is null and ${notifications.kind} in ${DECIDABLE}`);
}

export type OwedFollowUp = { id: string; userId: string; partnerId: string | null; subjectId: string; detail: string };

/** Locks those that a chat has shown and that are decided now, oldest first. Those that another worker has are left out. */
export async function lockOwedFollowUps(tx: Database, limit: number): Promise<OwedFollowUp[]> {
  return await tx.execute<OwedFollowUp>(sql`
    select notifications.id, notifications.user_id as "userId", notifications.partner_id as "partnerId",
      notifications.subject_id as "subjectId", notifications.detail
    from notifications join notification_messages m on m.id = notifications.webhook_id
    where notifications.follow_up = 'owed' and m.state = 'sent' and ${isOver(layoutOf(tx))}
    order by notifications.created_at limit ${limit} for update of notifications skip locked`);
}

/** Stores the follow-up, one for each person and subject, as a notification that only the chat gets, and that it is owed no more. */
export async function enterFollowUp(tx: Database, { id, userId, partnerId, subjectId }: OwedFollowUp, sentence: string, now: Date) {
  await tx.execute(sql`
    insert into notifications (user_id, partner_id, kind, fact, subject_id, detail, at, in_console, created_at)
    values (${userId}, ${partnerId}, 'decided', ${`decided ${subjectId}`}, ${subjectId}, left(${sentence}, 200), business_now(), false,
      ${now.toISOString()}::timestamptz)
    on conflict (user_id, fact) do nothing`);
  await tx.execute(sql`update notifications set follow_up = 'done' where id = ${id}`);
}
