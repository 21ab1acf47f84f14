import { sql } from "drizzle-orm";
import { check, index, integer, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";
import type { AttemptTimings } from "#domain/callback.ts";
import { callbacks } from "./callbacks.ts";

/** Every attempt that began. One that a crash interrupted begins again under the same number. */
export const callbackAttempts = pgTable(
  "callback_attempts",
  {
    id: text().primaryKey(),
    callbackId: text()
      .notNull()
      .references(() => callbacks.id),
    series: integer().notNull(),
    /** 1 to 6; null: a manual attempt, besides the six. */
    number: integer(),
    scheduledAt: instant().notNull(),
    sentAt: instant().notNull(),
    endedAt: instant(),
    durationMs: integer(),
    requestHeaders: jsonb().$type<Record<string, string>>(),
    responseStatus: integer(),
    responseHeaders: jsonb().$type<Record<string, string>>(),
    /** The first 4 KiB of the answer, read as UTF-8. */
    responseBody: text(),
    /** Bytes of the answer's body that were read: 16 KiB at most. */
    responseBytes: integer(),
    /** The time of each step in milliseconds, without steps that were not reached or not needed. */
    timings: jsonb().$type<AttemptTimings>(),
    /** The kind of failure (`dns`, `refused`, `timeout`, `tls`, `blocked_address`, `status`, …); null when delivered. */
    errorKind: text(),
    /** A public sentence about it. */
    error: text(),
    /** The address that was connected to. */
    remoteAddress: text(),
    /** Its callback's. null: written by a version that did not say it. */
    partnerId: uuid(),
  },
  (table) => [
    unique("callback_attempts_once").on(table.callbackId, table.series, table.number),
    index().on(table.sentAt),
    check("callback_attempts_number", sql`${table.number} between 1 and 6`),
  ],
);
