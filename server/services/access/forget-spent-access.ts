import { deleteAnswersBefore } from "#db/queries/access/idempotency-keys.ts";
import { deleteOldNonces } from "#db/queries/access/nonces.ts";
import { deleteAccessTokensBefore } from "#db/queries/people/access-tokens.ts";
import { deleteFullBudgets } from "#db/queries/people/login-tries.ts";
import { deleteSessionsBefore } from "#db/queries/people/sessions.ts";
import type { Uses } from "#server/context.ts";
import { IDEMPOTENCY_LIFETIME_MS } from "./answer-once.ts";

/**
 * A nonce stays burnt for at least 10 minutes (contract, part 3). A timestamp 5 minutes ahead is valid for 10 minutes in all, so
 * that is also the least that keeps replays out; the rest is for clocks that disagree with the database's, which alone counts here.
 */
const NONCE_LIFETIME_SECONDS = 20 * 60;

/** For anyone who asks the day after whose token it was. */
const TOKEN_MEMORY_MS = 86_400_000;

/** Few enough that the statement ends long before its timeout, on any disk. */
const BATCH = 5_000;

/**
 * Upkeep: forgets nonces and kept answers that can no longer matter, a batch of each, and with them access tokens and sessions that ran out
 * a day ago and log-in budgets that are full again; of those there are few. Safe at any time, in any number of processes.
 * `more`: a batch was full, so that there may be as many again.
 */
export async function forgetSpentAccess(ctx: Uses<"db" | "clock">): Promise<{ nonces: number; answers: number; more: boolean }> {
  const now = ctx.clock.now().getTime();
  const nonces = await deleteOldNonces(ctx.db, NONCE_LIFETIME_SECONDS, BATCH);
  const answers = await deleteAnswersBefore(ctx.db, new Date(now - IDEMPOTENCY_LIFETIME_MS), BATCH);
  await deleteAccessTokensBefore(ctx.db, new Date(now - TOKEN_MEMORY_MS));
  await deleteSessionsBefore(ctx.db, new Date(now - TOKEN_MEMORY_MS));
  await deleteFullBudgets(ctx.db, new Date(now));
  return { nonces, answers, more: nonces === BATCH || answers === BATCH };
}
