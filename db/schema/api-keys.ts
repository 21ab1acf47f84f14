import { index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";
import { partners } from "./partners.ts";

/** API keys: the key stored hashed, its secret sealed (contract, part 3). Times are real time but for `createdAt`. */
export const apiKeys = pgTable(
  "api_keys",
  {
    id: uuid().primaryKey(),
    /** null: an operator's key. */
    partnerId: uuid().references(() => partners.id),
    name: text().notNull(),
    /** SHA-256 of the key, hex. */
    keyHash: text().notNull().unique(),
    lastFour: text().notNull(),
    sealedSecret: text().notNull(),
    scopes: text().array().notNull(),
    /** Addresses and CIDR ranges; empty: any. */
    allowedIps: text().array().notNull(),
    /** Business time, like every instant that says when a thing was made. */
    createdAt: instant().notNull(),
    expiresAt: instant(),
    revokedAt: instant(),
    lastUsedAt: instant(),
    /** Where the use came from that `lastUsedAt` noted. */
    lastUsedAddress: text(),
  },
  (table) => [index().on(table.partnerId)],
);
