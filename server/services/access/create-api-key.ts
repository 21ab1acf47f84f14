import { randomUUID } from "node:crypto";
import type { Database } from "#db/client.ts";
import { insertApiKey } from "#db/queries/api-keys.ts";
import { insertAuditEntry } from "#db/queries/audit-entries.ts";
import { readBusinessNow } from "#db/queries/clock.ts";
import { findPartner } from "#db/queries/partners.ts";
import type { Uses } from "#server/context.ts";
import { type By, SCOPES, type Scope } from "#server/domain/access.ts";
import { type ApiKey, type KeyMode, keyHash, newKeyPair } from "#server/domain/api-key.ts";
import { Refusal } from "#server/domain/refusal.ts";

export type CreateApiKey = {
  by: By;
  mode: KeyMode;
  /** null: an operator's key. */
  partnerId: string | null;
  name: string;
  /** All that may be granted when left out. */
  scopes?: readonly Scope[];
  /** What the one who issues may grant: a key, no more than it carries itself. All of them when left out. */
  grantable?: readonly Scope[];
  /** Addresses and CIDR ranges; any when left out. */
  allowedIps?: readonly string[];
  /** Real time. */
  expiresAt?: Date | null;
};

/** A new key with what is told this once and never again. */
export type IssuedApiKey = Omit<ApiKey, "partner" | "sealedSecret"> & {
  partnerId: string | null;
  keyHash: string;
  apiKey: string;
  apiSecret: string;
};

/**
 * Issues a key. Key and secret are in the answer and nowhere else: the key is stored hashed, the secret sealed.
 *
 * @throws Refusal `not_found` for an unknown partner, `validation_failed` for an end in the past, `forbidden` for a scope that is not
 * the issuer's to grant.
 */
export async function createApiKey(ctx: Uses<"db" | "clock" | "vault">, command: CreateApiKey): Promise<IssuedApiKey> {
  const { partnerId, expiresAt, grantable = SCOPES, scopes = grantable } = command;
  refuseScopesBeyond(grantable, scopes);
  if (expiresAt && expiresAt <= ctx.clock.now()) {
    throw new Refusal("validation_failed", { errors: [{ pointer: "/expires_at", code: "in_the_past", message: "must be in the future" }] });
  }
  return await ctx.db.transaction(async (tx) => {
    if (partnerId !== null && (await findPartner(tx, partnerId)) === null) {
      throw new Refusal("not_found", { detail: "There is no such partner." });
    }
    return await issueApiKey(tx, ctx, { ...command, scopes });
  });
}

/** @throws Refusal `forbidden`. */
export function refuseScopesBeyond(grantable: readonly Scope[], scopes: readonly Scope[]): void {
  const beyond = scopes.filter((scope) => !grantable.includes(scope));
  if (beyond.length === 0) return;
  throw new Refusal("forbidden", { detail: `Your API key does not carry ${beyond.join(", ")}, so it cannot hand it on.` });
}

/** As {@link createApiKey}, within the caller's transaction. */
export async function issueApiKey(tx: Database, ctx: Uses<"vault">, command: CreateApiKey): Promise<IssuedApiKey> {
  const { apiKey, apiSecret } = newKeyPair(command.mode);
  const now = await readBusinessNow(tx);
  const key = {
    id: randomUUID(),
    partnerId: command.partnerId,
    name: command.name,
    keyHash: keyHash(apiKey),
    lastFour: apiKey.slice(-4),
    scopes: command.scopes ?? SCOPES,
    allowedIps: command.allowedIps ?? [],
    createdAt: now,
    expiresAt: command.expiresAt ?? null,
  };
  await insertApiKey(tx, { ...key, sealedSecret: ctx.vault.seal(apiSecret) });
  await insertAuditEntry(tx, {
    by: command.by,
    partnerId: command.partnerId,
    action: "api_key.created",
    objectId: key.id,
    change: { name: key.name, last_four: key.lastFour, scopes: key.scopes, allowed_ips: key.allowedIps },
    now,
  });
  return { ...key, revokedAt: null, lastUsedAt: null, lastUsedAddress: null, apiKey, apiSecret };
}
