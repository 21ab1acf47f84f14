import { sql } from "drizzle-orm";
import { boolean, check, index, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { instant } from "#db/columns.ts";
import type { ProviderSettings } from "#domain/identity-provider.ts";
import { partners } from "./partners.ts";
import { users } from "./people.ts";

/** Where a company's people sign in: the operator's own providers (no partner) and each partner's. Times are real time. */
export const identityProviders = pgTable(
  "identity_providers",
  {
    id: uuid().primaryKey(),
    partnerId: uuid().references(() => partners.id),
    /** In the address of its sign-in page. */
    slug: text().notNull().unique(),
    /** In force; null: nobody has confirmed it yet. */
    settings: jsonb().$type<ProviderSettings>(),
    sealedClientSecret: text(),
    /** Proposed by one person, for another to confirm; null: nothing is proposed. */
    draft: jsonb().$type<ProviderSettings>(),
    sealedDraftSecret: text(),
    draftedBy: uuid().references(() => users.id),
    draftedAt: instant(),
    /** SHA-256, hex, of the bearer token of its directory (SCIM); null: it has none. */
    directoryTokenHash: text().unique(),
    createdAt: instant().notNull(),
    removedAt: instant(),
  },
  (table) => [
    index().on(table.partnerId),
    check("identity_providers_have_a_slug", sql`${table.slug} ~ '^[a-z0-9][a-z0-9-]{1,39}$'`),
    check(
      "identity_providers_name_who_drafts",
      sql`(${table.draft} is null) = (${table.draftedBy} is null) and (${table.draft} is null) = (${table.draftedAt} is null)`,
    ),
  ],
);

/** Who a provider's subject is here. An equal e-mail address joins nobody. Times are real time. */
export const identities = pgTable(
  "identities",
  {
    id: uuid().primaryKey(),
    issuer: text().notNull(),
    subject: text().notNull(),
    userId: uuid()
      .notNull()
      .references(() => users.id),
    providerId: uuid()
      .notNull()
      .references(() => identityProviders.id),
    createdAt: instant().notNull(),
    lastUsedAt: instant(),
  },
  (table) => [uniqueIndex("identities_are_one_person").on(table.issuer, table.subject), index().on(table.userId)],
);

/** What was asked of a provider, for one browser, once, within minutes. The browser alone has the secret. Times are real time. */
export const identityRequests = pgTable(
  "identity_requests",
  {
    /** SHA-256, hex. */
    secretHash: text().primaryKey(),
    providerId: uuid()
      .notNull()
      .references(() => identityProviders.id),
    purpose: text({ enum: ["sign_in", "step_up", "link"] }).notNull(),
    /** Null: nobody is signed in yet. */
    sessionId: uuid(),
    /** A page of the console. */
    target: text().notNull(),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    index().on(table.expiresAt),
    check("identity_requests_name_their_session", sql`(${table.sessionId} is null) = (${table.purpose} = 'sign_in')`),
  ],
);

/** The sign-outs that a provider has ordered: each counts once. Times are real time. */
export const providerSignOuts = pgTable(
  "provider_sign_outs",
  {
    providerId: uuid()
      .notNull()
      .references(() => identityProviders.id),
    jti: text().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.providerId, table.jti] }), index().on(table.expiresAt)],
);

/** A user as the company's directory names them (SCIM). Times are real time. */
export const directoryUsers = pgTable(
  "directory_users",
  {
    id: uuid().primaryKey(),
    providerId: uuid()
      .notNull()
      .references(() => identityProviders.id),
    /** The `sub` of the provider's ID tokens; null: the directory has not said it. */
    externalId: text(),
    userName: text().notNull(),
    /** What else the directory says, as it says it. */
    attributes: jsonb().$type<Record<string, unknown>>().notNull(),
    active: boolean().notNull(),
    /** When the directory shut the person out, as the person's row says it; null: it did not. */
    shutOutAt: instant(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    uniqueIndex("directory_users_by_subject").on(table.providerId, table.externalId),
    uniqueIndex("directory_users_by_name").on(table.providerId, sql`lower(${table.userName})`),
  ],
);

/** A group of the company's directory (SCIM). Times are real time. */
export const directoryGroups = pgTable(
  "directory_groups",
  {
    id: uuid().primaryKey(),
    providerId: uuid()
      .notNull()
      .references(() => identityProviders.id),
    externalId: text(),
    displayName: text().notNull(),
    /** Ids of directory users. */
    members: jsonb().$type<string[]>().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [uniqueIndex("directory_groups_by_name").on(table.providerId, table.displayName)],
);
