import { sql } from "drizzle-orm";
import type { Layout } from "#db/layout.ts";
import { type AuditRule, type AuditScope, type AuditSlice, inScope } from "./rule.ts";

/** On Citus a confirmation's payment may wait on its partner's node, but no longer than this. */
const WAITED_TOO_LONG = sql`s.confirmed_at < (select business_now()) - interval '5 minutes'`;

/** Rules about settlements, their quotes and their transfers. */
export function settlementRules(scope: AuditScope | AuditSlice, layout: Layout): AuditRule[] {
  const mustBeOwed = layout === "citus" ? WAITED_TOO_LONG : sql`true`;
  const within = inScope(scope, "settlement", sql`s.id`);
  const all = sql`select count(*) from settlements s where ${within}`;
  return [
    {
      name: "settlement_adds_up",
      title: "gross is net and fee together, of every settlement and every quote",
      checked: sql`select count(*) from settlement_quotes s where ${inScope(scope, "settlement", sql`s.settlement_id`)}`,
      violations: sql`
        select s.settlement_id, format('quote %s: %s is not %s and %s', s.version, s.gross_base, s.destination_amount_base, s.platform_fee_base), null
        from settlement_quotes s where ${inScope(scope, "settlement", sql`s.settlement_id`)}
          and s.gross_base <> s.destination_amount_base + s.platform_fee_base
        union all
        select s.id, format('%s is not %s and %s', s.gross_base, s.destination_amount_base, s.platform_fee_base), null
        from settlements s where ${within} and s.gross_base <> s.destination_amount_base + s.platform_fee_base`,
    },
    {
      name: "settlement_keeps_its_quote",
      title: "amounts and rate are those of the quote in force, priced again at approval and at no other time",
      checked: all,
      violations: sql`
        select s.id, case when q.settlement_id is null then 'the quote in force is not kept' else 'differs from the quote in force' end, s.chain
        from settlements s left join settlement_quotes q on q.settlement_id = s.id and q.version = s.quote_version
        where ${within} and (q.settlement_id is null
          or (q.exchange_rate, q.mid_rate, q.spread_bps, q.rate_source, q.rate_as_of, q.pair_terms_id, q.gross_base, q.platform_fee_base,
              q.destination_amount_base, q.priced_at, q.expires_at)
            is distinct from (s.exchange_rate, s.mid_rate, s.spread_bps, s.rate_source, s.rate_as_of, s.pair_terms_id, s.gross_base,
              s.platform_fee_base, s.destination_amount_base, s.priced_at, s.expires_at))
        union all
        select s.id, format('is %s and has the quote %s of %s', coalesce(s.approval_state, 'ordinary'), s.quote_version, q.versions), s.chain
        from settlements s join (select settlement_id, count(*) as versions, max(version) as newest from settlement_quotes q
          where ${inScope(scope, "settlement", sql`q.settlement_id`)} group by 1) q on q.settlement_id = s.id
        where ${within} and (s.quote_version <> q.newest or q.versions <> case when s.batch_id is not null then s.quote_version
          when s.approval_state = 'approved' then 2 else 1 end)`,
    },
    {
      name: "approved_by_enough",
      title:
        "approved by as many different people at least as the terms and the policy it was quoted under ask for, and by none where nobody needed to",
      checked: sql`select count(*) from settlements s where ${within} and s.approval_state is not null`,
      violations: sql`
        select s.id, format('is %s with %s approvals of %s', coalesce(s.approval_state, 'ordinary'), a.given, a.needed), s.chain
        from settlements s
        join settlement_quotes q on q.settlement_id = s.id and q.version = 1
        join pair_terms t on t.id = q.pair_terms_id
        cross join lateral (select (select count(*) from settlement_approvals a where a.settlement_id = s.id) as given,
          greatest(case when s.source_amount_minor > t.two_approvals_above_minor then 2
              when t.batch_maximum_source_minor is not null and t.two_approvals_above_minor is not null and s.batch_id is not null
                and (select sum(i.source_amount_minor) from settlements i where i.batch_id = s.batch_id and i.source_currency = s.source_currency
                  and i.destination_currency = s.destination_currency and i.chain = s.chain) > t.two_approvals_above_minor then 2
              else 1 end,
            coalesce((select d.approvals from approval_demands d where d.settlement_id = s.id), 0)) as needed) a
        cross join lateral (select count(*) as recorded from audit_entries e
          where e.object_id in (s.id, s.batch_id) and e.action = 'settlement.approval_recorded') r
        -- A yes may have lost its weight with its giver's role. So each one beyond what was needed was written down as not the last.
        where ${within} and case when s.approval_state is null then a.given > 0
          when s.approval_state = 'approved' then a.given < a.needed or (a.given > a.needed and r.recorded < a.given - 1)
          else a.given >= a.needed and r.recorded < a.given end
        union all
        select s.id, 'the policy asked for people, and it needed none', s.chain
        from settlements s join approval_demands d on d.settlement_id = s.id where ${within} and s.approval_state is null`,
    },
    {
      name: "settlement_confirmed_in_time",
      title: "confirmed before the quote ran out, never while approval was pending or refused",
      checked: sql`select count(*) from settlements s where ${within} and s.confirmed_at is not null`,
      violations: sql`
        select s.id, format('confirmed %s, valid until %s, approval %s', s.confirmed_at, s.expires_at, coalesce(s.approval_state, 'none')), s.chain
        from settlements s where ${within} and s.confirmed_at is not null
          and (s.confirmed_at >= s.expires_at or s.confirmed_at < s.priced_at or s.approval_state in ('pending', 'rejected'))`,
    },
    {
      name: "executed_was_paid_once",
      title: "every executed settlement has exactly one executed transfer: same recipient, amount, token, chain and hash",
      checked: sql`select count(*) from settlements s where ${within} and s.status = 'executed'`,
      violations: sql`
        select s.id, case when t.id is null then 'has no transfer' else format('its transfer %s is %s, or differs', t.id, t.state) end, s.chain
        from settlements s left join transfers t on t.purpose = 'settlement' and t.owner_id = s.id
        where ${within} and s.status = 'executed' and (t.id is null or t.state <> 'executed'
          or (t.partner_id, t.chain, t.currency, t.token_decimals, t.amount_base, t.tx_hash)
            is distinct from (s.partner_id, s.chain, s.destination_currency, s.token_decimals, s.destination_amount_base, s.tx_hash)
          or t.recipient <> s.wallet_address or lower(t.token_address) is distinct from lower(s.token_address) or t.call_data is not null)`,
    },
    {
      name: "unexecuted_was_not_paid",
      title: "a failed settlement has no payment, a quoted or cancelled one was never owed, a processing one is owed once",
      checked: sql`select count(*) from settlements s where ${within} and s.status <> 'executed'`,
      violations: sql`
        select s.id, format('is %s, and its transfer %s', s.status, coalesce(t.state, 'is missing')), s.chain
        from settlements s left join transfers t on t.purpose = 'settlement' and t.owner_id = s.id
        where ${within} and case s.status
          when 'quoted' then t.id is not null when 'cancelled' then t.id is not null
          when 'failed' then t.id is null or t.state <> 'failed'
          when 'processing' then case when t.id is null then ${mustBeOwed} else t.state in ('executed', 'failed')
            or t.amount_base <> s.destination_amount_base or t.recipient <> s.wallet_address
            or lower(t.token_address) is distinct from lower(s.token_address) end
          else false end
        union all
        select t.id, format('pays for %s, which is no settlement', t.owner_id), t.chain
        from transfers t where t.purpose = 'settlement' and ${inScope(scope, "transfer", sql`t.id`)}
          and not exists (select 1 from settlements s where s.id = t.owner_id)`,
    },
  ];
}
