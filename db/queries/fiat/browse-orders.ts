import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { topups, withdrawals } from "#db/schema/fiat-orders.ts";
import { members } from "#db/schema/members.ts";
import { partners } from "#db/schema/partners.ts";
import { beyond, nearestFirst } from "#db/walk.ts";
import type { FiatStatus } from "#domain/fiat.ts";
import type { Walk } from "#domain/page.ts";
import type { Topup } from "#domain/topup.ts";
import type { Withdrawal } from "#domain/withdrawal.ts";
import { toTopup } from "./topups.ts";
import { toWithdrawal } from "./withdrawals.ts";

/** Top-ups and withdrawals as lists for people show them. */

type OrderFacts = {
  partner: { id: string; name: string };
  memberName: string | null;
  /** Why it does not move on just now; null while it moves. */
  waitingReason: string | null;
  /** When the provider first took the order; null before. */
  acceptedAt: Date | null;
  /** Since when the provider's outcome is unknown; null: it is known. */
  ambiguousSince: Date | null;
};
export type BrowsedTopup = OrderFacts & { topup: Topup };
export type BrowsedWithdrawal = OrderFacts & { withdrawal: Withdrawal };

export type OrderFilter = {
  /** Left out: every partner's. */
  partnerId?: string;
  status?: FiatStatus;
  currency?: string;
  memberId?: string;
  /** An id, a transaction's hash, the provider's reference, or how the partner's own reference begins. */
  search?: string;
  /** Inclusive. */
  createdFrom?: Date;
  /** Exclusive. */
  createdTo?: Date;
};

/** A page of top-ups, nearest to the place first. */
export async function browseTopups(db: Database, filter: OrderFilter, page: Walk): Promise<BrowsedTopup[]> {
  const rows = await selectTopups(db)
    .where(and(...conditions(topups, filter), beyond(topups, page, "text")))
    .orderBy(...nearestFirst(topups, page))
    .limit(page.limit);
  return rows.map(fromTopup);
}

/** A page of withdrawals, nearest to the place first. */
export async function browseWithdrawals(db: Database, filter: OrderFilter, page: Walk): Promise<BrowsedWithdrawal[]> {
  const rows = await selectWithdrawals(db)
    .where(and(...conditions(withdrawals, filter), beyond(withdrawals, page, "text")))
    .orderBy(...nearestFirst(withdrawals, page))
    .limit(page.limit);
  return rows.map(fromWithdrawal);
}

export async function findBrowsedTopup(db: Database, id: string, partnerId?: string): Promise<BrowsedTopup | null> {
  const [row] = await selectTopups(db).where(and(eq(topups.id, id), partnerId === undefined ? undefined : eq(topups.partnerId, partnerId)));
  return row ? fromTopup(row) : null;
}

export async function findBrowsedWithdrawal(db: Database, id: string, partnerId?: string): Promise<BrowsedWithdrawal | null> {
  const own = partnerId === undefined ? undefined : eq(withdrawals.partnerId, partnerId);
  const [row] = await selectWithdrawals(db).where(and(eq(withdrawals.id, id), own));
  return row ? fromWithdrawal(row) : null;
}

const PARTNER = { id: partners.id, name: partners.name };

function selectTopups(db: Database) {
  return db
    .select({ order: topups, partner: PARTNER, memberName: members.name })
    .from(topups)
    .innerJoin(partners, eq(partners.id, topups.partnerId))
    .leftJoin(members, eq(members.id, topups.memberId));
}

function selectWithdrawals(db: Database) {
  return db
    .select({ order: withdrawals, partner: PARTNER, memberName: members.name })
    .from(withdrawals)
    .innerJoin(partners, eq(partners.id, withdrawals.partnerId))
    .leftJoin(members, eq(members.id, withdrawals.memberId));
}

type Row<Order> = { order: Order; partner: { id: string; name: string }; memberName: string | null };

function fromTopup({ order, ...rest }: Row<typeof topups.$inferSelect>): BrowsedTopup {
  return { ...rest, ...factsOf(order), topup: toTopup(order) };
}

function fromWithdrawal({ order, ...rest }: Row<typeof withdrawals.$inferSelect>): BrowsedWithdrawal {
  return { ...rest, ...factsOf(order), withdrawal: toWithdrawal(order) };
}

const factsOf = ({ waitingReason, acceptedAt, ambiguousSince }: Omit<OrderFacts, "partner" | "memberName">) => {
  return { waitingReason, acceptedAt, ambiguousSince };
};

function conditions(table: typeof topups | typeof withdrawals, filter: OrderFilter): (SQL | undefined)[] {
  const { partnerId, status, currency, memberId, search, createdFrom, createdTo } = filter;
  return [
    partnerId === undefined ? undefined : sql`${table.partnerId} = ${partnerId}`,
    status === undefined ? undefined : sql`${table.status} = ${status}`,
    currency === undefined ? undefined : sql`${table.currency} = ${currency}`,
    memberId === undefined ? undefined : sql`${table.memberId} = ${memberId}`,
    createdFrom === undefined ? undefined : sql`${table.createdAt} >= ${createdFrom.toISOString()}::timestamptz`,
    createdTo === undefined ? undefined : sql`${table.createdAt} < ${createdTo.toISOString()}::timestamptz`,
    search === undefined
      ? undefined
      : sql`(${table.id} = ${search} or starts_with(${table.externalId}, ${search}) or ${table.providerReference} = ${search}
          or ${table.txHash} = lower(${search}))`,
  ];
}
