import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { isRecent } from "#db/recent.ts";
import { layoutOf } from "#db/transaction.ts";
import type { LimitCountedBy, LimitTerms } from "#domain/exposure-limit.ts";
import type { HaltScope } from "#domain/halt-scope.ts";
import { LOOKED_BACK_DAYS, type PastEffect, type StoppingChange } from "#domain/past-effect.ts";

/** The newest payments that are examined. With more, an answer would take longer than two seconds. */
const MOST_EXAMINED = 20_000;

/** When each wallet was first promised a payment that it got. Citus looks for them all in one statement. */
const FIRSTS = sql`select known.wallet, (select min(f.confirmed_at) from settlements f where lower(f.wallet_address) = known.wallet and f.executed_at is not null) as at
      from (select distinct wallet from paid) known`;
const FIRSTS_ON_NODES = sql`select lower(f.wallet_address) as wallet, min(f.confirmed_at) as at from settlements f
      where lower(f.wallet_address) in (select wallet from paid) and f.executed_at is not null group by 1`;

type Row = { payments: number; partners: number; examined: number; sums: { currency: string; base: string; decimals: number }[] };

/** Which of the settlements paid in the last 30 days the change would have stopped, in one statement. */
export async function readPastEffect(db: Database, change: StoppingChange): Promise<PastEffect> {
  const { scope, stopped } = "halt" in change ? { scope: ofHalt(change.halt), stopped: sql`true` } : ofLimit(change.limit);
  const [row] = await db.execute<Row>(sql`
    with paid as materialized (
      select s.id, s.partner_id, s.source_currency, s.destination_currency as currency, s.chain, lower(s.wallet_address) as wallet,
        s.destination_amount_base as base, s.token_decimals as decimals, s.destination_amount_base / power(10::numeric, s.token_decimals) as amount,
        s.confirmed_at as at
      from settlements s
      where ${isRecent(sql`s.executed_at`, sql`${LOOKED_BACK_DAYS} * interval '1 day'`)} and ${scope}
      order by s.executed_at desc limit ${MOST_EXAMINED + 1}
    ), firsts as materialized (
      ${layoutOf(db) === "citus" ? FIRSTS_ON_NODES : FIRSTS}
    ), judged as (select paid.*, ${stopped} as stopped from paid),
    hit as (select * from judged where stopped)
    select (select count(*)::int from hit) as payments, (select count(distinct partner_id)::int from hit) as partners,
      (select count(*)::int from paid) as examined,
      (select coalesce(jsonb_agg(jsonb_build_object('currency', currency, 'base', base::text, 'decimals', decimals) order by currency), '[]')
        from (select currency, decimals, sum(base) as base from hit group by currency, decimals) g) as sums`);
  if (row === undefined) throw new Error("a statement without a table answered nothing");
  const { payments, partners, examined, sums } = row;
  return {
    payments,
    partners,
    examined: Math.min(examined, MOST_EXAMINED),
    isSample: examined > MOST_EXAMINED,
    sums: sums.map(({ currency, base, decimals }) => ({ currency, base: BigInt(base), tokenDecimals: decimals })),
  };
}

function ofHalt({ kind, key }: HaltScope): SQL {
  switch (kind) {
    case "partner":
      return sql`s.partner_id = ${key}::uuid`;
    case "chain":
      return sql`s.chain = ${key}`;
    case "pair":
      return sql`s.source_currency || ' ' || s.destination_currency || ' ' || s.chain = ${key}`;
    default:
      return sql`true`;
  }
}

const COUNTERS: Record<LimitCountedBy, SQL> = {
  partner: sql`paid.partner_id`,
  pair: sql`paid.partner_id, paid.source_currency, paid.currency, paid.chain`,
  destination: sql`paid.wallet`,
  member: sql`paid.partner_id`,
  all: sql`1`,
};

function ofLimit(limit: LimitTerms): { scope: SQL; stopped: SQL } {
  const { partnerId, sourceCurrency, destinationCurrency, chain } = limit;
  const scope = sql`(${partnerId}::uuid is null or s.partner_id = ${partnerId}::uuid)
    and (${sourceCurrency}::text is null or s.source_currency = ${sourceCurrency}::text)
    and (${destinationCurrency}::text is null or s.destination_currency = ${destinationCurrency}::text)
    and (${chain}::text is null or s.chain = ${chain}::text)`;
  return { scope, stopped: stoppedBy(limit) };
}

function stoppedBy({ kind, countedBy, windowSeconds, amountAtto, waitSeconds, addresses }: LimitTerms): SQL {
  if (kind === "velocity")
    return sql`sum(paid.amount) over (partition by ${COUNTERS[countedBy ?? "all"]} order by paid.at
      range between ${windowSeconds} * interval '1 second' preceding and current row) > ${String(amountAtto)}::numeric / power(10::numeric, 18)`;
  if (kind === "allow_list")
    return sql`not (paid.wallet = any(array(select jsonb_array_elements_text(${JSON.stringify(addresses)}::jsonb))))`;
  return sql`paid.at < (select firsts.at from firsts where firsts.wallet = paid.wallet) + ${waitSeconds} * interval '1 second'`;
}
