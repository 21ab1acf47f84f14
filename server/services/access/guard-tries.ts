import { createHash } from "node:crypto";
import { type Budget, refill, takeFromBudget } from "#db/queries/people/login-tries.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";

/** A budget of tries: `burst` at once after a pause, then one per interval of so many seconds. */
export function triesFor(what: string, burst: number, seconds: number): Budget {
  return { key: createHash("sha256").update(what).digest("hex"), burst, intervalMs: seconds * 1_000 };
}

/**
 * Lets somebody try to prove who they are, as long as all budgets have a try left; a right proof costs none. Budgets go from the
 * smallest to the widest, always in the same order: transactions that take several never wait for each other in a circle. Real time.
 *
 * @throws Refusal `rate_limited`, and whatever a wrong proof throws.
 */
export async function guardTries<Proof>(
  ctx: Uses<"db" | "clock">,
  budgets: readonly Budget[],
  prove: () => Promise<Proof>,
): Promise<Proof> {
  await takeTry(ctx, budgets);
  const proof = await prove();
  await ctx.db.transaction(async (tx) => {
    for (const budget of budgets) await refill(tx, budget);
  });
  return proof;
}

/** Out of all budgets, or out of none. */
async function takeTry(ctx: Uses<"db" | "clock">, budgets: readonly Budget[]): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    for (const each of budgets) {
      const waitMs = await takeFromBudget(tx, each, now);
      if (waitMs === null) continue;
      const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000));
      throw new Refusal("rate_limited", { detail: "Too many failed log-ins. Wait a moment and try again.", retryAfterSeconds });
    }
  });
}
