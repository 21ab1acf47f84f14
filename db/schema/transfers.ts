import { sql } from "drizzle-orm";
import { bigint, check, index, pgTable, smallint, text, unique, uuid } from "drizzle-orm/pg-core";
import { baseUnits, instant } from "#db/columns.ts";
import { TRANSFER_PURPOSES, TRANSFER_STATES } from "#server/domain/transfer.ts";
import { partners } from "./partners.ts";

/** What is owed on a chain, at most once per purpose and owner. */
export const transfers = pgTable(
  "transfers",
  {
    id: text().primaryKey(),
    purpose: text({ enum: TRANSFER_PURPOSES }).notNull(),
    ownerId: text().notNull(),
    partnerId: uuid().references(() => partners.id),
    chain: text().notNull(),
    currency: text().notNull(),
    tokenAddress: text(),
    tokenDecimals: smallint().notNull(),
    amountBase: baseUnits().notNull(),
    recipient: text().notNull(),
    state: text({ enum: TRANSFER_STATES }).notNull(),
    waitingReason: text(),
    reviewReason: text(),
    failureReason: text(),
    txHash: text(),
    blockNumber: bigint({ mode: "number" }),
    blockHash: text(),
    /** Business time; null once it is final or under review. */
    dueAt: instant(),
    /** Real time. */
    leaseUntil: instant(),
    leaseToken: uuid(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    executedAt: instant(),
  },
  (table) => [
    unique("transfers_once").on(table.purpose, table.ownerId),
    index("transfers_due").on(table.chain, table.dueAt).where(sql`due_at is not null`),
    index("transfers_state").on(table.state),
    check("transfers_amount", sql`${table.amountBase} > 0`),
  ],
);
