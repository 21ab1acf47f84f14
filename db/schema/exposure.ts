import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { baseUnits, instant } from "#db/columns.ts";
import { LIMIT_COUNTED_BY, LIMIT_KINDS, LIMIT_MODES, LIMIT_PURPOSES } from "#domain/exposure-limit.ts";
import { partners } from "./partners.ts";

/**
 * Every version of every limit. The one that was not replaced is in force. A limit's content never changes: a trigger allows only that a
 * version is replaced once. Amounts are in units of 10⁻¹⁸, whatever the token's own decimals.
 */
export const exposureLimits = pgTable(
  "exposure_limits",
  {
    id: text().notNull(),
    version: integer().notNull(),
    kind: text({ enum: LIMIT_KINDS }).notNull(),
    mode: text({ enum: LIMIT_MODES }).notNull(),
    /** What it concerns; null: whatever is paid. */
    purpose: text({ enum: LIMIT_PURPOSES }),
    /** Whom it concerns; null: any. */
    partnerId: uuid().references(() => partners.id),
    sourceCurrency: text(),
    destinationCurrency: text(),
    chain: text(),
    /** The counter of a velocity limit. */
    countedBy: text({ enum: LIMIT_COUNTED_BY }),
    windowSeconds: integer(),
    /** Either an amount, or a multiple of the pair's maximum. */
    amountAtto: baseUnits(),
    timesMaximum: integer(),
    waitSeconds: integer(),
    /** The destination of an allow-list, in lower case. */
    addresses: text().array(),
    reason: text().notNull(),
    /** Whose word it was; null: the service's own default. */
    madeBy: text(),
    madeAt: instant().notNull(),
    replacedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.id, table.version] }),
    uniqueIndex("exposure_limits_in_force").on(table.id).where(sql`replaced_at is null`),
    check("exposure_limits_kind", sql`${table.kind} ~ '^[a-z_]+$'`),
    check("exposure_limits_mode", sql`${table.mode} in ('enforce', 'dry_run', 'off')`),
  ],
);

/**
 * The amount that a limit has counted within a bucket of its window. Written under the counter's lock; the audit compares it with the
 * amounts in the verdicts. Buckets older than any window are deleted.
 */
export const exposureCounters = pgTable(
  "exposure_counters",
  {
    limitId: text().notNull(),
    /** The counted object: a partner, a pair, a destination, a member, a wallet. */
    counter: text().notNull(),
    /** Business time: where the stretch begins. */
    begins: instant().notNull(),
    amountAtto: baseUnits().notNull(),
  },
  (table) => [primaryKey({ columns: [table.limitId, table.counter, table.begins] }), index("exposure_counters_begins").on(table.begins)],
);
