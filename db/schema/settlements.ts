import { sql } from "drizzle-orm";
import { check, index, integer, jsonb, pgTable, smallint, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { instant, minorUnits, quoteColumns } from "#db/columns.ts";
import type { Metadata } from "#domain/metadata.ts";
import { APPROVAL_STATES, SETTLEMENT_STATUSES } from "#domain/settlement.ts";
import { apiKeys } from "./api-keys.ts";
import { eventColumns } from "./events.ts";
import { partners } from "./partners.ts";
import { pairTerms } from "./rates.ts";

/** The settlement (specification, part 2) with its present quote; every version is in `settlement_quotes`. */
export const settlements = pgTable(
  "settlements",
  {
    id: text().primaryKey(),
    partnerId: uuid()
      .notNull()
      .references(() => partners.id),
    apiKeyId: uuid()
      .notNull()
      .references(() => apiKeys.id),
    status: text({ enum: SETTLEMENT_STATUSES }).notNull(),
    approvalState: text({ enum: APPROVAL_STATES }),
    /** Its batch, with which it is confirmed and decided; null: it is on its own. */
    batchId: text(),
    externalTxId: text(),
    externalMerchantId: text().notNull(),
    sourceAmountMinor: minorUnits().notNull(),
    sourceCurrency: text().notNull(),
    destinationCurrency: text().notNull(),
    chain: text().notNull(),
    walletAddress: text().notNull(),
    tokenAddress: text(),
    tokenDecimals: smallint().notNull(),

    quoteVersion: integer().notNull(),
    ...quoteColumns(() => pairTerms.id),

    creationCallbackUrl: text(),
    callbackUrl: text(),
    /** The `traceparent` of its creation; null: it was not traced. */
    trace: text(),
    /** The partner's own notes, for nothing of ours; null: none. */
    metadata: jsonb().$type<Metadata>(),
    createdAt: instant().notNull(),
    confirmedAt: instant(),
    cancelledAt: instant(),
    approvalDecidedAt: instant(),
    rejectionReason: text(),
    txHash: text(),
    executedAt: instant(),
    failureReason: text(),
    /** null: it has not failed, or the version before ended it. */
    failedAt: instant(),
    ...eventColumns(),
  },
  (table) => [
    index("settlements_newest").on(table.partnerId, table.createdAt, table.id),
    uniqueIndex("settlements_external_tx_id").on(table.partnerId, table.externalTxId),
    index("settlements_merchant").on(table.partnerId, table.externalMerchantId, table.createdAt),
    // What people look for in the console, across all partners.
    index("settlements_newest_of_all").on(table.createdAt, table.id),
    index("settlements_unfinished").on(table.status, table.createdAt, table.id).where(sql`status in ('processing', 'failed')`),
    index("settlements_tx_hash").on(table.txHash).where(sql`tx_hash is not null`),
    index("settlements_executed").on(table.executedAt).where(sql`executed_at is not null`),
    index("settlements_decided").on(table.approvalDecidedAt).where(sql`approval_decided_at is not null`),
    // Also since when a partner has paid a wallet: the first payment is the first entry.
    index("settlements_wallet_paid").on(sql`lower(${table.walletAddress})`, table.partnerId, table.executedAt),
    index("settlements_approved").on(table.expiresAt).where(sql`status = 'quoted' and approval_state = 'approved'`),
    index("settlements_awaiting").on(table.createdAt).where(sql`status = 'quoted' and approval_state = 'pending'`),
    index("settlements_approval").on(table.approvalState, table.createdAt, table.id).where(sql`approval_state is not null`),
    index("settlements_open").on(table.expiresAt).where(sql`status = 'quoted'`),
    index("settlements_batch").on(table.batchId, table.status).where(sql`batch_id is not null`),
    index("settlements_amount").on(table.sourceCurrency, table.sourceAmountMinor),
    // One rule in a function: PostgreSQL reads and prepares the text of each check again for each statement.
    check(
      "settlements_sound",
      sql`settlement_is_sound(${table.status}, ${table.approvalState}, ${table.batchId}, ${table.sourceAmountMinor}, ${table.grossBase},
        ${table.platformFeeBase}, ${table.destinationAmountBase}, ${table.externalTxId}, ${table.callbackUrl}, ${table.confirmedAt}, ${table.txHash},
        ${table.executedAt}, ${table.failureReason})`,
    ),
  ],
);
