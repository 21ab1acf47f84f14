import { sql } from "drizzle-orm";
import { boolean, check, index, integer, pgTable, primaryKey, smallint, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { instant, leaseColumns } from "#db/columns.ts";
import { NOTIFICATION_KINDS, OUTSIDE } from "#domain/notification.ts";
import { DIGESTS } from "#domain/notification-hours.ts";
import { partners } from "./partners.ts";
import { users } from "./people.ts";

/** A person's channels for a kind of notification; no row: the defaults. */
export const notificationRules = pgTable(
  "notification_rules",
  {
    userId: uuid()
      .notNull()
      .references(() => users.id),
    kind: text({ enum: NOTIFICATION_KINDS }).notNull(),
    console: boolean().notNull(),
    mail: boolean().notNull(),
    webhook: boolean().notNull(),
    /** Business time: earlier facts are not notified. */
    since: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.kind] })],
);

/** When and where to; no row: as usual. */
export const notificationSettings = pgTable("notification_settings", {
  userId: uuid()
    .primaryKey()
    .references(() => users.id),
  /** Anyone who knows it can post there: encrypted. */
  sealedWebhookUrl: text(),
  /** What of it is shown. */
  webhookHost: text(),
  digest: text({ enum: DIGESTS }).notNull(),
  quietFrom: smallint(),
  quietTo: smallint(),
  zone: text().notNull(),
  /** Until then (real time) the person is away, and another one is asked for the decisions too; both or neither. */
  awayUntil: instant(),
  substituteId: uuid().references(() => users.id),
});

/** An external message: one mail, or one call of a webhook, about one or more facts. Times are real time. */
export const notificationMessages = pgTable(
  "notification_messages",
  {
    /** Sent to the receiver: the same at every try. */
    id: uuid().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id),
    channel: text({ enum: OUTSIDE }).notNull(),
    /**
     * `open` is still collecting; its content is fixed from the first try on. `dropped`: it contained nothing any more that its person may
     * see.
     */
    state: text({ enum: ["open", "sending", "sent", "given_up", "dropped"] }).notNull(),
    /** Null once it is over. */
    dueAt: instant(),
    tries: integer().notNull(),
    /** The result of the last try, in words without addresses. */
    trouble: text(),
    ...leaseColumns(),
    createdAt: instant().notNull(),
    endedAt: instant(),
  },
  (table) => [
    uniqueIndex("notification_messages_open").on(table.userId, table.channel).where(sql`state = 'open'`),
    index("notification_messages_due").on(table.channel, table.dueAt).where(sql`due_at is not null`),
    index("notification_messages_ended").on(table.endedAt).where(sql`ended_at is not null`),
    check("notification_messages_end", sql`(${table.state} in ('open', 'sending')) = (${table.dueAt} is not null)`),
  ],
);

/** One fact for one person: stored once, however often it is found. */
export const notifications = pgTable(
  "notifications",
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid()
      .notNull()
      .references(() => users.id),
    /** The person's partner at that time; null: an operator's user. */
    partnerId: uuid().references(() => partners.id),
    kind: text({ enum: NOTIFICATION_KINDS }).notNull(),
    /** Names the fact among all that there ever are. */
    fact: text().notNull(),
    subjectId: text().notNull(),
    detail: text().notNull(),
    /** Business time. */
    at: instant().notNull(),
    /** Whether the bell shows it. */
    inConsole: boolean().notNull(),
    /** Real time, as all that follows. */
    createdAt: instant().notNull(),
    readAt: instant(),
    /** When it was decided which messages carry it. */
    plannedAt: instant(),
    mailId: uuid().references(() => notificationMessages.id),
    webhookId: uuid().references(() => notificationMessages.id),
    /** Whether the chat that showed it is still to hear the decision; null: no chat has shown it. */
    followUp: text({ enum: ["owed", "done"] }),
  },
  (table) => [
    uniqueIndex("notifications_once").on(table.userId, table.fact),
    // An overdue decision is passed on to one person, once.
    uniqueIndex("notifications_escalated").on(table.fact).where(sql`kind = 'decision_overdue' and fact like 'escalated %'`),
    index("notifications_overdue_of").on(table.userId, table.createdAt).where(sql`kind = 'decision_overdue'`),
    index("notifications_newest").on(table.userId, table.createdAt, table.id),
    index("notifications_unread").on(table.userId).where(sql`read_at is null and in_console`),
    index("notifications_unplanned").on(table.createdAt).where(sql`planned_at is null`),
    index("notifications_mail").on(table.mailId),
    index("notifications_webhook").on(table.webhookId),
    index("notifications_owed_follow_up").on(table.createdAt).where(sql`follow_up = 'owed'`),
    index("notifications_age").on(table.createdAt),
    index().on(table.partnerId),
  ],
);
