import { readRiskFacts } from "#db/queries/settlements/risk-facts.ts";
import { findSettlement } from "#db/queries/settlements/settlements.ts";
import { isId } from "#domain/ids.ts";
import { Refusal } from "#domain/refusal.ts";
import { type RiskHint, riskHints } from "#domain/risk-hint.ts";
import type { Settlement } from "#domain/settlement.ts";
import type { Uses } from "#server/context.ts";

/**
 * Reasons to review a settlement carefully, each with its evidence, as of the settlement's creation. Only for operators: partners must not
 * learn what is checked.
 *
 * @throws Refusal `settlement_not_found`.
 */
export async function readRiskHints(ctx: Uses<"db">, settlementId: string): Promise<RiskHint[]> {
  const settlement = isId("settlement", settlementId) ? await findSettlement(ctx.db, settlementId) : null;
  if (settlement === null) throw new Refusal("settlement_not_found");
  return await hintsOf(ctx, settlement);
}

/** As {@link readRiskHints}, for each of a page of settlements, by id: one short statement each. */
export async function listRiskHints(ctx: Uses<"db">, settlements: readonly Settlement[]): Promise<Map<string, RiskHint[]>> {
  const hints = new Map<string, RiskHint[]>();
  for (const settlement of settlements) hints.set(settlement.id, await hintsOf(ctx, settlement));
  return hints;
}

async function hintsOf(ctx: Uses<"db">, settlement: Settlement): Promise<RiskHint[]> {
  return riskHints(settlement, await readRiskFacts(ctx.db, settlement));
}
