import { type AnyPgColumn, boolean, index, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";
import { partners } from "./partners.ts";
import { users } from "./people.ts";

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
    /** Whose decisions the key's count as where two people are needed: the person who got its secret; null: the person who runs the machine. */
    madeBy: uuid().references(() => users.id),
    /** Whether what it changes on the partner-management surface has to be signed (contract, part 10). */
    signedManagement: boolean().notNull().default(false),
    /** Whether its reads there have to be signed as well. */
    signedReads: boolean().notNull().default(false),
    /** The key that made this one, or rotated it; null: no key did, or it was made before 1.2.0. */
    madeByKey: uuid().references((): AnyPgColumn => apiKeys.id),
    /** The key that this one took the place of. */
    rotatedFrom: uuid().references((): AnyPgColumn => apiKeys.id),
    /** Business time, like every instant that says when a thing was made. */
    createdAt: instant().notNull(),
    expiresAt: instant(),
    revokedAt: instant(),
    lastUsedAt: instant(),
    /** The address of the use that `lastUsedAt` records. */
    lastUsedAddress: text(),
    /** When each operation was last called, by its id. */
    lastUses: jsonb().$type<Record<string, string>>().notNull().default({}),
  },
  (table) => [index().on(table.partnerId), index().on(table.rotatedFrom), index().on(table.madeByKey)],
);
