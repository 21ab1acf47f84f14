import { and, eq, lt, lte, sql } from "drizzle-orm";
import { citusNonces } from "#db/citus-tables.ts";
import { apiKeys } from "#db/schema/api-keys.ts";
import { partners } from "#db/schema/partners.ts";
import { type Database, isTransaction, layoutOf, sentTogether } from "#db/transaction.ts";
import { keyVersion as versionOfKey } from "./api-keys.ts";

/**
 * Nonces of partners' keys on Citus: on the partner's node, where its settlements are, so that one node commits both. The keys are the
 * coordinator's, and no statement reads them together with a node's rows.
 */

type Owner = { apiKeyId: string; partnerId: string };
type Burns = Owner & { keyVersion: string; nonces: readonly string[] };

/** Whether the nonces of that owner's keys are on a node. */
export function isOnNode(db: Database, partnerId: string | null): partnerId is string {
  return partnerId !== null && layoutOf(db) === "citus";
}

/** As `burnNonce`, of several nonces. Without a transaction, the key is read first: a changed one burns nothing. */
export async function burnOnNode(db: Database, burns: Burns): Promise<{ current: boolean; burnt: string[] }> {
  if (!isTransaction(db))
    return (await isCurrent(db, burns)) ? { current: true, burnt: await insert(db, burns) } : { current: false, burnt: [] };
  const [current, burnt] = await sentTogether(isCurrent(db, burns), insert(db, burns));
  return { current, burnt };
}

async function isCurrent(db: Database, { apiKeyId, keyVersion }: Burns): Promise<boolean> {
  const rows = await db
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .leftJoin(partners, eq(partners.id, apiKeys.partnerId))
    .where(and(eq(apiKeys.id, apiKeyId), eq(versionOfKey, keyVersion)));
  return rows.length > 0;
}

/** In one order, so that two batches with the same nonces cannot deadlock. */
async function insert(db: Database, { apiKeyId, partnerId, nonces }: Burns): Promise<string[]> {
  const rows = nonces.toSorted().map((nonce) => ({ partnerId, apiKeyId, nonce, burntAt: sql`clock_timestamp()` }));
  const burnt = await db.insert(citusNonces).values(rows).onConflictDoNothing().returning({ nonce: citusNonces.nonce });
  return burnt.map(({ nonce }) => nonce);
}

const named = ({ apiKeyId, partnerId }: Owner, nonce: string) =>
  and(eq(citusNonces.partnerId, partnerId), eq(citusNonces.apiKeyId, apiKeyId), eq(citusNonces.nonce, nonce));

/** As `deleteNonce`. */
export async function deleteOnNode(db: Database, owner: Owner, nonce: string): Promise<void> {
  await db.delete(citusNonces).where(named(owner, nonce));
}

/** As `findNonceUse`. */
export async function findUseOnNode(db: Database, owner: Owner, nonce: string): Promise<Date | null> {
  const [row] = await db.select({ at: citusNonces.burntAt }).from(citusNonces).where(named(owner, nonce));
  return row?.at ?? null;
}

/** As `deleteOldNonces`, of all nodes: up to the instant before which about `limit` of them were burnt. */
export async function deleteOldOnNodes(db: Database, ageSeconds: number, limit: number): Promise<number> {
  const [clock] = await db.execute<{ before: string }>(sql`select (now() - ${ageSeconds} * interval '1 second')::text as before`);
  const isOld = lt(citusNonces.burntAt, sql`${clock?.before}::timestamptz`);
  const { burntAt } = citusNonces;
  const [next] = await db
    .select({ at: sql<string>`${burntAt}::text` })
    .from(citusNonces)
    .where(isOld)
    .orderBy(burntAt)
    .offset(limit)
    .limit(1);
  const result = await db.delete(citusNonces).where(next === undefined ? isOld : lte(burntAt, sql`${next.at}::timestamptz`));
  return result.count;
}
