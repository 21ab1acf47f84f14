import { pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";

/** How far the walk over what may go to the archive has come, for each kind: what was passed over once is not read again all the time. */
export const retentionWalks = pgTable("retention_walks", {
  kind: text().primaryKey(),
  /** The last id that was looked at; empty: none. */
  after: text().notNull(),
  /** Business time: when the walk began. */
  begunAt: instant().notNull(),
});
