import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import type { Uses } from "#server/context.ts";

/** Business time, in either mode (contract, part 9 "Clocks"). */
export async function tellTime(ctx: Uses<"db">): Promise<Date> {
  return await readBusinessNow(ctx.db);
}
