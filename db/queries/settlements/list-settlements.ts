import { and, eq, gte, isNull, lt, type SQL } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { settlements } from "#db/schema/settlements.ts";
import { beyond, nearestFirst } from "#db/walk.ts";
import type { Walk } from "#domain/page.ts";
import type { ApprovalState, Settlement, SettlementStatus } from "#domain/settlement.ts";
import { toSettlement } from "./settlement-rows.ts";

export type SettlementFilter = {
  partnerId?: string;
  status?: SettlementStatus;
  /** `null` selects ordinary settlements. */
  approvalState?: ApprovalState | null;
  batchId?: string;
  externalTxId?: string;
  externalMerchantId?: string;
  chain?: string;
  /** Inclusive. */
  createdFrom?: Date;
  /** Exclusive. */
  createdTo?: Date;
};

/** A page of settlements, nearest to the place first. */
export async function listSettlements(db: Database, filter: SettlementFilter, page: Walk): Promise<Settlement[]> {
  const rows = await db
    .select()
    .from(settlements)
    .where(and(...conditions(filter), beyond(settlements, page, "text")))
    .orderBy(...nearestFirst(settlements, page))
    .limit(page.limit);
  return rows.map(toSettlement);
}

function conditions(filter: SettlementFilter): (SQL | undefined)[] {
  return [
    filter.partnerId === undefined ? undefined : eq(settlements.partnerId, filter.partnerId),
    filter.status === undefined ? undefined : eq(settlements.status, filter.status),
    filter.approvalState === undefined
      ? undefined
      : filter.approvalState === null
        ? isNull(settlements.approvalState)
        : eq(settlements.approvalState, filter.approvalState),
    filter.batchId === undefined ? undefined : eq(settlements.batchId, filter.batchId),
    filter.externalTxId === undefined ? undefined : eq(settlements.externalTxId, filter.externalTxId),
    filter.externalMerchantId === undefined ? undefined : eq(settlements.externalMerchantId, filter.externalMerchantId),
    filter.chain === undefined ? undefined : eq(settlements.chain, filter.chain),
    filter.createdFrom === undefined ? undefined : gte(settlements.createdAt, filter.createdFrom),
    filter.createdTo === undefined ? undefined : lt(settlements.createdAt, filter.createdTo),
  ];
}
