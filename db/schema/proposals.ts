import { sql } from "drizzle-orm";
import { check, index, jsonb, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";

/**
 * What one of the operator's people has proposed and another one has to confirm before it happens. What was proposed, and by whom, never
 * changes; it is decided once. Names are those of the moment. Times are business time.
 */
export const proposals = pgTable(
  "proposals",
  {
    id: text().primaryKey(),
    /** What is to happen: the name of an entry in the register of kinds. */
    kind: text().notNull(),
    /** What it is about: an id, or the name of a thing. Of one kind and subject one proposal is open at most. */
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
