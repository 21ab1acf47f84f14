import { and, eq, lt, type SQL, sql } from "drizzle-orm";
import { batched } from "#db/batched.ts";
import { nonces } from "#db/schema/nonces.ts";
import { statement } from "#db/statement.ts";
import { type Database, isTransaction, layoutOf } from "#db/transaction.ts";
import { keyVersion } from "./api-keys.ts";
import { burnOnNode, deleteOldOnNodes, deleteOnNode, findUseOnNode, isOnNode } from "./nonces-on-nodes.ts";

/** A key, and whose it is; null: the operator's. */
export type NonceOwner = { apiKeyId: string; partnerId: string | null };
export type NonceToBurn = NonceOwner & { /** See {@link keyVersion}. */ keyVersion: string; nonce: string };

/**
 * Burns the nonce for this key if the key still has that version: one statement, so that a process's cached key counts only while it is
 * current. `reused`: it was burnt before; of any number of concurrent calls exactly one gets `burnt`. Only the database's clock counts,
 * here and for expiry. Concurrent calls on a pool are batched, whatever their keys (on Citus, those of partners' keys by key). A copy of a nonce
 * that this process is storing is sent alone.
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
type AskedOne = Pick<NonceToBurn, "apiKeyId" | "keyVersion" | "nonce">;
type Burnt = { current: boolean; burnt: string[] };

/** Each with its nonce. Of copies among them the first is the one. */
async function burnAll(db: Database, burns: readonly [NonceToBurn, ...NonceToBurn[]]): Promise<Burning[]> {
  const [first] = burns;
  if (isOnNode(db, first.partnerId)) return await burnOfKey(db, first.partnerId, burns);
  if (isTransaction(db)) return outcomesOf([first], (await burningWithWork(db, first))[0]);
  const asked = burns.map(({ apiKeyId: key, keyVersion: version, nonce }, n) => ({ n, key, version, nonce }));
  const patience = burns.length === 1 ? null : PATIENCE;
  const [row] = await burningAlone(db, { asked: JSON.stringify(asked), patience });
  const [current, burnt] = [new Set(row?.current), new Set(row?.burnt)];
  return burns.map(({ apiKeyId, nonce }, n) =>
    current.has(n) ? (burnt.delete(`${apiKeyId} ${nonce}`) ? "burnt" : "reused") : "key_changed",
  );
}

/** On Citus, with nonces of one version of one key. */
async function burnOfKey(db: Database, partnerId: string, burns: readonly [NonceToBurn, ...NonceToBurn[]]): Promise<Burning[]> {
  const [{ apiKeyId, keyVersion }] = burns;
  const nonces = [...new Set(burns.map(({ nonce }) => nonce))];
  return outcomesOf(burns, await burnOnNode(db, { apiKeyId, keyVersion, partnerId, nonces }));
}

function outcomesOf(burns: readonly NonceToBurn[], row: Burnt | undefined): Burning[] {
  const burnt = new Set(row?.burnt);
  return burns.map(({ nonce }) => (row?.current !== true ? "key_changed" : burnt.delete(nonce) ? "burnt" : "reused"));
}

const currentKeys = (id: SQL, version: SQL) => sql`
  select api_keys.id from api_keys left join partners on partners.id = api_keys.partner_id where api_keys.id = ${id} and ${keyVersion} = ${version}`;

/**
 * With the work one is burnt by anyone who works, a partner as a rule, and before a reading many by the service itself: two texts, so that
 * no connection plans one statement again for the other's role each time.
 */
const burningWithWork = statement<AskedOne, Burnt>(
  (param) => sql`
    with current as (${currentKeys(sql`${param("apiKeyId")}::uuid`, param("keyVersion"))}),
    burnt as (insert into nonces (api_key_id, nonce, burnt_at) select id, ${param("nonce")}::uuid, clock_timestamp() from current
      on conflict do nothing returning nonce)
    select exists (select from current) as current, array(select nonce::text from burnt) as burnt`,
);

/**
 * How long nonces of several keys wait for a lock, before each is burnt alone. A transaction may have stored a copy of one of them and not
 * have ended yet, and the others must not wait for that. Without such a copy, none waits at all.
 */
const PATIENCE = "10ms";

// In one order, so that two batches with the same nonces cannot deadlock.
const burningAlone = statement<{ asked: string; patience: string | null }, { current: number[]; burnt: string[] }>(
  (param) => sql`
    with current as (select asked.n, asked.key, asked.nonce
      from jsonb_to_recordset(${param("asked")}::text::jsonb) as asked(n int, key uuid, version text, nonce uuid)
      cross join lateral (${currentKeys(sql`asked.key`, sql`asked.version`)} limit 1) as found),
    burnt as (insert into nonces (api_key_id, nonce, burnt_at) select current.key, current.nonce, clock_timestamp()
      from (select set_config('lock_timeout', coalesce(${param("patience")}::text, current_setting('lock_timeout')), true)) as patience(is_set)
      cross join current where is_set is not null order by current.key, current.nonce
      on conflict do nothing returning api_key_id, nonce)
    select array(select n from current) as current, array(select api_key_id || ' ' || nonce from burnt) as burnt`,
);

/** The nonces being burnt, by key. */
const underWay = new Set<string>();
const burnTogether = batched(
  ({ apiKeyId, keyVersion, partnerId }: NonceToBurn, db) => (isOnNode(db, partnerId) ? `${apiKeyId} ${keyVersion}` : ""),
  burnAll,
);

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
