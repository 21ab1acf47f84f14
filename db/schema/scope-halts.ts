import { sql } from "drizzle-orm";
import { check, index, jsonb, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";
import { HALT_SCOPE_KINDS } from "#domain/halt-scope.ts";

/**
 * Every halt of a scope, past and present. A row is written in the transaction that finds a broken invariant, and changed once, when it is
 * lifted; a trigger refuses everything else.
 */
export const scopeHalts = pgTable(
  "lane_halts",
  {
    id: text().primaryKey(),
    scopeKind: text("lane_kind", { enum: HALT_SCOPE_KINDS }).notNull(),
    scopeKey: text("lane_key").notNull(),
    cause: text().notNull(),
    detail: text().notNull(),
    evidence: jsonb().$type<Record<string, unknown>>().notNull(),
    /** Business time. */
    since: instant().notNull(),
    /** Who stopped it; null: the service itself. */
    haltedBy: text(),
    liftedAt: instant(),
    liftedBy: text(),
    /** The second person; null where one suffices. */
    liftConfirmedBy: text(),
    liftReason: text(),
  },
  (table) => [
    uniqueIndex("lane_halts_open").on(table.scopeKind, table.scopeKey).where(sql`lifted_at is null`),
    index("lane_halts_lane").on(table.scopeKind, table.scopeKey, table.since),
    check("lane_halts_kind", sql`${table.scopeKind} in ('wallet', 'chain', 'provider', 'partner', 'pair', 'all')`),
    check("lane_halts_cause", sql`${table.cause} ~ '^[a-z_]+$'`),
    check(
      "lane_halts_lifted",
      sql`(${table.liftedAt} is null) = (${table.liftedBy} is null) and (${table.liftedAt} is null) = (${table.liftReason} is null)`,
    ),
    check("lane_halts_two_people", sql`${table.liftConfirmedBy} is null or ${table.liftConfirmedBy} <> ${table.liftedBy}`),
  ],
);
