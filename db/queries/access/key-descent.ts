import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { apiKeys } from "#db/schema/api-keys.ts";
import { type KeyListing, toListing } from "./api-keys.ts";

/** The key, and every key that was rotated from it or made with it, at any depth: a person who had the key may have all of them. */
export const descentOf = (id: string) => sql`
  with recursive descent (id) as (
    select id from api_keys where id = ${id}
    union select k.id from descent, lateral (
      select id from api_keys where rotated_from = descent.id union all select id from api_keys where made_by_key = descent.id) k)`;

/** Those of them that have not ended at `at` (real time), oldest first. */
export async function listDescent(db: Database, id: string, at: Date): Promise<KeyListing[]> {
  const now = sql`${at.toISOString()}::timestamptz`;
  const keys = await db
    .select()
    .from(apiKeys)
    .where(
      sql`api_keys.id in (${descentOf(id)} select id from descent)
      and (revoked_at is null or revoked_at > ${now}) and (expires_at is null or expires_at > ${now})`,
    )
    .orderBy(apiKeys.createdAt, apiKeys.id);
  return keys.map(toListing);
}

/**
 * Locks the families of all of them, so that none of them makes or rotates a key meanwhile. What was made while this waited is locked in
 * another round.
 */
export async function lockDescent(db: Database, id: string): Promise<void> {
  for (let locked = 0; ; ) {
    const rows = await db.execute(sql`
      ${descentOf(id)}, line (id, rotated_from) as (
        select k.id, k.rotated_from from api_keys k join descent using (id)
        union select k.id, k.rotated_from from api_keys k join line on k.id = line.rotated_from)
      select id from api_keys where id in (select id from line where rotated_from is null) order by id for no key update`);
    if (rows.length === locked) return;
    locked = rows.length;
  }
}

/** Ends all of them at `at`. */
export async function endDescent(db: Database, id: string, at: Date): Promise<void> {
  const now = sql`${at.toISOString()}::timestamptz`;
  await db.execute(sql`${descentOf(id)} update api_keys set revoked_at = ${now}
    from descent where api_keys.id = descent.id and (revoked_at is null or revoked_at > ${now})`);
}
