import { listSettlements as listRows, type SettlementFilter, type SettlementPosition } from "#db/queries/settlements/settlements.ts";
import type { Settlement } from "#domain/settlement.ts";
import type { Uses } from "#server/context.ts";

export type ListSettlements = { filter: SettlementFilter & { partnerId: string }; limit: number; after: SettlementPosition | null };
export type SettlementPage = { settlements: Settlement[]; next: SettlementPosition | null };

/** A page of the partner's settlements, newest first, and where the next page begins (null: there is none). */
export async function listSettlements(ctx: Uses<"db">, query: ListSettlements): Promise<SettlementPage> {
  const rows = await listRows(ctx.db, query.filter, query.limit + 1, query.after);
  const settlements = rows.slice(0, query.limit);
  const last = settlements.at(-1);
  return { settlements, next: rows.length > query.limit && last ? { createdAt: last.createdAt, id: last.id } : null };
}
