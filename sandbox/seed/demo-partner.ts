import { randomUUID } from "node:crypto";
import { and, desc, eq, gt, isNull, or } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { findApiKeyByHash, insertApiKey } from "#db/queries/access/api-keys.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { insertPartner } from "#db/queries/partners/partners.ts";
import { apiKeys } from "#db/schema/api-keys.ts";
import { callbackSecrets } from "#db/schema/callback-secrets.ts";
import { partners } from "#db/schema/partners.ts";
import { SYSTEM, scopesOf } from "#domain/access.ts";
import { isInForce, keyHash, newKeyPair } from "#domain/api-key.ts";
import { callbackSecretOf, type SealedPlace, secretOfKey } from "#domain/sealed-place.ts";
import { newCallbackSecret } from "#domain/signing.ts";
import type { Uses } from "#server/context.ts";
import { issueApiKey } from "#server/services/access/issue-api-key.ts";

type Powers = Uses<"clock" | "vault">;

/** The id of the partner with that slug, created with the given id if missing. */
export async function ensurePartner(tx: Database, partner: { name: string; slug: string; id: string | null }): Promise<string> {
  const [existing] = await tx.select({ id: partners.id }).from(partners).where(eq(partners.slug, partner.slug));
  if (existing) return existing.id;
  const now = await readBusinessNow(tx);
  const id = partner.id ?? randomUUID();
  await insertPartner(tx, {
    id,
    name: partner.name,
    slug: partner.slug,
    roles: ["AGGREGATOR"],
    status: "active",
    chargeFeePercentage: "0",
    createdAt: now,
    updatedAt: now,
  });
  return id;
}

/**
 * A valid key with its secret: the stored one unless it was revoked or has expired, otherwise a new one. A stored key that the database
 * does not know (it started afresh) is inserted again, so that what a developer wrote down stays valid.
 */
export async function ensureApiKey(
  tx: Database,
  powers: Powers,
  owner: { partnerId: string | null; name: string },
  kept: { apiKey: string; apiSecret?: string } | null,
): Promise<{ apiKey: string; apiSecret: string }> {
  const now = powers.clock.now();
  const fresh = newKeyPair("test").apiSecret; // an operator's key signs nothing, so its secret is not kept
  const pair = kept && { apiKey: kept.apiKey, apiSecret: kept.apiSecret ?? fresh };
  const known = pair && (await findApiKeyByHash(tx, keyHash(pair.apiKey)));
  if (pair && known && isInForce(known.key, now)) return pair;
  if (pair === null || known !== null) return await issueApiKey(tx, powers, { by: SYSTEM, mode: "test", ...owner });
  const id = randomUUID();
  await insertApiKey(tx, {
    id,
    ...owner,
    keyHash: keyHash(pair.apiKey),
    lastFour: pair.apiKey.slice(-4),
    sealedSecret: powers.vault.seal(pair.apiSecret, secretOfKey(id)),
    scopes: scopesOf(owner.partnerId),
    allowedIps: [],
    signedManagement: false,
    madeBy: null,
    rotatedFrom: null,
    madeByKey: null,
    createdAt: now,
    expiresAt: null,
  });
  return pair;
}

/** The partner's valid callback secret from the database; a partner without one gets the stored one or a new one. */
export async function ensureCallbackSecret(tx: Database, powers: Powers, partnerId: string, kept: string | null): Promise<string> {
  const now = powers.clock.now();
  const [newest] = await tx
    .select({ sealedSecret: callbackSecrets.sealedSecret })
    .from(callbackSecrets)
    .where(and(eq(callbackSecrets.partnerId, partnerId), or(isNull(callbackSecrets.expiresAt), gt(callbackSecrets.expiresAt, now))))
    .orderBy(desc(callbackSecrets.createdAt))
    .limit(1);
  if (newest) return powers.vault.open(newest.sealedSecret, callbackSecretOf(partnerId));
  const secret = kept ?? newCallbackSecret();
  const sealedSecret = powers.vault.seal(secret, callbackSecretOf(partnerId));
  await tx.insert(callbackSecrets).values({ id: randomUUID(), partnerId, sealedSecret, createdAt: now, expiresAt: null });
  return secret;
}

/**
 * Ends the keys and callback secrets that this vault cannot open: they were sealed by a sandbox whose data directory is gone, so
 * nobody can use them any more, and signing callbacks with them would fail.
 */
export async function retireUnreadableSecrets(tx: Database, powers: Powers, partnerId: string): Promise<void> {
  const now = powers.clock.now();
  const unreadable = (sealed: string, place: SealedPlace) => {
    try {
      powers.vault.open(sealed, place);
      return false;
    } catch {
      return true;
    }
  };
  for (const key of await tx
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.partnerId, partnerId), or(isNull(apiKeys.revokedAt), gt(apiKeys.revokedAt, now))))) {
    if (unreadable(key.sealedSecret, secretOfKey(key.id))) await tx.update(apiKeys).set({ revokedAt: now }).where(eq(apiKeys.id, key.id));
  }
  for (const secret of await tx.select().from(callbackSecrets).where(eq(callbackSecrets.partnerId, partnerId))) {
    if (unreadable(secret.sealedSecret, callbackSecretOf(partnerId)))
      await tx.update(callbackSecrets).set({ expiresAt: now }).where(eq(callbackSecrets.id, secret.id));
  }
}
