import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";
import { users } from "./people.ts";

/** A key pair in somebody's device that proves who they are: of it only the public half is here. Times are real time. */
export const passkeys = pgTable(
  "passkeys",
  {
    id: uuid().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id),
    /** What its person calls it. */
    name: text().notNull(),
    /** As the device names it, base64url. */
    credentialId: text().notNull().unique(),
    /** COSE, base64url. */
    publicKey: text().notNull(),
    /** How often it signed, as the device says; 0 for ever where it does not count. */
    signCount: bigint({ mode: "number" }).notNull(),
    /** How the browser reaches it. */
    transports: jsonb().$type<string[]>().notNull(),
    /** The kind of device, as its maker names it. */
    aaguid: text().notNull(),
    /** Whether it may be copied to other devices of its person, and whether it is. */
    syncs: boolean().notNull(),
    backedUp: boolean().notNull(),
    createdAt: instant().notNull(),
    lastUsedAt: instant(),
  },
  (table) => [index().on(table.userId), check("passkeys_have_a_name", sql`length(${table.name}) between 1 and 60`)],
);

/** What a device is to sign: for one purpose, one person and one session, once, within minutes. Times are real time. */
export const passkeyChallenges = pgTable(
  "passkey_challenges",
  {
    /** SHA-256, hex, of what the browser brings back with the answer. */
    ticketHash: text().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id),
    purpose: text({ enum: ["register", "step_up", "sign_in", "decide"] }).notNull(),
    /** Null: nobody is signed in yet. */
    sessionId: uuid(),
    challenge: text().notNull(),
    /** What is decided, whose hash the challenge is; null for every other purpose. */
    record: text(),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    index().on(table.userId),
    check("passkey_challenges_name_their_session", sql`(${table.sessionId} is null) = (${table.purpose} = 'sign_in')`),
  ],
);
