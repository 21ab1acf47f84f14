import { burnNonce, deleteNonce } from "#db/queries/access/nonces.ts";
import type { ApiKey } from "#domain/api-key.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";
import type { KnownKey, KnownKeys } from "./known-keys.ts";

/** The key differs from this process's cached copy: the request must be authenticated again. */
class KeyChanged extends Error {
  override readonly name = "KeyChanged";
}

/** Also for one made by another copy of this module: the front door and Next's bundle have one each. */
export function isKeyChanged(error: unknown): boolean {
  return error instanceof Error && error.name === "KeyChanged";
}

/**
 * Burns the nonce of a request with a valid signature. Of any number of requests with the same nonce and key, on any machine, exactly one
 * passes.
 *
 * @throws Refusal `nonce_reused`.
 * @throws KeyChanged, and nothing is burnt.
 */
export async function spendNonce(ctx: Uses<"db">, keys: KnownKeys, known: KnownKey, nonce: string): Promise<void> {
  const { key, version } = known;
  const outcome = await burnNonce(ctx.db, { ...ownerOf(key), keyVersion: version, nonce });
  if (outcome === "key_changed") {
    keys.forget(known);
    throw new KeyChanged("the key has changed since this process read it");
  }
  if (outcome === "reused") throw new Refusal("nonce_reused");
}

/** Releases the nonce of a request that burnt it, had no effect and was answered with 503. No other request can have burnt it meanwhile. */
export async function forgetNonce(ctx: Uses<"db">, { key }: KnownKey, nonce: string): Promise<void> {
  await deleteNonce(ctx.db, ownerOf(key), nonce);
}

const ownerOf = ({ id, partner }: ApiKey) => ({ apiKeyId: id, partnerId: partner?.id ?? null });
