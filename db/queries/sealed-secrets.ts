import { sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { apiKeys } from "#db/schema/api-keys.ts";
import { callbackSecrets } from "#db/schema/callback-secrets.ts";

/** Every table that keeps secrets, each in a column `sealed_secret`. */
const KEEPERS = { api_keys: apiKeys, callback_secrets: callbackSecrets } as const;

export type SealedSecret = { table: keyof typeof KEEPERS; id: string; sealed: string };

/** All sealed secrets: a few for each partner. */
export async function listSealedSecrets(db: Database): Promise<SealedSecret[]> {
  return await db.execute<SealedSecret>(sql`
    select 'api_keys' as "table", id, sealed_secret as sealed from ${apiKeys}
    union all select 'callback_secrets', id, sealed_secret from ${callbackSecrets}`);
}

/** Replaces a sealed secret if it still is what it was. Answers whether it did. */
export async function replaceSealedSecret(db: Database, secret: SealedSecret, sealed: string): Promise<boolean> {
  const rows = await db.execute(sql`
    update ${KEEPERS[secret.table]} set sealed_secret = ${sealed} where id = ${secret.id} and sealed_secret = ${secret.sealed} returning id`);
  return rows.length > 0;
}
