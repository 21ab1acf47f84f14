import { and, asc, eq, gt, gte, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { toTopup } from "#db/queries/fiat/topups.ts";
import { toWithdrawal } from "#db/queries/fiat/withdrawals.ts";
import { toSettlement } from "#db/queries/settlements/settlement-rows.ts";
import { topups, withdrawals } from "#db/schema/fiat-orders.ts";
import { pairTerms } from "#db/schema/rates.ts";
import { settlementQuotes } from "#db/schema/settlement-quotes.ts";
import { settlements } from "#db/schema/settlements.ts";
import type { PairTerms } from "#domain/pair-terms.ts";
import type { Quote, Settlement } from "#domain/settlement.ts";
import type { Topup } from "#domain/topup.ts";
import type { Withdrawal } from "#domain/withdrawal.ts";

/** Priced records with the terms under which they say they were priced. Paged by id, so that a whole database can be read. */

export type PricedQuote = { settlement: Settlement; quote: Quote; terms: PairTerms };
export type PricedOrder<Order> = { order: Order; terms: PairTerms };

/** Every version of every settlement's quote after a position. */
export async function listPricedQuotes(
  db: Database,
  after: { settlementId: string; version: number },
  limit: number,
): Promise<PricedQuote[]> {
  const rows = await db
    .select({ settlement: settlements, quote: settlementQuotes, terms: pairTerms })
    .from(settlementQuotes)
    .innerJoin(settlements, eq(settlements.id, settlementQuotes.settlementId))
    .innerJoin(pairTerms, eq(pairTerms.id, settlementQuotes.pairTermsId))
    // The position of both tables: from one alone PostgreSQL would read the other from its beginning, for each page.
    .where(
      and(
        gte(settlements.id, after.settlementId),
        sql`(${settlementQuotes.settlementId}, ${settlementQuotes.version}) > (${after.settlementId}::text, ${after.version}::int)`,
      ),
    )
    .orderBy(asc(settlementQuotes.settlementId), asc(settlementQuotes.version))
    .limit(limit);
  return rows.map(({ settlement, quote: { settlementId: _id, ...quote }, terms }) => ({
    settlement: toSettlement(settlement),
    quote,
    terms,
  }));
}

export async function listPricedTopups(db: Database, after: string, limit: number): Promise<PricedOrder<Topup>[]> {
  const rows = await db
    .select({ order: topups, terms: pairTerms })
    .from(topups)
    .innerJoin(pairTerms, eq(pairTerms.id, topups.pairTermsId))
    .where(gt(topups.id, after))
    .orderBy(asc(topups.id))
    .limit(limit);
  return rows.map(({ order, terms }) => ({ order: toTopup(order), terms }));
}

export async function listPricedWithdrawals(db: Database, after: string, limit: number): Promise<PricedOrder<Withdrawal>[]> {
  const rows = await db
    .select({ order: withdrawals, terms: pairTerms })
    .from(withdrawals)
    .innerJoin(pairTerms, eq(pairTerms.id, withdrawals.pairTermsId))
    .where(gt(withdrawals.id, after))
    .orderBy(asc(withdrawals.id))
    .limit(limit);
  return rows.map(({ order, terms }) => ({ order: toWithdrawal(order), terms }));
}
