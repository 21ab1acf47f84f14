import { and, count, desc, eq, gt, isNull, lt, or, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { apiKeys } from "#db/schema/api-keys.ts";
import { partners } from "#db/schema/partners.ts";
import { contains, type Page, type PageRequest } from "#db/search.ts";
import { type Scope, scopesOf } from "#domain/access.ts";
import type { ApiKey, SignedManagement } from "#domain/api-key.ts";

export type NewApiKey = Omit<ApiKey, "partner" | "revokedAt" | "lastUsedAt" | "lastUsedAddress" | "lastUses"> & {
  partnerId: string | null;
  keyHash: string;
};

export async function insertApiKey(db: Database, { signedManagement: signs, ...key }: NewApiKey): Promise<void> {
  const signing = { signedManagement: signs !== false, signedReads: signs === "all" };
  await db.insert(apiKeys).values({ ...key, ...signing, scopes: [...key.scopes], allowedIps: [...key.allowedIps] });
}

/** When the person who made an operator's key was disabled; null: they are not, or no person made it. */
const makerDisabledAt = sql`case when api_keys.partner_id is null then (select u.disabled_at from users u where u.id = api_keys.made_by) end`;

/**
 * All of a key and its partner that decides what a request may: whatever of it changes, this is another text. Rows are `api_keys` and
 * `partners` under these names.
 */
export const keyVersion = sql<string>`md5(row(api_keys.sealed_secret, api_keys.scopes, api_keys.allowed_ips, api_keys.expires_at,
  api_keys.revoked_at, api_keys.signed_management, api_keys.signed_reads, partners.id, partners.status, partners.writes_per_second, partners.reads_per_second, ${makerDisabledAt})::text)`;

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
  return { items: rows.map(toListing), total: counted?.total ?? 0 };
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

export type KeyUse = { at: Date; address: string; operation: string };

/**
 * Records the use, unless one was recorded since `unless.since`, and one of the same operation since `unless.sameSince`: a busy key costs one
 * write per interval, not one per request.
 */
export async function recordApiKeyUse(
  db: Database,
  id: string,
  { at, address, operation }: KeyUse,
  unless: { since: Date; sameSince: Date },
): Promise<void> {
  const isOld = or(
    isNull(apiKeys.lastUsedAt),
    lt(apiKeys.lastUsedAt, unless.since),
    // Times in this one form are ordered as texts.
    sql`coalesce(${apiKeys.lastUses} ->> ${operation}, '') < ${unless.sameSince.toISOString()}`,
  );
  const lastUses = sql`${apiKeys.lastUses} || jsonb_build_object(${operation}::text, ${at.toISOString()}::text)`;
  await db
    .update(apiKeys)
    .set({ lastUsedAt: at, lastUsedAddress: address, lastUses })
    .where(and(eq(apiKeys.id, id), isOld));
}

function selectKeys(db: Database) {
  return db
    .select({
      key: apiKeys,
      version: keyVersion,
      makerIsOut: sql<boolean>`(${makerDisabledAt}) is not null`,
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

function fromRow({ key, partner, makerIsOut }: Row): ApiKey {
  const { partnerId: _partnerId, keyHash: _keyHash, signedReads: _reads, ...rest } = key;
  return { ...rest, partner, makerIsOut, scopes: readScopes(key), signedManagement: readSigning(key) };
}

/** A key as lists show it, without its secret. */
export function toListing({ sealedSecret: _sealed, signedReads, ...key }: typeof apiKeys.$inferSelect): KeyListing {
  return { ...key, scopes: readScopes(key), signedManagement: readSigning({ ...key, signedReads }) };
}

function readSigning({ signedManagement, signedReads }: { signedManagement: boolean; signedReads: boolean }): SignedManagement {
  return signedManagement && signedReads ? "all" : signedManagement;
}

/** Those of its side: a key older than the operator's scopes also has others. */
function readScopes({ partnerId, scopes }: { partnerId: string | null; scopes: readonly string[] }): Scope[] {
  return scopesOf(partnerId).filter((scope) => scopes.includes(scope));
}
