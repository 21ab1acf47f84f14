import { countRecoveryCodes } from "#db/queries/people/recovery-codes.ts";
import type { Uses } from "#server/context.ts";

/** How many recovery codes the person has left. */
export async function readSecondFactor(ctx: Uses<"db">, userId: string): Promise<{ recoveryCodesLeft: number }> {
  return { recoveryCodesLeft: await countRecoveryCodes(ctx.db, userId) };
}
