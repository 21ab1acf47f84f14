import { deleteAnswersBefore } from "#db/queries/idempotency-keys.ts";
import { deleteNoncesBefore } from "#db/queries/nonces.ts";
import type { Uses } from "#server/context.ts";
import { IDEMPOTENCY_LIFETIME_MS } from "./answer-once.ts";

/**
 * A nonce stays burnt for at least 10 minutes (contract, part 3). A timestamp 5 minutes ahead is valid for 10 minutes in all, so
 * that is also the least that keeps replays out; the rest is for clocks that disagree.
 */
const NONCE_LIFETIME_MS = 20 * 60_000;

/** Upkeep, every few minutes: forgets nonces and kept answers that can no longer matter. Safe at any time, in any number of processes. */
export async function forgetSpentAccess(ctx: Uses<"db" | "clock">): Promise<{ nonces: number; answers: number }> {
  const now = ctx.clock.now().getTime();
  return {
    nonces: await deleteNoncesBefore(ctx.db, new Date(now - NONCE_LIFETIME_MS)),
    answers: await deleteAnswersBefore(ctx.db, new Date(now - IDEMPOTENCY_LIFETIME_MS)),
  };
}
