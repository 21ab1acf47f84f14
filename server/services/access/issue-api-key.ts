import { randomUUID } from "node:crypto";
import type { Database } from "#db/client.ts";
import { findApiKey, insertApiKey, lockApiKey } from "#db/queries/access/api-keys.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { type Actor, type By, type Scope, scopesOf } from "#domain/access.ts";
import {
  type ApiKey,
  defaultSignedManagement,
  isInForce,
  type KeyMode,
  keyHash,
  newKeyPair,
  type SignedManagement,
} from "#domain/api-key.ts";
import { Refusal } from "#domain/refusal.ts";
import { secretOfKey } from "#domain/sealed-place.ts";
import type { Uses } from "#server/context.ts";

/** A new key, with the secrets that are shown only once. */
export type IssuedApiKey = Omit<ApiKey, "partner" | "sealedSecret"> & {
  partnerId: string | null;
  keyHash: string;
  apiKey: string;
  apiSecret: string;
};

/** `proposalId`: the key opens nothing before that is confirmed; null: it works. */
export type CreatedApiKey = IssuedApiKey & { proposalId: string | null };

export type DrawUp = {
  mode: KeyMode;
  partnerId: string | null;
  name: string;
  scopes: readonly Scope[];
  allowedIps: readonly string[];
  expiresAt: Date | null;
  signedManagement: SignedManagement;
};
/** A key with its secret, which nobody can use yet. */
export type DrawnKey = Omit<DrawUp, "mode"> & { id: string; keyHash: string; lastFour: string; apiKey: string; apiSecret: string };

export function drawUpKey({ mode, ...rights }: DrawUp): DrawnKey {
  const { apiKey, apiSecret } = newKeyPair(mode);
  return { id: randomUUID(), ...rights, keyHash: keyHash(apiKey), lastFour: apiKey.slice(-4), apiKey, apiSecret };
}

export type IssueApiKey = Pick<DrawUp, "mode" | "partnerId" | "name"> & Partial<DrawUp> & { by: By; rotatedFrom?: string | null };

/** A key of these rights at once, within the caller's transaction: for what is decided already. */
export async function issueApiKey(
  tx: Database,
  ctx: Uses<"vault" | "clock">,
  { by, rotatedFrom = null, ...command }: IssueApiKey,
): Promise<IssuedApiKey> {
  const { mode, partnerId, name, allowedIps = [], expiresAt = null, scopes = scopesOf(partnerId) } = command;
  const { signedManagement = defaultSignedManagement(mode) } = command;
  const drawn = drawUpKey({ mode, partnerId, name, scopes, allowedIps, expiresAt, signedManagement });
  return await saveKey(tx, ctx, { by, madeBy: await principalOf(tx, by.actor), rotatedFrom, drawn });
}

type SaveKey = { by: By; madeBy: string | null; rotatedFrom?: string | null; drawn: DrawnKey };

export async function saveKey(
  tx: Database,
  ctx: Uses<"vault" | "clock">,
  { by, madeBy, rotatedFrom = null, drawn }: SaveKey,
): Promise<IssuedApiKey> {
  const { apiKey, apiSecret, ...key } = drawn;
  const whole = { ...key, madeBy, madeByKey: keyOf(by.actor), rotatedFrom, createdAt: await readBusinessNow(tx) };
  const sealed = { ...whole, sealedSecret: ctx.vault.seal(apiSecret, secretOfKey(key.id)) };
  await insertIssuedKey(tx, ctx, by, sealed);
  return { ...whole, revokedAt: null, lastUsedAt: null, lastUsedAddress: null, lastUses: {}, apiKey, apiSecret };
}

/**
 * Enters a key with its audit entry.
 *
 * @throws Refusal `revoked_api_key` where the key that makes it has ended meanwhile: it would outlive that one
 */
export async function insertIssuedKey(tx: Database, ctx: Uses<"clock">, by: By, key: Parameters<typeof insertApiKey>[1]): Promise<void> {
  await refuseUnlessInForce(tx, ctx, key.madeByKey);
  await insertApiKey(tx, key);
  await insertAuditEntry(tx, {
    by,
    partnerId: key.partnerId,
    action: "api_key.created",
    objectId: key.id,
    change: {
      name: key.name,
      last_four: key.lastFour,
      scopes: key.scopes,
      allowed_ips: key.allowedIps,
      signed_management: key.signedManagement,
    },
    now: key.createdAt,
  });
}

/** Locks the family of the key that makes another one. Null: no key does. @throws Refusal `revoked_api_key` */
export async function refuseUnlessInForce(tx: Database, ctx: Uses<"clock">, id: string | null): Promise<void> {
  const key = id === null ? null : await lockApiKey(tx, id);
  // After the wait for the lock: a key that was revoked meanwhile has ended.
  if (id !== null && (key === null || !isInForce(key, ctx.clock.now()))) throw new Refusal("revoked_api_key");
}

/** The key behind an action; null: a person, or the service itself. */
export function keyOf(actor: Actor): string | null {
  return actor.type === "api_key" || actor.type === "operator_key" ? actor.apiKeyId : null;
}

/** Whom a new key acts for in limits and audits: the person who gets its secret, or the person behind the calling key. */
export async function principalOf(tx: Database, actor: Actor): Promise<string | null> {
  if (actor.type === "user") return actor.userId;
  if (actor.type === "system") return null;
  return (await findApiKey(tx, actor.apiKeyId))?.madeBy ?? null;
}
