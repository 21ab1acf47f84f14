import { sql } from "drizzle-orm";
import { check, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";
import type { Metadata } from "#domain/metadata.ts";
import { BATCH_STATUSES } from "#domain/settlement-batch.ts";
import { apiKeys } from "./api-keys.ts";
import { partners } from "./partners.ts";

/**
 * Settlements that are made, confirmed and decided together (contract, part 11). What they come to is read from the settlements
 * themselves, by `settlements.batch_id`.
 */
export const settlementBatches = pgTable(
  "settlement_batches",
  {
    id: text().primaryKey(),
    partnerId: uuid()
      .notNull()
      .references(() => partners.id),
    /** The key that created it: its secret signs the callback. */
    apiKeyId: uuid()
      .notNull()
      .references(() => apiKeys.id),
    externalBatchId: text().notNull(),
    /** SHA-256 of the request's body, hex: a repeat must have the same. */
    bodySha256: text().notNull(),
    status: text({ enum: BATCH_STATUSES }).notNull(),
    itemCount: integer().notNull(),
    /** Receives `batch.completed`. Given at creation or at confirmation. */
    callbackUrl: text(),
    /** The `traceparent` of its creation; null: it was not traced. */
    trace: text(),
    /** The partner's own notes, for nothing of ours; null: none. */
    metadata: jsonb().$type<Metadata>(),
    createdAt: instant().notNull(),
    confirmedAt: instant(),
    cancelledAt: instant(),
    completedAt: instant(),
  },
  (table) => [
    index("settlement_batches_newest").on(table.partnerId, table.createdAt, table.id),
    uniqueIndex("settlement_batches_external_id").on(table.partnerId, table.externalBatchId),
    check("settlement_batches_item_count", sql`${table.itemCount} between 1 and 500`),
    check("settlement_batches_confirmed", sql`(${table.status} in ('processing', 'completed')) = (${table.confirmedAt} is not null)`),
    check("settlement_batches_cancelled", sql`(${table.status} = 'cancelled') = (${table.cancelledAt} is not null)`),
    check("settlement_batches_completed", sql`(${table.status} = 'completed') = (${table.completedAt} is not null)`),
  ],
);
