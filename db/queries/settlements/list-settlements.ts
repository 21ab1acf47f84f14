import { and, eq, gte, inArray, isNull, lt, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import type { Layout } from "#db/layout.ts";
import { settlements } from "#db/schema/settlements.ts";
import { layoutOf } from "#db/transaction.ts";
import { beyond, nearestFirst } from "#db/walk.ts";
import { transactionKey } from "#domain/address-key.ts";
import type { Walk } from "#domain/page.ts";
import type { ApprovalState, Settlement, SettlementStatus } from "#domain/settlement.ts";
import { toSettlement } from "./settlement-rows.ts";
import { isToWallet } from "./to-wallet.ts";

export type SettlementFilter = {
  partnerId?: string;
  status?: SettlementStatus;
  /** One of these. */
  statuses?: readonly SettlementStatus[];
  /** `null` selects ordinary settlements. */
  approvalState?: ApprovalState | null;
  batchId?: string;
  externalTxId?: string;
  externalMerchantId?: string;
  chain?: string;
  walletAddress?: string;
  txHash?: string;
  /** By the partner's changes in the audit log. Inclusive; needs the partner. */
  updatedFrom?: Date;
  /** Exclusive. */
  updatedTo?: Date;
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
    .where(and(...conditions(filter, layoutOf(db)), beyond(settlements, page, "text")))
    .orderBy(...nearestFirst(settlements, page))
    .limit(page.limit);
  return rows.map(toSettlement);
}

function conditions(filter: SettlementFilter, layout: Layout): (SQL | undefined)[] {
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
    filter.statuses === undefined ? undefined : inArray(settlements.status, [...filter.statuses]),
    filter.walletAddress === undefined ? undefined : isToWallet(filter.walletAddress, filter.partnerId, layout),
    filter.txHash === undefined
      ? undefined
      : sql`${settlements.txHash} is not null and ${settlements.txHash} = ${transactionKey(filter.txHash)}`,
    updatedIn(filter),
    filter.createdFrom === undefined ? undefined : gte(settlements.createdAt, filter.createdFrom),
    filter.createdTo === undefined ? undefined : lt(settlements.createdAt, filter.createdTo),
  ];
}

/** The instants of which the newest is `updated_at` on the wire (`updatedAtOf`). */
const UPDATED_AT = sql`greatest(${settlements.createdAt}, ${settlements.pricedAt}, ${settlements.confirmedAt}, ${settlements.cancelledAt},
  ${settlements.approvalDecidedAt}, ${settlements.executedAt}, ${settlements.failedAt})`;

/**
 * Each change has an audit entry of its instant, under an index by partner and time. An index by the newest change would cost each settlement
 * a write at each of them.
 */
function updatedIn({ partnerId, updatedFrom, updatedTo }: SettlementFilter): SQL | undefined {
  if (updatedFrom === undefined && updatedTo === undefined) return undefined;
  const within = (at: SQL) =>
    and(
      updatedFrom === undefined ? undefined : sql`${at} >= ${updatedFrom.toISOString()}::timestamptz`,
      updatedTo === undefined ? undefined : sql`${at} < ${updatedTo.toISOString()}::timestamptz`,
    );
  return sql`${within(UPDATED_AT)} and ${settlements.id} in (
    select e.object_id from audit_entries e where e.partner_id = ${partnerId} and ${within(sql`e.at`)})`;
}
