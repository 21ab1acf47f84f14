import { eq, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Database } from "#db/client.ts";
import { apiKeys } from "#db/schema/api-keys.ts";
import { callbackSecrets } from "#db/schema/callback-secrets.ts";
import { eventDestinations } from "#db/schema/event-destinations.ts";
import { idempotencyKeys } from "#db/schema/idempotency-keys.ts";
import { identityProviders } from "#db/schema/identity-providers.ts";
import { notificationSettings } from "#db/schema/notifications.ts";
import { users } from "#db/schema/people.ts";
import { SEALED_COLUMNS, type SealedColumn, type SealedPlace } from "#domain/sealed-place.ts";

/** `id` finds the row again, with the text in it, which is never like another; `row` is what a secret is sealed with. */
type Keeper = { table: unknown; column: PgColumn; id: PgColumn; row: SQL };

const { ownerId, method, path, key } = idempotencyKeys;

/** Every column with encrypted secrets. */
const KEEPERS = {
  "api_keys.sealed_secret": { table: apiKeys, column: apiKeys.sealedSecret, id: apiKeys.id, row: rowOf(apiKeys.id) },
  "callback_secrets.sealed_secret": {
    table: callbackSecrets,
    column: callbackSecrets.sealedSecret,
    id: callbackSecrets.id,
    row: rowOf(callbackSecrets.partnerId),
  },
  "users.sealed_totp_secret": { table: users, column: users.sealedTotpSecret, id: users.id, row: rowOf(users.id) },
  "users.sealed_totp_draft": { table: users, column: users.sealedTotpDraft, id: users.id, row: rowOf(users.id) },
  "notification_settings.sealed_webhook_url": {
    table: notificationSettings,
    column: notificationSettings.sealedWebhookUrl,
    id: notificationSettings.userId,
    row: rowOf(notificationSettings.userId),
  },
  "event_destinations.sealed_secret": {
    table: eventDestinations,
    column: eventDestinations.sealedSecret,
    id: eventDestinations.id,
    row: rowOf(eventDestinations.id),
  },
  "event_destinations.sealed_url": {
    table: eventDestinations,
    column: eventDestinations.sealedUrl,
    id: eventDestinations.id,
    row: rowOf(eventDestinations.id),
  },
  "identity_providers.sealed_client_secret": {
    table: identityProviders,
    column: identityProviders.sealedClientSecret,
    id: identityProviders.id,
    row: rowOf(identityProviders.id),
  },
  "identity_providers.sealed_draft_secret": {
    table: identityProviders,
    column: identityProviders.sealedDraftSecret,
    id: identityProviders.id,
    row: rowOf(identityProviders.id),
  },
  "idempotency_keys.sealed_body": {
    table: idempotencyKeys,
    column: idempotencyKeys.sealedBody,
    id: key,
    row: rowOf(ownerId, method, path, key),
  },
} as const satisfies Record<SealedColumn, Keeper>;

function rowOf(...columns: PgColumn[]): SQL {
  return sql`jsonb_build_array(${sql.join(columns, sql`, `)})`;
}

/** `place`: what it must have been sealed with. */
export type SealedSecret = { id: string; place: SealedPlace; sealed: string };

/** All sealed secrets: a few for each partner and person. */
export async function listSealedSecrets(db: Database): Promise<SealedSecret[]> {
  const kept = SEALED_COLUMNS.map((name) => {
    const { table, column, id, row } = KEEPERS[name];
    return sql`select ${name}::text as keeper, ${id}::text as id, ${row} as row, ${column} as sealed from ${table} where ${column} is not null`;
  });
  const rows = await db.execute<{ keeper: SealedColumn; id: string; row: string[]; sealed: string }>(sql.join(kept, sql` union all `));
  return rows.map(({ keeper, row, ...secret }) => ({ ...secret, place: [keeper, ...row] }));
}

/** Replaces an encrypted secret if it is unchanged. Returns whether it did. */
export async function replaceSealedSecret(
  db: Database,
  { id: kept, place, sealed: before }: SealedSecret,
  sealed: string,
): Promise<boolean> {
  const { table, column, id } = KEEPERS[place[0]];
  const rows = await db.execute(sql`
    update ${table} set ${sql.identifier(place[0].split(".")[1] ?? "")} = ${sealed} where ${eq(id, kept)} and ${eq(column, before)} returning ${id}`);
  return rows.length > 0;
}
