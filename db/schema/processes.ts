import { jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";

/**
 * The running workers, and web processes that share a port: a heartbeat, and the figures that `/metrics` adds to the answering process's
 * own. Real time.
 */
export const processes = pgTable("processes", {
  id: text().primaryKey(),
  kind: text().notNull(),
  startedAt: instant().notNull(),
  beatAt: instant().notNull(),
  metrics: jsonb().$type<unknown[]>().notNull(),
});
