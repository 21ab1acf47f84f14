import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { exchangeRates } from "#db/schema/rates.ts";
import { type Decimal, decimal } from "#domain/decimal.ts";
import type { CurrencyPair, RateObservation } from "#domain/rate.ts";

/** A mid rate that may be quoted from: destination units per one major unit of the source, before any spread. */
export type FreshRate = { midRate: Decimal; source: string /** Real time; of a fixed rate it is always now. */; asOf: Date };
export type FreshRateRow = { mid_rate: string | null; rate_source: string | null; rate_as_of: string | null };

/** The database's real time, so that every machine agrees when a rate is stale. A fixed rate (`stale_at` null) is always current. */
export const freshRateColumns = sql`r.mid_rate, r.source as rate_source,
  case when r.stale_at is null then date_trunc('milliseconds', clock_timestamp()) else r.as_of end as rate_as_of`;

/** Joins the rate of two currencies as `r`, if it is fresh. */
export function freshRateJoin(sourceCurrency: SQL, destinationCurrency: SQL): SQL {
  return sql`left join exchange_rates as r
    on r.source_currency = ${sourceCurrency} and r.destination_currency = ${destinationCurrency}
    and (r.stale_at is null or r.stale_at > clock_timestamp())`;
}

export function freshRateFromRow(row: FreshRateRow): FreshRate | null {
  if (row.mid_rate === null || row.rate_source === null || row.rate_as_of === null) return null;
  return { midRate: decimal(row.mid_rate), source: row.rate_source, asOf: new Date(row.rate_as_of) };
}

/** The rate of the two currencies, unless there is none or it is stale. */
export async function findFreshRate(db: Database, pair: CurrencyPair): Promise<FreshRate | null> {
  const [row] = await db.execute<FreshRateRow>(sql`
    select ${freshRateColumns} from (select 1) as one
    ${freshRateJoin(sql`${pair.sourceCurrency}`, sql`${pair.destinationCurrency}`)}`);
  return row ? freshRateFromRow(row) : null;
}

/** All rates that may be quoted from just now, by currencies. One for each currency pair, so they are few: not paged. */
export async function listFreshRates(db: Database): Promise<RateObservation[]> {
  const rows = await db.execute<FreshRateRow & { source_currency: string; destination_currency: string }>(sql`
    select r.source_currency, r.destination_currency, ${freshRateColumns} from exchange_rates as r
    where r.stale_at is null or r.stale_at > clock_timestamp() order by r.source_currency, r.destination_currency`);
  return rows.flatMap((row) => {
    const rate = freshRateFromRow(row);
    return rate === null ? [] : [{ sourceCurrency: row.source_currency, destinationCurrency: row.destination_currency, ...rate }];
  });
}

export type StoredRate = RateObservation & { /** null: a fixed rate, which does not age. */ staleAt: Date | null };

/** The newest rates as they are stored, stale ones included. One for each currency pair, so they are few: not paged. */
export async function listRates(db: Database): Promise<StoredRate[]> {
  return await db.select().from(exchangeRates).orderBy(exchangeRates.sourceCurrency, exchangeRates.destinationCurrency);
}

/**
 * Stores an observation unless a newer one is there already: of two workers that race, the later observation stays.
 * Answers whether it was stored.
 */
export async function saveObservation(db: Database, rate: StoredRate): Promise<boolean> {
  const { count } = await db
    .insert(exchangeRates)
    .values(rate)
    .onConflictDoUpdate({
      target: [exchangeRates.sourceCurrency, exchangeRates.destinationCurrency],
      set: { midRate: rate.midRate, source: rate.source, asOf: rate.asOf, staleAt: rate.staleAt },
      setWhere: sql`exchange_rates.stale_at is null or exchange_rates.as_of < excluded.as_of`,
    });
  return count > 0;
}

/** Sets a rate that does not age, whatever was there before. */
export async function saveFixedRate(db: Database, rate: RateObservation): Promise<void> {
  const changed = { midRate: rate.midRate, source: rate.source, asOf: rate.asOf, staleAt: null };
  await db
    .insert(exchangeRates)
    .values({ ...rate, staleAt: null })
    .onConflictDoUpdate({ target: [exchangeRates.sourceCurrency, exchangeRates.destinationCurrency], set: changed });
}

/** Removes the rate: the pair cannot be quoted until there is another. */
export async function deleteRate(db: Database, pair: CurrencyPair): Promise<void> {
  await db
    .delete(exchangeRates)
    .where(and(eq(exchangeRates.sourceCurrency, pair.sourceCurrency), eq(exchangeRates.destinationCurrency, pair.destinationCurrency)));
}
