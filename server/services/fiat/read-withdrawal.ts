import { findWithdrawal } from "#db/queries/withdrawals.ts";
import type { Uses } from "#server/context.ts";
import { isId } from "#server/domain/ids.ts";
import { Refusal } from "#server/domain/refusal.ts";
import type { Withdrawal } from "#server/domain/withdrawal.ts";

/**
 * The withdrawal of that id; with a partner named, only that partner's.
 *
 * @throws Refusal `not_found`, for a foreign id just as for one that never was.
 */
export async function readWithdrawal(ctx: Uses<"db">, query: { partnerId?: string; id: string }): Promise<Withdrawal> {
  const withdrawal = isId("withdrawal", query.id) ? await findWithdrawal(ctx.db, query.id, query.partnerId) : null;
  if (withdrawal === null) throw new Refusal("not_found", { detail: "There is no such withdrawal." });
  return withdrawal;
}
