import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import type { By } from "#domain/access.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessAdministrator } from "#domain/session.ts";
import type { Uses } from "#server/context.ts";
import { fundPool } from "./fund-pool.ts";

export type FundSandboxPool = { by: By; currency: string; amountMinor: bigint /** The same one is booked once. */; reference: string };

/**
 * Puts play money into a pool of the sandbox. In live mode what was really paid in is booked by `npm run fund-pool`.
 *
 * @throws Refusal `forbidden`, `step_up_required`, `not_found` without such a pool
 */
export async function fundSandboxPool(ctx: Uses<"db" | "clock" | "mode">, { by, ...funding }: FundSandboxPool): Promise<void> {
  refuseUnlessAdministrator(by, ctx.clock.now());
  if (ctx.mode !== "sandbox") throw new Refusal("forbidden", { detail: "Only the sandbox has play money." });
  await ctx.db.transaction(async (tx) => {
    await fundPool(tx, { by, ...funding, now: await readBusinessNow(tx) });
  });
}
