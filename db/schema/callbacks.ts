import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { instant, leaseColumns } from "#db/columns.ts";
import { CALLBACK_STATES, type CallbackEvent } from "#domain/callback.ts";
import { apiKeys } from "./api-keys.ts";
import { partners } from "./partners.ts";

/** The callbacks, each written in the transaction of the change that causes it, with a fixed body (contract, part 4). */
export const callbacks = pgTable(
  "callbacks",
  {
    id: text().primaryKey(),
    partnerId: uuid()
      .notNull()
      .references(() => partners.id),
    /** Its subject: a settlement's `tx_…`, a withdrawal's or a top-up's id. */
    subjectId: text().notNull(),
    /** The key that created the subject: its secret signs the mirrored scheme. */
    apiKeyId: uuid()
      .notNull()
      .references(() => apiKeys.id),
    event: text().$type<CallbackEvent>().notNull(),
    url: text().notNull(),
    /** Partner and origin: callbacks of one queue share its capacity. */
    queue: text("lane").notNull(),
    body: text().notNull(),
    state: text({ enum: CALLBACK_STATES }).notNull(),
    series: integer().notNull(),
    /** The number, 1 to 6, of the attempt that is due at `due_at`. */
    nextNumber: integer().notNull(),
    /** Business time; null once delivered or undelivered. */
    dueAt: instant(),
    /** The requested manual attempt that has not ended yet: the id that it has or will have. */
    extraAttemptId: text(),
    /** Business time of the request. */
    extraAskedAt: instant(),
    /** When the first attempt failed that no success has followed; business time. It is null while nothing is wrong. */
    failingSince: instant(),
    ...leaseColumns(),
    /** The `traceparent` of its subject; null: that was not traced. */
    trace: text(),
    createdAt: instant().notNull(),
    deliveredAt: instant(),
    undeliveredAt: instant(),
    /** Business time: when the attempts that there were until then went to the archive. */
    attemptsArchivedAt: instant(),
  },
  (table) => [
    index("callbacks_newest").on(table.partnerId, table.id),
    uniqueIndex("callbacks_once_per_event").on(table.subjectId, table.event),
    index("callbacks_lanes").on(table.queue, table.dueAt).where(sql`due_at is not null`),
    index("callbacks_due").on(table.dueAt).where(sql`due_at is not null`),
    index("callbacks_undelivered").on(table.partnerId, table.undeliveredAt).where(sql`state = 'undelivered'`),
    index("callbacks_extra").on(table.queue, table.extraAskedAt).where(sql`extra_attempt_id is not null`),
    index("callbacks_failing").on(table.partnerId, table.failingSince).where(sql`failing_since is not null`),
    check("callbacks_extra_is_asked", sql`(${table.extraAttemptId} is null) = (${table.extraAskedAt} is null)`),
    check("callbacks_pending_is_due", sql`(${table.state} = 'pending') = (${table.dueAt} is not null)`),
    check("callbacks_six_attempts", sql`${table.nextNumber} between 1 and 6`),
  ],
);
