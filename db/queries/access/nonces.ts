import { and, eq, lt, type SQL, sql } from "drizzle-orm";
import { batched } from "#db/batched.ts";
import { nonces } from "#db/schema/nonces.ts";
import { type Params, statement } from "#db/statement.ts";
import { type Database, isTransaction, layoutOf } from "#db/transaction.ts";
import { keyVersion } from "./api-keys.ts";
import { burnOnNode, deleteOldOnNodes, deleteOnNode, findUseOnNode, isOnNode } from "./nonces-on-nodes.ts";

/** A key, and whose it is; null: the operator's. */
export type NonceOwner = { apiKeyId: string; partnerId: string | null };
export type NonceToBurn = NonceOwner & { /** See {@link keyVersion}. */ keyVersion: string; nonce: string };

/**
 * Burns the nonce for this key if the key still has that version: one statement, so that a process's cached key counts only while it is
 * current. `reused`: it was burnt before; of any number of concurrent calls exactly one gets `burnt`. Only the database's clock counts,
 * here and for expiry. Concurrent calls of one key are batched. A copy of a nonce that is being burnt is sent alone, so that no other call
 * waits for it.
 */
export async function burnNonce(db: Database, burn: NonceToBurn): Promise<Burning> {
  const name = `${burn.apiKeyId} ${burn.nonce}`;
  if (underWay.has(name)) return (await burnAll(db, [burn]))[0] ?? "reused";
  underWay.add(name);
  try {
    return await burnTogether(db, burn);
  } finally {
    underWay.delete(name);
  }
}
type Burning = "burnt" | "reused" | "key_changed";
type OfKey = Pick<NonceToBurn, "apiKeyId" | "keyVersion">;
type Asked = OfKey & { nonces: string };
type AskedOne = OfKey & { nonce: string };
type Burnt = { current: boolean; burnt: string[] };

/** Each with its nonce, of one version of one key. Of copies among them the first is the one. */
async function burnAll(db: Database, burns: readonly [NonceToBurn, ...NonceToBurn[]]): Promise<Burning[]> {
  const [{ apiKeyId, keyVersion, nonce, partnerId }] = burns;
  const nonces = [...new Set(burns.map((burn) => burn.nonce))];
  const [row] = isOnNode(db, partnerId)
    ? [await burnOnNode(db, { apiKeyId, keyVersion, partnerId, nonces })]
    : isTransaction(db)
      ? await burningWithWork(db, { apiKeyId, keyVersion, nonce })
      : await burningAlone(db, { apiKeyId, keyVersion, nonces: JSON.stringify(nonces) });
  const burnt = new Set(row?.burnt);
  return burns.map(({ nonce }) => (burnt.delete(nonce) ? "burnt" : row?.current === true ? "reused" : "key_changed"));
}

const burning = (param: Params<OfKey>, brought: SQL) => sql`
    with current as (select api_keys.id from api_keys left join partners on partners.id = api_keys.partner_id
      where api_keys.id = ${param("apiKeyId")}::uuid and ${keyVersion} = ${param("keyVersion")}),
    burnt as (insert into nonces (api_key_id, nonce, burnt_at)
      select current.id, brought.nonce::uuid, clock_timestamp() from current, ${brought}
      on conflict do nothing returning nonce)
    select exists (select from current) as current, array(select nonce::text from burnt) as burnt`;

/**
 * With the work one is burnt by anyone who works, a partner as a rule, and before a reading many by the service itself: two texts, so that
 * no connection plans one statement again for the other's role each time.
 */
const burningWithWork = statement<AskedOne, Burnt>((param) => burning(param, sql`(select ${param("nonce")}::text as nonce) as brought`));
// In one order, so that two batches with the same nonces cannot deadlock.
const burningAlone = statement<Asked, Burnt>((param) =>
  burning(param, sql`jsonb_array_elements_text(${param("nonces")}::text::jsonb) as brought(nonce) order by brought.nonce`),
);

/** The nonces being burnt, by key. */
const underWay = new Set<string>();
const burnTogether = batched(({ apiKeyId, keyVersion }: NonceToBurn) => `${apiKeyId} ${keyVersion}`, burnAll);

export async function deleteNonce(db: Database, { apiKeyId, partnerId }: NonceOwner, nonce: string): Promise<void> {
  if (isOnNode(db, partnerId)) return await deleteOnNode(db, { apiKeyId, partnerId }, nonce);
  await db.delete(nonces).where(and(eq(nonces.apiKeyId, apiKeyId), eq(nonces.nonce, nonce)));
}

/** When the nonce was burnt for this key; null when it was not, or when that was deleted. */
export async function findNonceUse(db: Database, { apiKeyId, partnerId }: NonceOwner, nonce: string): Promise<Date | null> {
  if (isOnNode(db, partnerId)) return await findUseOnNode(db, { apiKeyId, partnerId }, nonce);
  const [row] = await db
    .select({ at: nonces.burntAt })
    .from(nonces)
    .where(and(eq(nonces.apiKeyId, apiKeyId), eq(nonces.nonce, nonce)));
  return row?.at ?? null;
}

/** Deletes nonces burnt this long ago by the database's clock, at most `limit` per statement, so that none runs long. Returns how many. */
export async function deleteOldNonces(db: Database, ageSeconds: number, limit: number): Promise<number> {
  const old = db
    .select({ ctid: sql`ctid` })
    .from(nonces)
    .where(lt(nonces.burntAt, sql`now() - ${ageSeconds} * interval '1 second'`))
    .limit(limit);
  const result = await db.delete(nonces).where(sql`ctid = any(array(${old}))`);
  const onNodes = layoutOf(db) === "citus" ? await deleteOldOnNodes(db, ageSeconds, limit) : 0;
  return result.count + onNodes;
}
