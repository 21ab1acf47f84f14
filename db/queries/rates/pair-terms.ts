import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { rowOf } from "#db/rows.ts";
import { pairTerms } from "#db/schema/rates.ts";
import { type Params, statement } from "#db/statement.ts";
import type { PairOnChain, PairTerms } from "#domain/pair-terms.ts";
import type { CurrencyPair } from "#domain/rate.ts";
import { type FreshRate, type FreshRateRow, freshRateColumns, freshRateFromRow, freshRateJoin } from "./exchange-rates.ts";

/** A stored version: with its author and time, and whether it ends an override. */
export type TermsVersion = PairTerms & { withdrawn: boolean; createdAt: Date; createdBy: string };
/** Whose terms: the pair's own (partner null) or one partner's override of them. */
export type TermsOwner = PairOnChain & { partnerId: string | null };
export type PricedTerms = { terms: PairTerms; rate: FreshRate | null; now: Date };

/**
 * The present terms of a partner and a pair, enabled or not, with the fresh mid rate and business time: the whole basis of a price, in one
 * round trip. A partner's override wins unless withdrawn; the highest version of each counts.
 */
export async function findPricedTerms(db: Database, key: PricingKey): Promise<PricedTerms | null> {
  const { partnerId, sourceCurrency, destinationCurrency, chain } = key;
  const [row] = await pricing(db, { partnerId, sourceCurrency, destinationCurrency, chain });
  return row ? pricedTermsFromRow(row) : null;
}

/** The pair, as parameters of a statement. */
export type PricingKey = PairOnChain & { partnerId: string };
export type PricedTermsRow = TermsRow & FreshRateRow & { now: string };

/** What {@link pricedTermsFromRow} reads, of {@link pricedTermsFrom}. */
export const pricedTermsColumns = () => sql`${termsColumns}, ${freshRateColumns}, business_now() as now`;

/** The terms in force as `t`, with the rate. */
export function pricedTermsFrom(param: Params<PricingKey>): SQL {
  const pair = { sourceCurrency: param("sourceCurrency"), destinationCurrency: param("destinationCurrency"), chain: param("chain") };
  const own = newestVersion({ ...pair, partnerId: sql`${param("partnerId")}::uuid` });
  return sql`(
      select * from ((${own}) union all (${newestVersion({ ...pair, partnerId: null })})) as candidates
      where not withdrawn order by partner_id nulls last limit 1
    ) as t
    ${freshRateJoin(sql`t.source_currency`, sql`t.destination_currency`)}`;
}

export function pricedTermsFromRow(row: PricedTermsRow): PricedTerms {
  return { terms: termsFromRow(row), rate: freshRateFromRow(row), now: new Date(row.now) };
}

const pricing = statement<PricingKey, PricedTermsRow>((param) => sql`select ${pricedTermsColumns()} from ${pricedTermsFrom(param)}`);

/** The terms in force for a partner and a pair, enabled or not. */
export async function findTerms(db: Database, key: PairOnChain & { partnerId: string }): Promise<PairTerms | null> {
  return (await findPricedTerms(db, key))?.terms ?? null;
}

/** All enabled terms in force for a partner, each with its fresh rate, ordered by pair. They are few: not paged. */
export async function listTerms(db: Database, partnerId: string): Promise<{ terms: PairTerms; rate: FreshRate | null }[]> {
  const rows = await db.execute<TermsRow & FreshRateRow>(sql`
    select ${termsColumns}, ${freshRateColumns}
    from (
      select distinct on (source_currency, destination_currency, chain) * from (
        select distinct on (source_currency, destination_currency, chain, partner_id) * from pair_terms
        where partner_id is null or partner_id = ${partnerId}
        order by source_currency, destination_currency, chain, partner_id, version desc
      ) as newest
      where not withdrawn
      order by source_currency, destination_currency, chain, partner_id nulls last
    ) as t
    ${freshRateJoin(sql`t.source_currency`, sql`t.destination_currency`)}
    where t.enabled
    order by t.source_currency, t.destination_currency, t.chain`);
  return rows.map((row) => ({ terms: termsFromRow(row), rate: freshRateFromRow(row) }));
}

/** The currencies that can be quoted, which need a market rate. */
export async function listQuotedCurrencies(db: Database): Promise<CurrencyPair[]> {
  const rows = await db.execute<{ source_currency: string; destination_currency: string }>(sql`
    select distinct source_currency, destination_currency from ${newestTerms()} where enabled and not withdrawn
    order by source_currency, destination_currency`);
  return rows.map((row) => ({ sourceCurrency: row.source_currency, destinationCurrency: row.destination_currency }));
}

/** The newest version that each owner has of each pair, withdrawn and disabled ones included, as something to select from. */
export function newestTerms(): SQL {
  return sql`(
    select distinct on (source_currency, destination_currency, chain, partner_id) * from pair_terms
    order by source_currency, destination_currency, chain, partner_id, version desc
  ) as newest`;
}

/** Whether any terms were ever set for these two currencies, on whatever chain. */
export async function pairIsKnown(db: Database, pair: CurrencyPair): Promise<boolean> {
  const rows = await db.execute(sql`select 1 from pair_terms
    where source_currency = ${pair.sourceCurrency} and destination_currency = ${pair.destinationCurrency} limit 1`);
  return rows.length > 0;
}

/** The newest version that an owner has, withdrawn or not. */
export async function findNewestVersion(db: Database, owner: TermsOwner): Promise<TermsVersion | null> {
  const [row] = await db.execute(newestVersion(owner));
  return row === undefined ? null : rowOf(pairTerms, row);
}

/** Adds a version. Answers false, and adds nothing, when another writer has taken that version's number. */
export async function insertTerms(db: Database, version: TermsVersion): Promise<boolean> {
  const { count } = await db.insert(pairTerms).values(version).onConflictDoNothing();
  return count > 0;
}

/** Ordered as the index of `pair_terms_version` is, read backwards: one entry is read, however many versions there are. */
function newestVersion(owner: { [Part in keyof TermsOwner]: TermsOwner[Part] | SQL }): SQL {
  return sql`select * from pair_terms
    where source_currency = ${owner.sourceCurrency} and destination_currency = ${owner.destinationCurrency}
      and chain = ${owner.chain} and partner_id ${owner.partnerId === null ? sql`is null` : sql`= ${owner.partnerId}`}
    order by partner_id desc, version desc limit 1`;
}

const termsColumns = sql`t.id, t.partner_id, t.source_currency, t.destination_currency, t.chain, t.version, t.enabled, t.spread_bps,
  t.platform_fee_base, t.minimum_source_minor, t.maximum_source_minor, t.two_approvals_above_minor, t.batch_maximum_source_minor, t.quote_lifetime_seconds, t.approved_lifetime_seconds`;

type TermsRow = { id: string };
/** Reads what {@link termsColumns} names. */
const termsFromRow = (row: TermsRow): PairTerms => rowOf(pairTerms, row);
