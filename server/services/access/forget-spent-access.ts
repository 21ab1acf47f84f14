import { deleteAnswersBefore } from "#db/queries/access/idempotency-keys.ts";
import { deleteOldNonces } from "#db/queries/access/nonces.ts";
import { deleteAccessTokensBefore } from "#db/queries/people/access-tokens.ts";
import { deleteFullBudgets } from "#db/queries/people/login-tries.ts";
import { deleteSessionsBefore } from "#db/queries/people/sessions.ts";
import type { Uses } from "#server/context.ts";
import { IDEMPOTENCY_LIFETIME_MS } from "./answer-once.ts";

/**
 * A nonce stays burnt for at least 10 minutes (contract, part 3). A timestamp 5 minutes ahead is valid for 10 minutes in all, so replay
 * protection needs at least that. The rest allows for clocks that differ from the database's, the only one used here.
 */
const NONCE_LIFETIME_SECONDS = 20 * 60;

/** For anyone who asks the next day whose token it was. */
const TOKEN_MEMORY_MS = 86_400_000;

/** Few enough that the statement ends long before its timeout, on any disk. */
const BATCH = 5_000;

/**
 * Maintenance: deletes expired nonces and stored answers, a batch of each. It also deletes access tokens and sessions that expired a day
 * ago, and log-in budgets that are full again; there are few of those. Safe at any time, in any number of processes. `more`: a batch was
 * full, so there may be more.
 */
export async function forgetSpentAccess(ctx: Uses<"db" | "clock">): Promise<{ nonces: number; answers: number; more: boolean }> {
  const now = ctx.clock.now().getTime();
  const nonces = await deleteOldNonces(ctx.db, NONCE_LIFETIME_SECONDS, BATCH);
  const answers = await deleteAnswersBefore(ctx.db, new Date(now - IDEMPOTENCY_LIFETIME_MS), BATCH);
  await deleteAccessTokensBefore(ctx.db, new Date(now - TOKEN_MEMORY_MS));
  await deleteSessionsBefore(ctx.db, new Date(now - TOKEN_MEMORY_MS));
  await deleteFullBudgets(ctx.db, new Date(now));
  return { nonces, answers, more: nonces >= BATCH || answers === BATCH };
}
