import { type SQL, sql } from "drizzle-orm";
import type { Layout } from "#db/layout.ts";
import { settlementOf } from "#db/queries/settlements/settlement-of.ts";
import { isPaid } from "#db/queries/settlements/to-wallet.ts";
import { BY_SCREENING } from "#db/schema/payment-checks.ts";
import type { PolicyHint } from "#domain/policy-rule.ts";

/** The most of a merchant's settlements, and of its screenings, that are read, newest first: there may be many unconfirmed quotes. */
const NEWEST = 1_000;
const newest = sql.raw(`limit ${NEWEST}`);

/** A merchant's settlements before the given one, newest first. `till`: none created after it. */
const ofMerchant = (till: SQL, layout: Layout) =>
  layout === "citus"
    ? sql`citus_settlements_of(q.partner_id, q.merchant, '-infinity', ${till}, q.id, ${sql.raw(`${NEWEST}`)})`
    : sql`(select o.* from settlements o
  where o.partner_id = q.partner_id and o.external_merchant_id = q.merchant and o.created_at <= ${till} and o.id is distinct from q.id
  order by o.created_at desc ${newest})`;
/** Money was promised to this wallet: a quote alone, which anybody may request, does not make a wallet known. */
const PROMISED = sql`lower(d.wallet_address) = lower(q.wallet) and d.confirmed_at <= q.at`;

/**
 * How to find each hint for a settlement that a statement calls `q`: its `partner_id`, `merchant`, `wallet`, `amount_minor`, `currency`,
 * `api_key_id`, the instant `at`, and its own `id` if it exists already. Each uses an index and only the partner's own rows, so that a
 * quote, which sees no others, and a trial of a policy get the same result.
 */
const found = (layout: Layout): Record<PolicyHint, SQL> => ({
  first_wallet_use: sql`not ${isPaid(layout, { partner: sql`q.partner_id`, wallet: sql`q.wallet`, till: sql`q.at` })}`,
  wallet_changed: sql`not exists (select 1 from ${ofMerchant(sql`q.at - interval '1 day'`, layout)} as d where ${PROMISED})
    and (select count(*) >= ${sql.raw(`${NEWEST}`)} or min(d.created_at) filter (where lower(d.wallet_address) <> lower(q.wallet))
      < coalesce(min(d.created_at) filter (where ${PROMISED}), q.at) from ${ofMerchant(sql`q.at`, layout)} as d)`,
  first_of_merchant: sql`not exists (select 1 from ${ofMerchant(sql`q.at`, layout)} as d where d.confirmed_at <= q.at)`,
  repeated: sql`exists (select 1 from ${withinMinutes(layout)} d where d.source_amount_minor = q.amount_minor and d.source_currency = q.currency and lower(d.wallet_address) = lower(q.wallet))`,
  new_key: sql`not exists (select 1 from api_keys k where k.id = q.api_key_id and k.created_at <= q.at - interval '1 day')`,
  screened_before: sql`(select count(*) >= ${sql.raw(`${NEWEST}`)} or coalesce(bool_or(d.wallet = lower(q.wallet)), false)
    from (select (select lower(s.wallet_address) from ${settlementOf(layout, sql`h.owner_id`, sql`q.partner_id`)} s) as wallet
      from (select h.owner_id from payment_holds h where h.partner_id = q.partner_id and h.held_at <= q.at and ${BY_SCREENING}
        order by h.held_at desc ${newest}) as h) as d)`,
});

/** Those of the ten minutes before. */
const withinMinutes = (layout: Layout) =>
  layout === "citus"
    ? sql`citus_settlements_of(q.partner_id, q.merchant, q.at - interval '10 minutes', q.at, q.id, null)`
    : sql`(select * from settlements d where d.partner_id = q.partner_id and d.external_merchant_id = q.merchant
      and d.created_at <= q.at and d.created_at > q.at - interval '10 minutes' and d.id is distinct from q.id)`;

/** The hints that were found among those asked for; others cost nothing. `asked`: an array of their names. */
export function hintsFound(asked: SQL, layout: Layout): SQL {
  const each = Object.entries(found(layout)).map(
    ([hint, isFound]) =>
      sql`case when ${sql.raw(`'${hint}'`)} = any(${asked}) then case when ${isFound} then ${sql.raw(`'${hint}'`)} end end`,
  );
  return sql`array_remove(array[${sql.join(each, sql`, `)}]::text[], null)`;
}
