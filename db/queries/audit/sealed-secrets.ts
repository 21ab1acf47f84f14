import { eq, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Database } from "#db/client.ts";
import { apiKeys } from "#db/schema/api-keys.ts";
import { callbackSecrets } from "#db/schema/callback-secrets.ts";
import { idempotencyKeys } from "#db/schema/idempotency-keys.ts";
import { users } from "#db/schema/people.ts";

/** An answer has no id of its own; a sealed text is never like another, so its caller's key and the text name it. */
const KEPT_ANSWER = { table: idempotencyKeys, column: idempotencyKeys.sealedBody, id: idempotencyKeys.key };

/** Every column that keeps sealed secrets. */
const KEEPERS = {
  "api_keys.sealed_secret": { table: apiKeys, column: apiKeys.sealedSecret, id: apiKeys.id },
  "callback_secrets.sealed_secret": { table: callbackSecrets, column: callbackSecrets.sealedSecret, id: callbackSecrets.id },
  "users.sealed_totp_secret": { table: users, column: users.sealedTotpSecret, id: users.id },
  "users.sealed_totp_draft": { table: users, column: users.sealedTotpDraft, id: users.id },
  "idempotency_keys.sealed_body": KEPT_ANSWER,
} as const satisfies Record<string, { table: unknown; column: PgColumn; id: PgColumn }>;

export type SealedSecret = { keeper: keyof typeof KEEPERS; id: string; sealed: string };

/** All sealed secrets: a few for each partner and person. */
export async function listSealedSecrets(db: Database): Promise<SealedSecret[]> {
  const kept = Object.entries(KEEPERS).map(
    ([name, { table, column, id }]) =>
      sql`select ${name}::text as keeper, ${id}::text as id, ${column} as sealed from ${table} where ${column} is not null`,
  );
  return await db.execute<SealedSecret>(sql.join(kept, sql` union all `));
}

/** Replaces a sealed secret if it still is what it was. Answers whether it did. */
export async function replaceSealedSecret(
  db: Database,
  { keeper, id: key, sealed: before }: SealedSecret,
  sealed: string,
): Promise<boolean> {
  const { table, column, id } = KEEPERS[keeper];
  const rows = await db.execute(sql`
    update ${table} set ${sql.identifier(keeper.split(".")[1] ?? "")} = ${sealed} where ${eq(id, key)} and ${eq(column, before)} returning ${id}`);
  return rows.length > 0;
}
