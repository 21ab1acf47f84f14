import { findWithdrawal } from "#db/queries/fiat/withdrawals.ts";
import { isId } from "#domain/ids.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Withdrawal } from "#domain/withdrawal.ts";
import type { Uses } from "#server/context.ts";

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
