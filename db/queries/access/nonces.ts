import { and, eq, lt, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { nonces } from "#db/schema/nonces.ts";
import { statement } from "#db/statement.ts";
import { keyVersion } from "./api-keys.ts";

export type NonceToBurn = { apiKeyId: string /** See {@link keyVersion}. */; keyVersion: string; nonce: string };

/**
 * Burns the nonce for this key, if the key is still of that version: one statement, so that what a process remembers of a key counts
 * only while it is so. `reused`: it was burnt before; of any number at once exactly one is `burnt`. When, the database tells, as it tells
 * when that is long enough ago: no process's clock counts.
 */
export async function burnNonce(db: Database, burn: NonceToBurn): Promise<"burnt" | "reused" | "key_changed"> {
  const [row] = await burning(db, burn);
  if (row?.burnt === true) return "burnt";
  return row?.current === true ? "reused" : "key_changed";
}

const burning = statement<NonceToBurn, { current: boolean; burnt: boolean }>(
  (told) => sql`
    with current as (select api_keys.id from api_keys left join partners on partners.id = api_keys.partner_id
      where api_keys.id = ${told("apiKeyId")}::uuid and ${keyVersion} = ${told("keyVersion")}),
    burnt as (insert into nonces (api_key_id, nonce, burnt_at)
      select id, ${told("nonce")}::uuid, clock_timestamp() from current on conflict do nothing returning 1)
    select exists (select from current) as current, exists (select from burnt) as burnt`,
);

export async function deleteNonce(db: Database, apiKeyId: string, nonce: string): Promise<void> {
  await db.delete(nonces).where(and(eq(nonces.apiKeyId, apiKeyId), eq(nonces.nonce, nonce)));
}

/** When the nonce was burnt for this key; null when it was not, or when that is forgotten. */
export async function findNonceUse(db: Database, apiKeyId: string, nonce: string): Promise<Date | null> {
  const [row] = await db
    .select({ at: nonces.burntAt })
    .from(nonces)
    .where(and(eq(nonces.apiKeyId, apiKeyId), eq(nonces.nonce, nonce)));
  return row?.at ?? null;
}

/** Forgets nonces burnt so long ago by the database's own clock, at most `limit` in one statement, so that none of these runs long. Answers how many. */
export async function deleteOldNonces(db: Database, ageSeconds: number, limit: number): Promise<number> {
  const old = db
    .select({ ctid: sql`ctid` })
    .from(nonces)
    .where(lt(nonces.burntAt, sql`now() - ${ageSeconds} * interval '1 second'`))
    .limit(limit);
  const result = await db.delete(nonces).where(sql`ctid = any(array(${old}))`);
  return result.count;
}
