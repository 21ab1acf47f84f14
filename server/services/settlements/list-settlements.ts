import { listSettlements as listRows, type SettlementFilter } from "#db/queries/settlements/list-settlements.ts";
import { type Walk, type Walked, walkPage } from "#domain/page.ts";
import type { Settlement } from "#domain/settlement.ts";
import type { Uses } from "#server/context.ts";

export type ListSettlements = { filter: SettlementFilter & { partnerId: string } } & Walk;

/** A page of the partner's settlements, newest first. */
export async function listSettlements(ctx: Uses<"db">, { filter, ...walk }: ListSettlements): Promise<Walked<Settlement>> {
  return await walkPage(
    walk,
    (each) => listRows(ctx.db, filter, each),
    (settlement) => settlement,
  );
}
