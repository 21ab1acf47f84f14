import { sql } from "drizzle-orm";
import { index, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";
import { WORD_EFFECTS, WORD_SOURCES } from "#domain/fiat.ts";

/** Every word of the fiat provider's about an order, whatever it did: never changed, never deleted. */
export const providerEvents = pgTable(
  "provider_events",
  {
    id: text().primaryKey(),
    /** Our `wd_…` or `tu_…`; of an order that we do not know, what the provider called it. */
    orderId: text().notNull(),
    source: text({ enum: WORD_SOURCES }).notNull(),
    status: text({ enum: ["succeeded", "failed"] }).notNull(),
    reference: text(),
    reason: text(),
    effect: text({ enum: [...WORD_EFFECTS, "unknown_order"] }).notNull(),
    /** The bytes of its call as they came; null for what it said when asked. */
    body: text(),
    /** Business time. */
    receivedAt: instant().notNull(),
  },
  (table) => [
    index("provider_events_of_order").on(table.orderId, table.id),
    index("provider_events_contradictions").on(table.receivedAt).where(sql`effect in ('contradicted', 'unknown_order')`),
  ],
);
