import { sql } from "drizzle-orm";
import { check, index, jsonb, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";

/**
 * Actions that one of the operator's people has proposed and another has to confirm. Content and author never change, and it is decided
 * once. Names are those at the time. Times are business time.
 */
export const proposals = pgTable(
  "proposals",
  {
    id: text().primaryKey(),
    /** The proposed action: the name of an entry in the register of kinds. */
    kind: text().notNull(),
    /** Its subject: an id, or a name. A kind and subject have at most one open proposal. */
    subject: text().notNull(),
    /** In wire names; what is secret in it is sealed. */
    body: jsonb().$type<unknown>().notNull(),
    reason: text(),
    proposerType: text({ enum: ["user", "operator_key"] }).notNull(),
    proposerId: uuid().notNull(),
    proposerName: text().notNull(),
    proposedAt: instant().notNull(),
    deciderType: text({ enum: ["user", "operator_key"] }),
    deciderId: uuid(),
    deciderName: text(),
    decidedAt: instant(),
    outcome: text({ enum: ["open", "carried_out", "withdrawn"] })
      .notNull()
      .default("open"),
  },
  (table) => [
    check(
      "proposals_are_open_or_decided",
      sql`(${table.outcome} = 'open') = (${table.decidedAt} is null) and (${table.outcome} = 'open') = (${table.deciderType} is null)
        and (${table.deciderType} is null) = (${table.deciderId} is null) and (${table.deciderType} is null) = (${table.deciderName} is null)`,
    ),
    uniqueIndex("proposals_open").on(table.kind, table.subject).where(sql`outcome = 'open'`),
    index().on(table.proposedAt),
  ],
);
