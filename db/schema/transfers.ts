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
    /** A contract call in the plain payment's place, present when `call_data` is; `call_to` null then creates a contract. */
    callTo: text(),
    callValueBase: baseUnits(),
    callData: text(),
    /** The one wallet that may make it; null: any of ours. */
    callSender: text(),
    state: text({ enum: TRANSFER_STATES }).notNull(),
    waitingReason: text(),
    reviewReason: text(),
    failureReason: text(),
    txHash: text(),
    blockNumber: bigint({ mode: "number" }),
    blockHash: text(),
    /** Business time: since when the block that made it final is gone from the chain; null while it stands there. */
    adriftSince: instant(),
    /** An operator's wishes, which the worker fulfils: it alone signs. */
    cancelRequestedAt: instant(),
    bumpRequestedAt: instant(),
    /** Business time: since when it is owed; null once it is final or under review. */
    dueAt: instant(),
    /** Real time: who has it in hand, or until when it rests because it cannot move. */
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
    index("transfers_blocks").on(table.chain, table.blockNumber),
    index("transfers_adrift").on(table.chain).where(sql`adrift_since is not null`),
    check("transfers_amount", sql`${table.amountBase} > 0 or (${table.callData} is not null and ${table.amountBase} = 0)`),
    check(
      "transfers_call",
      sql`${table.callData} is not null or (${table.callTo} is null and ${table.callValueBase} is null and ${table.callSender} is null)`,
    ),
    check("transfers_final", sql`(${table.dueAt} is null) = (${table.state} in ('executed', 'failed', 'needs_review'))`),
    check(
      "transfers_executed",
      sql`(${table.state} = 'executed') = (${table.executedAt} is not null) and (${table.state} not in ('mined', 'executed') or ${table.txHash} is not null)`,
    ),
    check("transfers_adrift", sql`${table.adriftSince} is null or ${table.state} = 'executed'`),
    check("transfers_failed", sql`(${table.state} = 'failed') = (${table.failureReason} is not null)`),
  ],
);
