import { and, count, desc, eq, isNull, lt, or, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { apiKeys } from "#db/schema/api-keys.ts";
import { partners } from "#db/schema/partners.ts";
import { SCOPES, type Scope } from "#server/domain/access.ts";
import type { ApiKey } from "#server/domain/api-key.ts";
import { contains, type Page, type PageRequest } from "./search.ts";

export type NewApiKey = Omit<ApiKey, "partner" | "revokedAt" | "lastUsedAt" | "lastUsedAddress"> & {
  partnerId: string | null;
  keyHash: string;
};

export async function insertApiKey(db: Database, key: NewApiKey): Promise<void> {
  await db.insert(apiKeys).values({ ...key, scopes: [...key.scopes], allowedIps: [...key.allowedIps] });
}

/** The key of that hash together with its partner, whatever their state. One statement: every request asks it. */
export async function findApiKeyByHash(db: Database, keyHash: string): Promise<ApiKey | null> {
  const [row] = await selectKeys(db).where(eq(apiKeys.keyHash, keyHash));
  return row ? fromRow(row) : null;
}

export async function findApiKey(db: Database, id: string): Promise<ApiKey | null> {
  const [row] = await selectKeys(db).where(eq(apiKeys.id, id));
  return row ? fromRow(row) : null;
}

/**
 * The key of that id, of this partner where one is named, held until the transaction ends: of two who rotate it at once the second
 * finds it rotated.
 */
export async function lockApiKey(db: Database, id: string, partnerId?: string): Promise<ApiKey | null> {
  const [row] = await selectKeys(db)
    .where(and(eq(apiKeys.id, id), partnerId === undefined ? undefined : eq(apiKeys.partnerId, partnerId)))
    .for("update", { of: apiKeys });
  return row ? fromRow(row) : null;
}

export type KeyListing = Omit<ApiKey, "partner" | "sealedSecret"> & { partnerId: string | null; keyHash: string };
export type KeyFilter = {
  /** Left out: everybody's and the operator's own; null: the operator's own. */
  partnerId?: string | null;
  /** Only those that have ended by this instant, or only those that have not. */
  ended?: { by: Date; whether: boolean };
};

/** Keys, newest first. */
export async function listApiKeys(db: Database, { partnerId, ended }: KeyFilter, page: PageRequest): Promise<Page<KeyListing>> {
  const end = sql`least(${apiKeys.revokedAt}, ${apiKeys.expiresAt})`;
  const matching = and(
    partnerId === undefined ? undefined : partnerId === null ? isNull(apiKeys.partnerId) : eq(apiKeys.partnerId, partnerId),
    ended && sql`coalesce(${end} <= ${ended.by.toISOString()}::timestamptz, false) = ${ended.whether}`,
    contains(page.search, [apiKeys.name]),
  );
  const rows = await db
    .select()
    .from(apiKeys)
    .where(matching)
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))
    .offset(page.skip)
    .limit(page.limit);
  const [counted] = await db.select({ total: count() }).from(apiKeys).where(matching);
  const items = rows.map(({ sealedSecret: _sealed, ...key }) => ({ ...key, scopes: key.scopes.filter(isScope) }));
  return { items, total: counted?.total ?? 0 };
}

/** Ends the key at `at`, unless it has already ended earlier. Answers whether there is such a key. */
export async function endApiKey(db: Database, id: string, at: Date): Promise<boolean> {
  const rows = await db
    .update(apiKeys)
    .set({ revokedAt: sql`least(${apiKeys.revokedAt}, ${at.toISOString()}::timestamptz)` })
    .where(eq(apiKeys.id, id))
    .returning({ id: apiKeys.id });
  return rows.length > 0;
}

/** Notes the use, unless one was noted since `unlessSince`: a key in heavy use costs one write in a while, not one a request. */
export async function noteApiKeyUse(db: Database, id: string, use: { at: Date; address: string }, unlessSince: Date): Promise<void> {
  const isOld = or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, unlessSince));
  await db
    .update(apiKeys)
    .set({ lastUsedAt: use.at, lastUsedAddress: use.address })
    .where(and(eq(apiKeys.id, id), isOld));
}

function selectKeys(db: Database) {
  return db
    .select({
      key: apiKeys,
      partner: {
        id: partners.id,
        status: partners.status,
        writesPerSecond: partners.writesPerSecond,
        readsPerSecond: partners.readsPerSecond,
      },
    })
    .from(apiKeys)
    .leftJoin(partners, eq(partners.id, apiKeys.partnerId));
}

type Row = Awaited<ReturnType<typeof selectKeys>>[number];

function fromRow({ key, partner }: Row): ApiKey {
  const { partnerId: _partnerId, keyHash: _keyHash, ...rest } = key;
  return { ...rest, partner, scopes: key.scopes.filter(isScope) };
}

function isScope(text: string): text is Scope {
  return SCOPES.some((scope) => scope === text);
}
