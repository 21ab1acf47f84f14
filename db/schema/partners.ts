import { integer, numeric, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";

/** The companies that use the service (specification, part 2). */
export const partners = pgTable("partners", {
  id: uuid().primaryKey(),
  name: text().notNull(),
  slug: text().notNull().unique(),
  roles: text().array().notNull(),
  status: text({ enum: ["active", "suspended"] }).notNull(),
  walletAddress: text(),
  chargeFeePercentage: numeric({ precision: 7, scale: 4 }).notNull(),
  /** Requests a second; null: the service's own limit; 0: none. */
  writesPerSecond: integer(),
  readsPerSecond: integer(),
  /** When a receiver of the partner last passed every check; null: none has. Real time. */
  receiverCertifiedAt: instant(),
  createdAt: instant().notNull(),
  updatedAt: instant().notNull(),
});
