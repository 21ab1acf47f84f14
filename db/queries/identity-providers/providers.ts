import { and, asc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { identityProviders } from "#db/schema/identity-providers.ts";
import { partners } from "#db/schema/partners.ts";
import { users } from "#db/schema/people.ts";
import type { ProviderSettings } from "#domain/identity-provider.ts";

export type ProviderRecord = typeof identityProviders.$inferSelect;
/** One whose settings are in force. */
export type ProviderInForce = ProviderRecord & { settings: ProviderSettings };

/** Answers false, and adds nothing, when the slug is taken. */
export async function insertProvider(db: Database, provider: typeof identityProviders.$inferInsert): Promise<boolean> {
  const { count } = await db.insert(identityProviders).values(provider).onConflictDoNothing({ target: identityProviders.slug });
  return count > 0;
}

/** Whose it is never changes. */
export async function updateProvider(db: Database, id: string, change: Partial<Omit<ProviderRecord, "id" | "partnerId">>): Promise<void> {
  await db.update(identityProviders).set(change).where(eq(identityProviders.id, id));
}

const isThere = isNull(identityProviders.removedAt);

export async function lockProvider(db: Database, id: string): Promise<ProviderRecord | null> {
  const [row] = await db
    .select()
    .from(identityProviders)
    .where(and(eq(identityProviders.id, id), isThere))
    .for("update");
  return row ?? null;
}

const isInForce = and(isThere, isNotNull(identityProviders.settings));

/** By id, or by its token's hash; null unless its settings are in force. */
export async function findProvider(db: Database, by: { id: string } | { tokenHash: string }): Promise<ProviderInForce | null> {
  const key = "id" in by ? eq(identityProviders.id, by.id) : eq(identityProviders.directoryTokenHash, by.tokenHash);
  const [row] = await db.select().from(identityProviders).where(and(key, isInForce));
  return (row as ProviderInForce | undefined) ?? null;
}

/** Those of the operator (null) or of a partner, with who proposed a change. */
export async function listProviders(db: Database, partnerId: string | null) {
  const side = partnerId === null ? isNull(identityProviders.partnerId) : eq(identityProviders.partnerId, partnerId);
  return await db
    .select({ provider: identityProviders, drafterName: users.name })
    .from(identityProviders)
    .leftJoin(users, eq(users.id, identityProviders.draftedBy))
    .where(and(side, isThere))
    .orderBy(asc(identityProviders.createdAt), asc(identityProviders.id));
}

/** Partners' providers whose change waits for somebody. */
export async function listWaitingProviders(db: Database) {
  return await db
    .select({ provider: identityProviders, drafterName: users.name, partnerName: partners.name })
    .from(identityProviders)
    .innerJoin(partners, eq(partners.id, identityProviders.partnerId))
    .leftJoin(users, eq(users.id, identityProviders.draftedBy))
    .where(and(isThere, isNotNull(identityProviders.draft)))
    .orderBy(asc(identityProviders.draftedAt))
    .limit(100);
}

/** What the sign-in page offers: the operator's providers, or the one of that slug. */
export async function listChoices(db: Database, slug: string | null): Promise<{ id: string; name: string }[]> {
  const which = slug === null ? isNull(identityProviders.partnerId) : eq(identityProviders.slug, slug);
  const rows = await db
    .select({ id: identityProviders.id, settings: identityProviders.settings })
    .from(identityProviders)
    .where(and(which, isInForce))
    .orderBy(asc(identityProviders.createdAt))
    .limit(10);
  return rows.map(({ id, settings }) => ({ id, name: settings?.name ?? "" }));
}

/** The provider with which alone the people of that side may sign in; null: none. */
export async function findDuty(db: Database, partnerId: string | null): Promise<ProviderInForce | null> {
  const side = partnerId === null ? isNull(identityProviders.partnerId) : eq(identityProviders.partnerId, partnerId);
  const isDuty = sql`(${identityProviders.settings} ->> 'isDuty')::boolean`;
  const [row] = await db
    .select()
    .from(identityProviders)
    .where(and(side, isInForce, isDuty))
    .limit(1);
  return (row as ProviderInForce | undefined) ?? null;
}
