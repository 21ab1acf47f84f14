import { countUnread as count, deleteToldBefore, listNotifications as list, markRead as mark } from "#db/queries/notifications/messages.ts";
import type { UserRole } from "#domain/access.ts";
import { mayBeTold, type NotificationKind, pageOf, sentenceOf } from "#domain/notification.ts";
import { isUuid } from "#domain/uuid.ts";
import type { Uses } from "#server/context.ts";

export type Noted = { id: string; kind: NotificationKind; text: string; page: string; at: Date; isRead: boolean };

const SHOWN = 100;
const KEPT_MS = 60 * 86_400_000;

/** What somebody was told of, the newest first: as much of it as their role may see today. */
export async function listNotifications(
  ctx: Uses<"db">,
  person: { userId: string; role: UserRole; partnerId: string | null },
): Promise<Noted[]> {
  const rows = await list(ctx.db, person.userId, SHOWN);
  return rows
    .filter(({ kind, partnerId }) => mayBeTold(person.role, kind) && partnerId === person.partnerId)
    .map((row) => ({ id: row.id, kind: row.kind, text: sentenceOf(row), page: pageOf(row), at: row.at, isRead: row.readAt !== null }));
}

export async function countUnread(ctx: Uses<"db">, userId: string): Promise<number> {
  return await count(ctx.db, userId);
}

/** One, or all. What is somebody else's stays as it is. */
export async function markRead(ctx: Uses<"db" | "clock">, userId: string, id: string | null): Promise<void> {
  if (id !== null && !isUuid(id)) return;
  await mark(ctx.db, userId, id, ctx.clock.now());
}

/** What was told two months ago is forgotten. Answers whether there may be more. */
export async function forgetTold(ctx: Uses<"db" | "clock">): Promise<{ more: boolean }> {
  const gone = await deleteToldBefore(ctx.db, new Date(ctx.clock.now().getTime() - KEPT_MS), 1_000);
  return { more: gone >= 1_000 };
}
