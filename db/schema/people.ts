import { sql } from "drizzle-orm";
import { boolean, check, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";
import { partners } from "./partners.ts";

/** Users (contract, part 7): operator users have no partner, partner users have one. */
export const users = pgTable(
  "users",
  {
    id: uuid().primaryKey(),
    /** In lower case. */
    email: text().notNull().unique(),
    name: text().notNull(),
    passwordHash: text().notNull(),
    role: text({ enum: ["admin", "approver", "viewer", "owner", "staff"] }).notNull(),
    partnerId: uuid().references(() => partners.id),
    /** The encrypted secret of its one-time codes; null: no codes. */
    sealedTotpSecret: text(),
    /** A secret that was shown and is not confirmed by a code yet; encrypted. */
    sealedTotpDraft: text(),
    /** Whether there is such a secret, for those who may not see it. */
    hasTotp: boolean().generatedAlwaysAs(sql`"sealed_totp_secret" is not null`).notNull(),
    /** The half minute whose code was used last: a code works once. */
    lastTotpStep: integer(),
    createdAt: instant().notNull(),
    disabledAt: instant(),
    /** When somebody else confirmed the devices of a person who decides; null: nobody has, or they were reset since. Business time. */
    deviceConfirmedAt: instant(),
    /** Who did; null with a time: a command on the machine. */
    deviceConfirmedBy: uuid(),
  },
  (table) => [
    check("users_role_fits_partner", sql`(${table.partnerId} is null) = (${table.role} in ('admin', 'approver', 'viewer'))`),
    check("users_email_is_lower_case", sql`${table.email} = lower(${table.email})`),
  ],
);

/** One sign-in to the console. Looked up on every call, so that ending it is effective at once. Times are real time. */
export const sessions = pgTable(
  "sessions",
  {
    id: uuid().primaryKey(),
    /** SHA-256, hex, of the secret in the browser's encrypted cookie. */
    sidHash: text().notNull().unique(),
    userId: uuid()
      .notNull()
      .references(() => users.id),
    createdAt: instant().notNull(),
    lastSeenAt: instant().notNull(),
    expiresAt: instant().notNull(),
    revokedAt: instant(),
    /** When its person last gave the password or a one-time code; null: never since. */
    steppedUpAt: instant(),
    /** Whether that was a one-time or recovery code: a second factor. */
    steppedUpByCode: boolean().notNull().default(false),
    /** While set, its person, an operator's user, views the console as that partner's staff does. */
    viewingAsPartnerId: uuid().references(() => partners.id),
    /** The company's identity that opened it; null: a password did. */
    identityId: uuid(),
    /** The provider's own session, which the provider may end. */
    providerSid: text(),
    /** Whether the provider proved a second factor. */
    provenByProvider: boolean().notNull().default(false),
    address: text().notNull(),
    userAgent: text(),
  },
  (table) => [index().on(table.userId), index().on(table.expiresAt)],
);

/** Access tokens, stored hashed: short-lived, and revoked by a row, not by expiry. Times are real time. */
export const accessTokens = pgTable(
  "access_tokens",
  {
    id: uuid().primaryKey(),
    /** SHA-256, hex. */
    tokenHash: text().notNull().unique(),
    userId: uuid()
      .notNull()
      .references(() => users.id),
    /** Whether the log-in used a one-time or recovery code besides the password. */
    byCode: boolean().notNull().default(false),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    revokedAt: instant(),
  },
  (table) => [index().on(table.userId), index().on(table.expiresAt)],
);

/** What a person signs in with when the authenticator is lost: each works once. Times are real time. */
export const recoveryCodes = pgTable(
  "recovery_codes",
  {
    userId: uuid()
      .notNull()
      .references(() => users.id),
    /** SHA-256, hex. */
    codeHash: text().notNull(),
    createdAt: instant().notNull(),
    spentAt: instant(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
);

/** From which addresses a person has signed in before: there no stranger's guessing can throttle it. Real time. */
export const loginOrigins = pgTable(
  "login_origins",
  {
    userId: uuid()
      .notNull()
      .references(() => users.id),
    address: text().notNull(),
    lastSuccessAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.address] })],
);

/**
 * How much a budget is used up that all processes share: a log-in's, by account and address, by address, by account; a partner's of
 * sample callbacks. No row is a full budget. `full_at` (real time) is when it would be full again if nothing else came.
 */
export const loginThrottles = pgTable(
  "login_throttles",
  {
    /** SHA-256 of what is throttled, so that no list of tried names lies about. */
    key: text().primaryKey(),
    fullAt: instant().notNull(),
  },
  (table) => [index().on(table.fullAt)],
);

/** Invitations with their roles. The link is shown only once and stored hashed. Times are real time. */
export const invitations = pgTable(
  "invitations",
  {
    id: uuid().primaryKey(),
    /** In lower case. */
    email: text().notNull(),
    role: text({ enum: ["admin", "approver", "viewer", "owner", "staff"] }).notNull(),
    partnerId: uuid().references(() => partners.id),
    /** SHA-256, hex. */
    tokenHash: text().notNull().unique(),
    invitedBy: uuid()
      .notNull()
      .references(() => users.id),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    /** When the worker mails a link to the address, which nobody else gets; null: it need not, or has. */
    mailDueAt: instant(),
    /** An invitation ends once: it is accepted, or withdrawn. */
    acceptedAt: instant(),
    withdrawnAt: instant(),
  },
  (table) => [
    check("invitations_role_fits_partner", sql`(${table.partnerId} is null) = (${table.role} in ('admin', 'approver', 'viewer'))`),
    check("invitations_email_is_lower_case", sql`${table.email} = lower(${table.email})`),
    check("invitations_end_once", sql`${table.acceptedAt} is null or ${table.withdrawnAt} is null`),
    index().on(table.partnerId, table.createdAt),
    index().on(table.email),
  ],
);

/** A saved view of a list, for its owner or for everybody of the owner's organisation. */
export const savedViews = pgTable(
  "saved_views",
  {
    id: text().primaryKey(),
    ownerId: uuid()
      .notNull()
      .references(() => users.id),
    /** The owner's organisation; null: the operator. */
    partnerId: uuid().references(() => partners.id),
    name: text().notNull(),
    shared: boolean().notNull(),
    /** The list's URL parameters: filters and columns, never a position. */
    params: jsonb().$type<Record<string, string>>().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    uniqueIndex("saved_views_name").on(table.ownerId, table.name),
    index("saved_views_shared").on(table.partnerId).where(sql`shared`),
    check("saved_views_have_a_name", sql`length(${table.name}) between 1 and 60`),
  ],
);
