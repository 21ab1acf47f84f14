/**
 * The place of an encrypted secret: its table and column, and the owner of its row. The encryption is bound to it, so that an attacker who
 * can write to the database cannot pass one secret off as another: moved, it does not decrypt.
 */
export type SealedPlace = readonly [column: SealedColumn, ...row: string[]];

export type SealedColumn = (typeof SEALED_COLUMNS)[number];
export const SEALED_COLUMNS = [
  "api_keys.sealed_secret",
  "callback_secrets.sealed_secret",
  "users.sealed_totp_secret",
  "users.sealed_totp_draft",
  "idempotency_keys.sealed_body",
  "notification_settings.sealed_webhook_url",
  "event_destinations.sealed_secret",
  "event_destinations.sealed_url",
  "identity_providers.sealed_client_secret",
  "identity_providers.sealed_draft_secret",
] as const;

/** An operator's key that still is a proposal has its id already, and is sealed for the row that it will be. */
export const secretOfKey = (id: string): SealedPlace => ["api_keys.sealed_secret", id];

/** Of the partner: it does not matter which of its secrets is the newest. */
export const callbackSecretOf = (partnerId: string): SealedPlace => ["callback_secrets.sealed_secret", partnerId];

export const totpSecretOf = (userId: string): SealedPlace => ["users.sealed_totp_secret", userId];
export const totpDraftOf = (userId: string): SealedPlace => ["users.sealed_totp_draft", userId];

export const destinationSecretOf = (id: string): SealedPlace => ["event_destinations.sealed_secret", id];

export const destinationUrlOf = (id: string): SealedPlace => ["event_destinations.sealed_url", id];

export const webhookOf = (userId: string): SealedPlace => ["notification_settings.sealed_webhook_url", userId];

export const clientSecretOf = (providerId: string): SealedPlace => ["identity_providers.sealed_client_secret", providerId];
export const draftSecretOf = (providerId: string): SealedPlace => ["identity_providers.sealed_draft_secret", providerId];

export const keptAnswerOf = ({ ownerId, method, path, key }: Record<"ownerId" | "method" | "path" | "key", string>): SealedPlace => [
  "idempotency_keys.sealed_body",
  ownerId,
  method,
  path,
  key,
];
