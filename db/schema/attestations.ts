import { sql } from "drizzle-orm";
import { check, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";

/**
 * One for each business day: what the worker has signed about the books. Workers write the same bytes to their folders. Append only. From
 * here on the content is fixed, so a crash before the file is written changes nothing.
 */
export const attestations = pgTable(
  "attestations",
  {
    /** `2026-11-27`. */
    day: text().primaryKey(),
    /** The whole file. */
    content: text().notNull(),
    /** Its SHA-256, by which the next one names it. */
    hash: text().notNull(),
    /** Business time. */
    madeAt: instant().notNull(),
  },
  (table) => [
    check("attestations_day", sql`${table.day} ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'`),
    check("attestations_hash", sql`${table.hash} ~ '^[0-9a-f]{64}$'`),
  ],
);
