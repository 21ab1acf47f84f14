import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import { type By, refuseUnlessOperator } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";
import { fundPool } from "./fund-pool.ts";

export type FundSandboxPool = { by: By; currency: string; amountMinor: bigint /** The same one is booked once. */; reference: string };

/**
 * Puts play money into a pool of the sandbox. In live mode what was really paid in is booked by `npm run fund-pool`.
 *
 * @throws Refusal `forbidden`, `not_found` without such a pool
 */
export async function fundSandboxPool(ctx: Uses<"db" | "mode">, { by, ...funding }: FundSandboxPool): Promise<void> {
  refuseUnlessOperator(by.actor, "administer");
  if (ctx.mode !== "sandbox") throw new Refusal("forbidden", { detail: "Only the sandbox has play money." });
  await ctx.db.transaction(async (tx) => {
    await fundPool(tx, { by, ...funding, now: await readBusinessNow(tx) });
  });
}
