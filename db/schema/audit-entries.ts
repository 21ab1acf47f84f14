import { sql } from "drizzle-orm";
import { index, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";

/** Who changed what, and why. Append only: the application's role may insert and read, nothing else. */
export const auditEntries = pgTable(
  "audit_entries",
  {
    id: text().primaryKey(),
    at: instant().notNull(),
    partnerId: uuid(),
    actorType: text().notNull(),
    actorId: text(),
    action: text().notNull(),
    objectId: text().notNull(),
    reason: text(),
    /** What changed, in wire names. */
    change: jsonb().$type<Record<string, unknown>>().notNull(),
    requestId: text(),
  },
  (table) => [
    index().on(table.objectId),
    index().on(table.partnerId, table.at),
    index("audit_entries_failures").on(table.at).where(sql`action = 'settlement.failed'`),
    // What somebody decided, newest first.
    index("audit_entries_decisions")
      .on(table.actorId, table.id)
      .where(sql`action in ('settlement.approved', 'settlement.rejected', 'settlement.approval_recorded')`),
  ],
);
