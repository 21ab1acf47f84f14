import { burnNonce, deleteNonce } from "#db/queries/access/nonces.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";

/**
 * Burns the nonce of a request whose signature holds. Of any number of requests that bring the same nonce under the same key, on
 * any machine, exactly one passes.
 *
 * @throws Refusal `nonce_reused`.
 */
export async function spendNonce(ctx: Uses<"db" | "clock">, apiKeyId: string, nonce: string): Promise<void> {
  if (!(await burnNonce(ctx.db, apiKeyId, nonce, ctx.clock.now()))) throw new Refusal("nonce_reused");
}

/** Takes it back, of a request that burnt it, had no effect and was told to come again. Nobody else can have burnt it meanwhile. */
export async function forgetNonce(ctx: Uses<"db">, apiKeyId: string, nonce: string): Promise<void> {
  await deleteNonce(ctx.db, apiKeyId, nonce);
}
