import { sql } from "drizzle-orm";
import { bigint, check, index, pgTable, smallint, text, unique, uuid } from "drizzle-orm/pg-core";
import { baseUnits, instant } from "#db/columns.ts";
import { TRANSFER_PURPOSES, TRANSFER_STATES, WAITING_KINDS } from "#domain/transfer.ts";
import { partners } from "./partners.ts";

/** Payments on a chain, at most one per purpose and owner. */
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
    /** The only wallet that may pay it; null: any of ours. */
    callSender: text(),
    state: text({ enum: TRANSFER_STATES }).notNull(),
    waitingReason: text(),
    /** The same in a word for the partner; `review` while people look into it. Null: it moves. */
    waitingKind: text({ enum: WAITING_KINDS }),
    /** Business time: since when it waits for that. */
    waitingSince: instant(),
    reviewReason: text(),
    failureReason: text(),
    txHash: text(),
    blockNumber: bigint({ mode: "number" }),
    blockHash: text(),
    /** Business time since which the block that made it final is gone from the chain; null while it is there. */
    orphanedSince: instant("adrift_since"),
    /** An operator's orders, which the worker carries out, because only it signs. */
    cancelRequestedAt: instant(),
    bumpRequestedAt: instant(),
    /** Business time: since when it is owed; null once it is final or under review. */
    dueAt: instant(),
    /** Real time: until when a worker has it in hand. The release before this one rests by it, so that for now a rest is written to both. */
    leaseUntil: instant(),
    leaseToken: uuid(),
    /** Real time until which it is postponed because it is blocked. */
    restUntil: instant(),
    /** Its owner's `traceparent`; null: it was not traced. */
    trace: text(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    executedAt: instant(),
  },
  (table) => [
    unique("transfers_once").on(table.purpose, table.ownerId),
    index("transfers_due").on(table.chain, table.dueAt).where(sql`due_at is not null`),
    index("transfers_unfinished").on(table.chain).where(sql`executed_at is null and failure_reason is null`),
    index("transfers_block").on(table.chain, table.blockNumber),
    // Only the version before reads these two. Without them, an update from one open state to another writes to no index (HOT): the next
    // release drops them.
    index("transfers_state").on(table.state),
    index("transfers_promised")
      .on(table.chain, table.currency, table.blockNumber, table.state, table.amountBase)
      .where(sql`state <> 'failed' and call_data is null`),
    index("transfers_adrift").on(table.chain).where(sql`adrift_since is not null`),
    // As in `settlements`.
    check(
      "transfers_sound",
      sql`transfer_is_sound(${table.state}, ${table.amountBase}, ${table.callTo}, ${table.callValueBase}, ${table.callData}, ${table.callSender},
        ${table.dueAt}, ${table.executedAt}, ${table.txHash}, ${table.failureReason}, ${table.waitingKind}, ${table.orphanedSince})`,
    ),
  ],
);
