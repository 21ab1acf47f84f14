import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import type { PricingKey } from "#db/queries/rates/pair-terms.ts";
import { type Params, statement } from "#db/statement.ts";
import { layoutOf } from "#db/transaction.ts";
import { findFiatCurrency } from "#domain/currency.ts";
import { toAtto } from "#domain/exposure-limit.ts";
import type { Exposure, OpenLimit } from "#domain/open-quotes.ts";

const KINDS = sql`('open_quotes', 'open_loss')`;

/** Whether any limit on open quotes is in force, as a column of a statement that runs anyway. */
export const openLimitsInForce = (): SQL =>
  sql`(select true from exposure_limits where replaced_at is null and mode = 'enforce' and kind in ${KINDS} limit 1) is not null`;

/** The same when this process last read it. It only decides whether these limits are asked at once, or after that statement. */
let expected = true;

export function expectsOpenLimits(): boolean {
  return expected;
}

export function rememberOpenLimits(areInForce: boolean): void {
  expected = areInForce;
}

/** Of each kind the most specific limit that concerns a quote. */
const concerned = (of: { [Name in keyof PricingKey]: SQL }) => sql`
  select distinct on (l.kind) l.* from exposure_limits l
  where l.replaced_at is null and l.kind in ${KINDS} and l.source_currency = ${of.sourceCurrency}
    and (l.partner_id is null or l.partner_id = ${of.partnerId})
    and (l.destination_currency is null or l.destination_currency = ${of.destinationCurrency})
    and (l.chain is null or l.chain = ${of.chain})
  order by l.kind, (l.partner_id is not null) desc, num_nonnulls(l.destination_currency, l.chain) desc, l.mode = 'off', l.id`;

const ASKED = {
  partnerId: sql`q.partner_id`,
  sourceCurrency: sql`q.source_currency`,
  destinationCurrency: sql`q.destination_currency`,
  chain: sql`q.chain`,
};
const keyOf = (param: Params<PricingKey>) => ({
  partnerId: sql`${param("partnerId")}::uuid`,
  sourceCurrency: sql`${param("sourceCurrency")}::text`,
  destinationCurrency: sql`${param("destinationCurrency")}::text`,
  chain: sql`${param("chain")}::text`,
});

/** Always in one order, so that two who ask about several pairs do not wait for one another. */
const locking = statement<{ asked: string }, { id: string }>(
  (param) => sql`
    select id, pg_advisory_xact_lock(hashtextextended('open quotes ' || id, 0)) from (
      select distinct l.id from jsonb_to_recordset(${param("asked")}::text::jsonb)
        as q(partner_id uuid, source_currency text, destination_currency text, chain text) cross join lateral (${concerned(ASKED)}) as l
      where l.mode = 'enforce' order by id) as limits`,
);

/** What quotes cost at the present rate beyond what they were priced at, in major units. One that awaits its approval has no price yet. */
const LOSS = sql`sum(case when o.is_priced and r.mid_rate > 0
  then o.destination_amount_base / power(10::numeric, o.token_decimals) * (1 / r.mid_rate - 1 / o.mid_rate) else 0 end)`;
const RATE = sql`left join exchange_rates r on r.source_currency = o.source_currency and r.destination_currency = o.destination_currency`;

type Row = { id: string; kind: OpenLimit["kind"]; amount_atto: string; open_minor: string; loss: string };
const telling = statement<PricingKey, Row>(
  (param, layout) => sql`
    select l.id, l.kind, l.amount_atto::text, o.open_minor::text, o.loss::text
    from (${concerned(keyOf(param))}) as l cross join lateral (
      select coalesce(sum(o.source_amount_minor), 0) as open_minor, coalesce(round(${LOSS}, 18), 0) as loss
      from ${layout === "citus" ? sql`citus_open_quotes(l.source_currency)` : sql`open_quotes`} o ${RATE}
      where o.source_currency = l.source_currency and (l.partner_id is null or l.partner_id = o.partner_id)
        and (l.destination_currency is null or l.destination_currency = o.destination_currency) and (l.chain is null or l.chain = o.chain)
    ) as o where l.mode = 'enforce' order by l.id`,
);

/**
 * The limits on open quotes that concern quotes of these pairs, each locked until the transaction ends. The statements are sent together:
 * those after the first see what the lock waited for.
 */
export async function askOpenLimits(tx: Database, keys: readonly PricingKey[]): Promise<OpenLimit[][]> {
  const asked = keys.map(({ partnerId, sourceCurrency, destinationCurrency, chain }) => {
    return { partner_id: partnerId, source_currency: sourceCurrency, destination_currency: destinationCurrency, chain };
  });
  const [held, ...limits] = await Promise.all([
    locking(tx, { asked: JSON.stringify(asked) }),
    ...keys.map((key) => readOpenLimits(tx, key)),
  ]);
  const ids = new Set(held.map(({ id }) => id));
  // A limit that came in between is not locked.
  return limits.flat().every(({ id }) => ids.has(id)) ? limits : await askOpenLimits(tx, keys);
}

const pairOf = ({ partnerId, sourceCurrency, destinationCurrency, chain }: PricingKey) => ({
  partnerId,
  sourceCurrency,
  destinationCurrency,
  chain,
});

const inForce = statement<Record<string, never>, { areInForce: boolean }>(() => sql`select ${openLimitsInForce()} as "areInForce"`);

export async function areOpenLimitsInForce(db: Database): Promise<boolean> {
  return (await inForce(db, {}))[0]?.areInForce ?? true;
}

/** The same without a lock, for what promises nothing. */
export async function readOpenLimits(db: Database, key: PricingKey): Promise<OpenLimit[]> {
  const exponent = findFiatCurrency(key.sourceCurrency)?.exponent ?? 0;
  return (await telling(db, pairOf(key))).map((row) => ({
    id: row.id,
    kind: row.kind,
    amountAtto: BigInt(row.amount_atto),
    openAtto: toAtto(BigInt(row.open_minor), exponent),
    lossAtto: BigInt(row.loss.replace(".", "")),
  }));
}

/** What is open of each pair, and what the rate has done to it since. */
export async function listExposures(db: Database): Promise<Exposure[]> {
  const rows = await db.execute<{
    source_currency: string;
    destination_currency: string;
    quotes: number;
    open_minor: string;
    loss: string;
  }>(sql`
    select o.source_currency, o.destination_currency, count(*)::int as quotes, sum(o.source_amount_minor)::text as open_minor, round(${LOSS}, 18)::text as loss
    from ${layoutOf(db) === "citus" ? sql`citus_open_quotes(null)` : sql`open_quotes`} o ${RATE} group by 1, 2 order by 1, 2`);
  return rows.map(({ source_currency: currency, destination_currency, quotes, open_minor, loss }) => ({
    pair: `${currency}/${destination_currency}`,
    currency,
    quotes,
    openMinor: BigInt(open_minor),
    lossAtto: BigInt(loss.replace(".", "")),
  }));
}
