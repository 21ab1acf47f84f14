import { findSettlement } from "#db/queries/settlements.ts";
import type { Uses } from "#server/context.ts";
import { approvalsNeeded } from "#server/domain/approval.ts";
import { isId } from "#server/domain/ids.ts";
import { allows } from "#server/domain/lifecycle.ts";
import { readApprovalRule } from "./give-approval.ts";

/** How many different people must approve a settlement: 0 where none is asked for, or none any more. */
export async function readApprovalNeed(ctx: Uses<"db">, id: string): Promise<0 | 1 | 2> {
  const settlement = isId("settlement", id) ? await findSettlement(ctx.db, id) : null;
  if (settlement === null || !allows(settlement, "approve")) return 0;
  return approvalsNeeded(settlement.sourceAmountMinor, await readApprovalRule(ctx.db, settlement));
}
