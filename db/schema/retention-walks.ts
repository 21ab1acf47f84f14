import { pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";

/** The position of each kind's walk over rows to archive, so that skipped rows are not read again all the time. */
export const retentionWalks = pgTable("retention_walks", {
  kind: text().primaryKey(),
  /** The last id that was read; empty: none. */
  after: text().notNull(),
  /** Business time: when the walk began. */
  begunAt: instant().notNull(),
});
