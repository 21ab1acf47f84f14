import { bigint, boolean, pgTable } from "drizzle-orm/pg-core";

/** How far the sandbox's clock was moved: one row at most, none in live mode. Read through the function `business_now()`. */
export const businessClock = pgTable("business_clock", {
  onlyRow: boolean().primaryKey(),
  offsetMs: bigint({ mode: "number" }).notNull(),
});
