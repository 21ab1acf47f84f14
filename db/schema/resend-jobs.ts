import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";
import type { ResendSelection } from "#domain/callback-group.ts";
import { callbacks } from "./callbacks.ts";
import { partners } from "./partners.ts";

/**
 * Callbacks that were resent together. The transaction that writes the job restarts all of them, and the callbacks themselves show its
 * progress: a crash cannot leave it half done.
 */
export const resendJobs = pgTable(
  "resend_jobs",
  {
    id: text().primaryKey(),
    /** null: an operator's, across partners. */
    partnerId: uuid().references(() => partners.id),
    actorType: text().notNull(),
    actorId: text(),
    selection: jsonb().$type<ResendSelection>().notNull(),
    /** Business time. */
    createdAt: instant().notNull(),
    /** When somebody called off what had not been tried yet. */
    abortedAt: instant(),
    abortedById: uuid(),
  },
  (table) => [index().on(table.partnerId, table.createdAt)],
);

/** One callback of a job, and the series of attempts that the job began. */
export const resendJobItems = pgTable(
  "resend_job_items",
  {
    jobId: text()
      .notNull()
      .references(() => resendJobs.id),
    callbackId: text()
      .notNull()
      .references(() => callbacks.id),
    series: integer().notNull(),
    /** When it had been given up before, and is again when the job is aborted before it was tried. */
    undeliveredAt: instant().notNull(),
    /** The job was aborted before it was tried: it is as it was before. */
    skippedAt: instant(),
  },
  (table) => [primaryKey({ columns: [table.jobId, table.callbackId] }), index().on(table.callbackId)],
);
