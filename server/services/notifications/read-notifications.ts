import { deleteDeliveredBefore, listNotifications as list, markRead as mark } from "#db/queries/notifications/messages.ts";
import { countUnread as count, listSubjects, readSettled, type SubjectRecord } from "#db/queries/notifications/subjects.ts";
import type { UserRole } from "#domain/access.ts";
import { fiatAmount } from "#domain/money.ts";
import { isDecision, mayNotify, type NotificationKind, pageOf, sentenceOf } from "#domain/notification.ts";
import { isUuid } from "#domain/uuid.ts";
import type { Uses } from "#server/context.ts";

/** The pending decision as it is now; amounts are exact decimals in units of the currency, null for a proposal. */
export type Subject = {
  id: string;
  outcome: SubjectRecord["outcome"];
  /** Who decided; null: the service, or nobody yet. */
  by: string | null;
  amount: string | null;
  currency: string | null;
  merchant: string | null;
  partner: string | null;
};

/** `subject`: only for decisions. `isRead`: read, or no longer relevant. */
export type Noted = {
  id: string;
  kind: NotificationKind;
  text: string;
  page: string;
  at: Date;
  isRead: boolean;
  subject: Subject | null;
};

const SHOWN = 100;
const KEPT_MS = 60 * 86_400_000;

/** A person's notifications, newest first, as far as their role may see them today. */
export async function listNotifications(
  ctx: Uses<"db">,
  person: { userId: string; role: UserRole; partnerId: string | null },
): Promise<Noted[]> {
  const rows = await list(ctx.db, person.userId, SHOWN);
  const seen = rows.filter(({ kind, partnerId }) => mayNotify(person.role, kind) && partnerId === person.partnerId);
  const decidable = seen.filter(({ kind }) => isDecision(kind)).map(({ subjectId }) => subjectId);
  const subjects = new Map((await listSubjects(ctx.db, decidable)).map((each) => [each.id, subjectOf(each)]));
  return seen.map((row) => {
    const subject = subjects.get(row.subjectId) ?? null;
    const isRead = row.readAt !== null || row.isSettled;
    return { id: row.id, kind: row.kind, text: sentenceOf(row), page: pageOf(row), at: row.at, isRead, subject };
  });
}

function subjectOf({ id, outcome, by, settlement }: SubjectRecord): Subject {
  if (settlement === null) return { id, outcome, by, amount: null, currency: null, merchant: null, partner: null };
  const { sourceAmountMinor, ...rest } = settlement;
  return { id, outcome, by, amount: fiatAmount(sourceAmountMinor, rest.currency), ...rest };
}

/** The unread notifications that a person can still act on: decided ones do not count. */
export async function countUnread(ctx: Uses<"db">, userId: string): Promise<number> {
  return await count(ctx.db, userId);
}

/** One, or all. Notifications of other people stay unchanged. */
export async function markRead(ctx: Uses<"db" | "clock">, userId: string, id: string | null): Promise<void> {
  if (id !== null && !isUuid(id)) return;
  await mark(ctx.db, userId, id, ctx.clock.now());
}

/** Marks as read what is decided. Answers whether there may be more. */
export async function endDecided(ctx: Uses<"db" | "clock">): Promise<{ more: boolean }> {
  return { more: (await readSettled(ctx.db, ctx.clock.now(), 1_000)) >= 1_000 };
}

/** Deletes notifications after two months. Returns whether there may be more. */
export async function forgetDelivered(ctx: Uses<"db" | "clock">): Promise<{ more: boolean }> {
  const gone = await deleteDeliveredBefore(ctx.db, new Date(ctx.clock.now().getTime() - KEPT_MS), 1_000);
  return { more: gone >= 1_000 };
}
