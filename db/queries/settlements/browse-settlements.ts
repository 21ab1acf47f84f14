import { and, eq, gte, lt, lte, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { partners } from "#db/schema/partners.ts";
import { settlements } from "#db/schema/settlements.ts";
import { contains } from "#db/search.ts";
import { beyond, nearestFirst } from "#db/walk.ts";
import type { CallbackState } from "#domain/callback.ts";
import type { Walk } from "#domain/page.ts";
import type { Settlement } from "#domain/settlement.ts";
import type { ApprovalChoice, SettlementView } from "#domain/settlement-view.ts";
import { toSettlement } from "./settlement-rows.ts";

/** A settlement as a list for people shows it. */
export type BrowsedSettlement = {
  settlement: Settlement;
  partner: { id: string; name: string };
  /** How many of its callbacks are in which state. */
  callbacks: Record<CallbackState, number>;
};

export type BrowseFilter = {
  /** Left out: every partner's. */
  partnerId?: string;
  view?: SettlementView;
  sourceCurrency?: string;
  destinationCurrency?: string;
  chain?: string;
  externalMerchantId?: string;
  callbackState?: CallbackState;
  /** Source minor units, both inclusive. They say little without a currency. */
  amountFrom?: bigint;
  amountTo?: bigint;
  /** Inclusive. */
  createdFrom?: Date;
  /** Exclusive. */
  createdTo?: Date;
  /** A user who decided it. */
  decidedBy?: string;
  approval?: ApprovalChoice;
  /** Its quote has run out unused. */
  lapsed?: boolean;
  /** Inclusive. */
  executedFrom?: Date;
  /** Exclusive. */
  executedTo?: Date;
  /** A part of the failure's reason, in any case of letters. */
  failureReason?: string;
  /** Still processing, and confirmed at least this many minutes ago. */
  processingMinutes?: number;
  /** Failed since midnight, UTC. */
  failedToday?: boolean;
  /** Only the items of this batch. */
  batchId?: string;
  /** Only these. */
  ids?: readonly string[];
};

/** A page of settlements with the details of their list, in list order from a position. */
export async function browseSettlements(db: Database, filter: BrowseFilter, page: Walk): Promise<BrowsedSettlement[]> {
  const rows = await selectBrowsed(db)
    .where(and(...conditions(filter), beyond(settlements, page, "text")))
    .orderBy(...nearestFirst(settlements, page))
    .limit(page.limit);
  return rows.map((row) => ({ ...row, settlement: toSettlement(row.settlement) }));
}

/** Those of these ids that belong to the partner (omitted: to anybody), unordered. */
export async function listBrowsedByIds(db: Database, ids: readonly string[], partnerId?: string): Promise<BrowsedSettlement[]> {
  if (ids.length === 0) return [];
  const rows = await selectBrowsed(db).where(and(isAmong(ids), partnerId === undefined ? undefined : eq(settlements.partnerId, partnerId)));
  return rows.map((row) => ({ ...row, settlement: toSettlement(row.settlement) }));
}

function isAmong(ids: readonly string[]): SQL {
  return sql`${settlements.id} in (select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`;
}

/** How many fit, counted to at most `most` + 1: an exact number of very many helps nobody and costs everybody. */
export async function countBrowsed(db: Database, filter: BrowseFilter, most: number): Promise<number> {
  const few = db
    .select({ one: sql`1` })
    .from(settlements)
    .where(and(...conditions(filter)))
    .limit(most + 1);
  const [row] = await db.execute<{ count: number }>(sql`select count(*)::int as count from ${few} as few`);
  return row?.count ?? 0;
}

function selectBrowsed(db: Database) {
  return db
    .select({
      settlement: settlements,
      partner: { id: partners.id, name: partners.name },
      callbacks: sql<Record<CallbackState, number>>`(select json_build_object(
        'pending', count(*) filter (where c.state = 'pending'), 'delivered', count(*) filter (where c.state = 'delivered'),
        'undelivered', count(*) filter (where c.state = 'undelivered')) from callbacks as c
        where c.subject_id = ${settlements.id} and of_partner(c.partner_id, ${settlements.partnerId}))`,
    })
    .from(settlements)
    .innerJoin(partners, eq(partners.id, settlements.partnerId));
}

/** Few quotes are open among many expired ones, which the planner cannot know: they are read first, by their own index. */
function isOpen(): SQL {
  return sql`settlements.id = any (array(select q.id from settlements as q where q.status = 'quoted' and q.expires_at > (select business_now())))`;
}

/** Written out, not as parameters, so that the partial indexes are recognised. */
const VIEWS: Record<SettlementView, SQL> = {
  quoted: sql`settlements.status = 'quoted' and approval_state is null and ${isOpen()}`,
  awaiting_approval: sql`settlements.status = 'quoted' and approval_state = 'pending'`,
  approved: sql`settlements.status = 'quoted' and approval_state = 'approved' and ${isOpen()}`,
  lapsed: sql`settlements.status = 'quoted' and approval_state is distinct from 'pending' and expires_at <= (select business_now())`,
  processing: sql`settlements.status = 'processing'`,
  executed: sql`settlements.status = 'executed'`,
  failed: sql`settlements.status = 'failed'`,
  cancelled: sql`settlements.status = 'cancelled' and approval_state is distinct from 'rejected'`,
  rejected: sql`settlements.status = 'cancelled' and approval_state = 'rejected'`,
};

const APPROVALS: Record<ApprovalChoice, SQL> = {
  none: sql`approval_state is null`,
  pending: sql`approval_state = 'pending'`,
  approved: sql`approval_state = 'approved'`,
  rejected: sql`approval_state = 'rejected'`,
};
const LAPSED = sql`settlements.status = 'quoted' and expires_at <= (select business_now())`;
const MIDNIGHT = sql`(date_trunc('day', (select business_now()) at time zone 'UTC') at time zone 'UTC')`;

function conditions(filter: BrowseFilter): (SQL | undefined)[] {
  return [...conditionsOfRow(filter), ...conditionsOfStory(filter)];
}

/** Details from other tables, and from the clock. */
function conditionsOfStory({ partnerId, callbackState, decidedBy, processingMinutes, failedToday }: BrowseFilter): (SQL | undefined)[] {
  return [
    callbackState === undefined ? undefined : hasCallback(callbackState, partnerId),
    decidedBy === undefined
      ? undefined
      : sql`${settlements.id} = any (array(select a.object_id from audit_entries as a where a.actor_id = ${decidedBy}
          and a.action in ('settlement.approved', 'settlement.rejected', 'settlement.approval_recorded')))`,
    processingMinutes === undefined
      ? undefined
      : sql`settlements.status = 'processing'
          and confirmed_at <= (select business_now()) - ${processingMinutes} * interval '1 minute'`,
    failedToday
      ? sql`settlements.status = 'failed' and ${settlements.id} = any (array(select a.object_id from audit_entries as a
          where a.action = 'settlement.failed' and a.at >= ${MIDNIGHT}))`
      : undefined,
  ];
}

/**
 * Few are pending or undelivered: they are read first, by their partial indexes, and then their settlements. Nearly all others are
 * delivered: there the walk down the list finds a page soon.
 */
function hasCallback(state: CallbackState, partnerId: string | undefined): SQL {
  if (state === "delivered") {
    return sql`exists (select 1 from callbacks as c
      where c.subject_id = ${settlements.id} and of_partner(c.partner_id, ${settlements.partnerId}) and c.state = 'delivered')`;
  }
  const wanted = state === "pending" ? sql`c.due_at is not null` : sql`c.state = 'undelivered'`;
  const own = partnerId === undefined ? sql`` : sql`and c.partner_id = ${partnerId}`;
  return sql`${settlements.id} = any (array(select c.subject_id from callbacks as c where ${wanted} ${own}))`;
}

function conditionsOfRow(filter: BrowseFilter): (SQL | undefined)[] {
  const { view, approval } = filter;
  return [
    filter.partnerId === undefined ? undefined : eq(settlements.partnerId, filter.partnerId),
    view === undefined ? undefined : VIEWS[view],
    filter.sourceCurrency === undefined ? undefined : eq(settlements.sourceCurrency, filter.sourceCurrency),
    filter.destinationCurrency === undefined ? undefined : eq(settlements.destinationCurrency, filter.destinationCurrency),
    filter.chain === undefined ? undefined : eq(settlements.chain, filter.chain),
    filter.externalMerchantId === undefined ? undefined : eq(settlements.externalMerchantId, filter.externalMerchantId),
    filter.amountFrom === undefined ? undefined : gte(settlements.sourceAmountMinor, filter.amountFrom),
    filter.amountTo === undefined ? undefined : lte(settlements.sourceAmountMinor, filter.amountTo),
    filter.createdFrom === undefined ? undefined : gte(settlements.createdAt, filter.createdFrom),
    filter.createdTo === undefined ? undefined : lt(settlements.createdAt, filter.createdTo),
    filter.batchId === undefined ? undefined : eq(settlements.batchId, filter.batchId),
    filter.ids === undefined ? undefined : isAmong(filter.ids),
    approval === undefined ? undefined : APPROVALS[approval],
    filter.lapsed ? LAPSED : undefined,
    filter.executedFrom === undefined ? undefined : gte(settlements.executedAt, filter.executedFrom),
    filter.executedTo === undefined ? undefined : lt(settlements.executedAt, filter.executedTo),
    filter.failureReason === undefined
      ? undefined
      : and(sql`settlements.status = 'failed'`, contains(filter.failureReason, [settlements.failureReason])),
  ];
}
