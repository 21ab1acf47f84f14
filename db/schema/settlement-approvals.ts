import { index, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";
import { settlements } from "./settlements.ts";

/**
 * Every approval of a settlement, including the deciding one. Append only. A decider (a person, or an operator's API key) has at most one
 * per settlement, whatever races.
 */
export const settlementApprovals = pgTable(
  "settlement_approvals",
  {
    settlementId: text()
      .notNull()
      .references(() => settlements.id),
    deciderType: text({ enum: ["user", "operator_key"] }).notNull(),
    deciderId: uuid().notNull(),
    approvedAt: instant().notNull(),
    note: text(),
    /** Its settlement's. null: written by a version that did not say it. */
    partnerId: uuid(),
  },
  (table) => [
    primaryKey({ columns: [table.settlementId, table.deciderType, table.deciderId] }),
    index("settlement_approvals_of_decider").on(table.deciderId, table.approvedAt),
  ],
);
