import { pgTable, smallint, text, unique } from "drizzle-orm/pg-core";
import { MEMBER_OUTCOMES } from "#domain/packed-transfers.ts";
import { transfers } from "./transfers.ts";

/** The payments of packed transactions. A payment is packed at most once, for ever; if that does not pay it, it is paid alone. */
export const packMembers = pgTable(
  "pack_members",
  {
    transferId: text()
      .primaryKey()
      .references(() => transfers.id),
    packId: text()
      .notNull()
      .references(() => transfers.id),
    /** Among the members of the call, from 0. */
    position: smallint().notNull(),
    /** Null: the packed transaction is under way. */
    outcome: text({ enum: MEMBER_OUTCOMES }),
    /** Where it was paid: the index of the token's event among the transaction's own logs, from 0. */
    logIndex: smallint(),
  },
  (table) => [
    unique("pack_members_position").on(table.packId, table.position),
    unique("pack_members_one_log").on(table.packId, table.logIndex),
  ],
);
