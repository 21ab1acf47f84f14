import { and, count, desc, eq, gt, isNull, lt, or, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { apiKeys } from "#db/schema/api-keys.ts";
import { partners } from "#db/schema/partners.ts";
import { contains, type Page, type PageRequest } from "#db/search.ts";
import { type Scope, scopesOf } from "#domain/access.ts";
import type { ApiKey } from "#domain/api-key.ts";

export type NewApiKey = Omit<ApiKey, "partner" | "revokedAt" | "lastUsedAt" | "lastUsedAddress"> & {
  partnerId: string | null;
  keyHash: string;
};

export async function insertApiKey(db: Database, key: NewApiKey): Promise<void> {
  await db.insert(apiKeys).values({ ...key, scopes: [...key.scopes], allowedIps: [...key.allowedIps] });
}

/**
 * All of a key and its partner that decides what a request may: whatever of it changes, this is another text. Rows are `api_keys` and
 * `partners` under these names.
 */
export const keyVersion = sql<string>`md5(row(api_keys.sealed_secret, api_keys.scopes, api_keys.allowed_ips, api_keys.expires_at,
  api_keys.revoked_at, api_keys.signed_management, partners.id, partners.status, partners.writes_per_second, partners.reads_per_second)::text)`;

/** The key of that hash together with its partner, whatever their state, and the version that they are of. */
export async function findApiKeyByHash(db: Database, keyHash: string): Promise<{ key: ApiKey; version: string } | null> {
  const [row] = await selectKeys(db).where(eq(apiKeys.keyHash, keyHash));
  return row ? { key: fromRow(row), version: row.version } : null;
}

export async function findApiKey(db: Database, id: string): Promise<ApiKey | null> {
  const [row] = await selectKeys(db).where(eq(apiKeys.id, id));
  return row ? fromRow(row) : null;
}

/**
 * Locks the key of that id (of this partner, where given) together with its whole family: all keys rotated from the same first one. So of
 * two that rotate or revoke within a family, the second sees the first one's result.
 */
export async function lockApiKey(db: Database, id: string, partnerId?: string): Promise<ApiKey | null> {
  const isTheirs = partnerId === undefined ? sql`true` : sql`partner_id = ${partnerId}`;
  await db.execute(sql`
    select id from api_keys where id = (
      with recursive line (id, rotated_from) as (
        select id, rotated_from from api_keys where id = ${id} and ${isTheirs}
        union all select k.id, k.rotated_from from api_keys k join line on k.id = line.rotated_from)
      select id from line where rotated_from is null)
    for no key update`);
  const [row] = await selectKeys(db)
    .where(and(eq(apiKeys.id, id), partnerId === undefined ? undefined : eq(apiKeys.partnerId, partnerId)))
    .for("no key update", { of: apiKeys });
  return row ? fromRow(row) : null;
}

/** Whether a key that was rotated from this one is in force at `now` (real time). */
export async function hasLiveSuccessor(db: Database, id: string, now: Date): Promise<boolean> {
  const isLive = and(or(isNull(apiKeys.revokedAt), gt(apiKeys.revokedAt, now)), or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)));
  return (await db.$count(apiKeys, and(eq(apiKeys.rotatedFrom, id), isLive))) > 0;
}

/** Ends all that were rotated from the key, and from those, and so on. Answers which had not ended before. Its family is locked by then. */
export async function endDescendants(db: Database, id: string, at: Date): Promise<{ id: string; lastFour: string }[]> {
  const rows = await db.execute<{ id: string; last_four: string }>(sql`
    with recursive descent (id) as (
      select id from api_keys where rotated_from = ${id}
      union all select k.id from api_keys k join descent on k.rotated_from = descent.id)
    update api_keys set revoked_at = ${at.toISOString()}::timestamptz
    from descent where api_keys.id = descent.id and (revoked_at is null or revoked_at > ${at.toISOString()}::timestamptz)
    returning api_keys.id, last_four`);
  return rows.map((row) => ({ id: row.id, lastFour: row.last_four }));
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
  const items = rows.map(({ sealedSecret: _sealed, ...key }) => ({ ...key, scopes: readScopes(key) }));
  return { items, total: counted?.total ?? 0 };
}

/** Ends the key at `at`, unless it has already ended earlier. Returns whether there is such a key. */
export async function endApiKey(db: Database, id: string, at: Date): Promise<boolean> {
  const rows = await db
    .update(apiKeys)
    .set({ revokedAt: sql`least(${apiKeys.revokedAt}, ${at.toISOString()}::timestamptz)` })
    .where(eq(apiKeys.id, id))
    .returning({ id: apiKeys.id });
  return rows.length > 0;
}

/** Records the use, unless one was recorded since `unlessSince`: a busy key costs one write per interval, not one per request. */
export async function recordApiKeyUse(db: Database, id: string, use: { at: Date; address: string }, unlessSince: Date): Promise<void> {
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
      version: keyVersion,
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
  return { ...rest, partner, scopes: readScopes(key) };
}

/** Those of its side: a key older than the operator's scopes also has others. */
function readScopes({ partnerId, scopes }: { partnerId: string | null; scopes: readonly string[] }): Scope[] {
  return scopesOf(partnerId).filter((scope) => scopes.includes(scope));
}
