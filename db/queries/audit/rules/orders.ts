import { type SQL, sql } from "drizzle-orm";
import { balances } from "#db/queries/ledger/ledger-balances.ts";
import { type AuditRule, type AuditScope, type AuditSlice, inScope, sinceOf } from "./rule.ts";
import { transactionsOf } from "./transactions-of.ts";

/** Rules about withdrawals, top-ups, treasury withdrawals and fiat pools, compared with their transfers and the provider's reports. */
export function orderRules(scope: AuditScope | AuditSlice): AuditRule[] {
  const withdrawals = inScope(scope, "withdrawal", sql`w.id`);
  const topups = inScope(scope, "topup", sql`t.id`);
  const taken = inScope(scope, "treasuryWithdrawal", sql`w.id`);
  return [
    {
      name: "withdrawal_took_what_it_says",
      title: "a withdrawal's crypto was swept exactly once before fiat was paid, and returned exactly once where it was not",
      checked: sql`select count(*) from withdrawals w where ${withdrawals}`,
      violations: sql`
        select w.id, format('is %s, its sweep %s and its return %s', w.step, coalesce(sw.state, 'missing'), coalesce(re.state, 'missing')), w.chain
        from withdrawals w
          left join transfers sw on sw.purpose = 'sweep' and sw.owner_id = w.id left join transfers re on re.purpose = 'return' and re.owner_id = w.id
        where ${withdrawals} and (${differs("sw", sql`w.treasury_address`)} or ${differs("re", sql`w.safe_address`)} or case w.step
          when 'reserved' then sw.id is not null or re.id is not null
          when 'sweeping' then sw.id is null or ${isEnded("sw")} or re.id is not null
          when 'released' then coalesce(sw.state, 'failed') <> 'failed' or re.id is not null
          when 'paying_out' then ${not("sw", "executed")} or sw.tx_hash is distinct from w.tx_hash or re.id is not null
          when 'paid' then ${not("sw", "executed")} or sw.tx_hash is distinct from w.tx_hash or re.id is not null
          when 'returning' then ${not("sw", "executed")} or re.id is null or ${isEnded("re")}
          when 'returned' then ${not("sw", "executed")} or ${not("re", "executed")} or re.tx_hash is distinct from w.return_tx_hash
          else ${not("sw", "executed")} or ${not("re", "failed")} end)`,
    },
    {
      name: "topup_paid_what_it_says",
      title: "a top-up's crypto was sent exactly once where the fiat was collected, and never where it was not",
      checked: sql`select count(*) from topups t where ${topups}`,
      violations: sql`
        select t.id, format('is %s, and its transfer %s', t.step, coalesce(p.state, 'is missing')), t.chain
        from topups t left join transfers p on p.purpose = 'topup' and p.owner_id = t.id
        where ${topups} and ((p.id is not null and (p.amount_base <> t.destination_amount_base or p.chain <> t.chain or p.recipient <> t.wallet_address
            or p.currency <> t.destination_currency or p.partner_id is distinct from t.partner_id
            or lower(p.token_address) is distinct from lower(t.token_address)))
          or case t.step
            when 'sending' then p.id is null or ${isEnded("p")}
            when 'sent' then ${not("p", "executed")} or p.tx_hash is distinct from t.tx_hash
            when 'unsent' then ${not("p", "failed")}
            else p.id is not null end)`,
    },
    {
      name: "treasury_withdrawal_was_signed",
      title: "what the operator took out of a wallet left that wallet once, by the signatures of two people, and nothing before",
      checked: sql`select count(*) from treasury_withdrawals w where ${taken}`,
      violations: sql`
        select w.id, format('is %s, its payment %s, and %s people have signed it', w.state, coalesce(p.state, 'missing'), coalesce(s.people, 0)), w.chain
        from treasury_withdrawals w left join transfers p on p.purpose = 'treasury_withdrawal' and p.owner_id = w.id
          left join lateral (select count(distinct d.user_id) as people from decision_signatures d
            where d.object_id = w.id and d.action = 'treasury.withdraw') s on true
        where ${taken} and ((p.id is not null and (p.amount_base <> w.amount_base or p.chain <> w.chain or lower(p.recipient) <> lower(w.recipient)
            or p.currency <> w.currency or p.partner_id is not null or lower(p.token_address) is distinct from lower(w.token_address)
            or lower(p.call_sender) is distinct from lower(w.wallet_address) or s.people < 2))
          or case w.state
            when 'owed' then p.id is null or ${isEnded("p")}
            when 'paid' then ${not("p", "executed")} or p.tx_hash is distinct from w.tx_hash
            when 'unpaid' then ${not("p", "failed")}
            else p.id is not null end)`,
    },
    {
      name: "provider_was_heard_once",
      title: "an order the provider has settled was moved by exactly one of its words, and any other by none",
      checked: sql`select (select count(*) from withdrawals w where ${withdrawals}) + (select count(*) from topups t where ${topups})`,
      violations: sql`
        select o.id, format('is %s after %s words that moved it (%s)', o.step, coalesce(e.applied, 0), coalesce(e.said, 'none')), null
        from (
          select w.id, w.step, case when w.step = 'paid' then 'succeeded' when w.step in ('returning', 'returned', 'unreturned') then 'failed' end as word
          from withdrawals w where ${withdrawals}
          union all
          select t.id, t.step, case when t.step in ('sending', 'sent', 'unsent') then 'succeeded' when t.step = 'uncollected' and t.expired_at is null and t.cancelled_at is null then 'failed' end
          from topups t where ${topups}
        ) o left join (
          select order_id, count(*) as applied, string_agg(status, ',') as said from provider_events
          where effect = 'applied' and ${inScope(sinceOf(scope), "providerEvent", sql`id`)} group by 1
        ) e on e.order_id = o.id
        where e.said is distinct from o.word`,
    },
    {
      name: "topup_expired_unpaid",
      title:
        "a top-up expires when its time is over and not before, and what was paid for it afterwards is known by a word of the provider's",
      checked: sql`select count(*) from topups t where ${topups}`,
      violations: sql`
        select t.id, format('is %s, open until %s, expired %s, paid late %s', t.step, t.expires_at, t.expired_at, t.late_paid_at), null from topups t
        where ${topups} and (t.expired_at is not null or t.late_paid_at is not null) and (t.step <> 'uncollected' or t.expired_at is null
          or t.expired_at < t.expires_at or (t.late_paid_at is not null)
            <> exists (select 1 from provider_events e where e.order_id = t.id and e.effect = 'late'))`,
    },
    {
      name: "cancelled_before_anything_moved",
      title: "an order that its partner cancelled has moved nothing: no sweep was signed for it, and it was never given to the provider",
      checked: sql`select (select count(*) from withdrawals w where ${withdrawals}) + (select count(*) from topups t where ${topups})`,
      violations: sql`
        select w.id, format('was cancelled, and is %s with %s transactions', w.step, x.made), w.chain
        from withdrawals w cross join lateral (select count(*) as made from transfers s cross join lateral ${transactionsOf(sql`s.id`)} x
          where s.purpose = 'sweep' and s.owner_id = w.id) x
        where ${withdrawals} and w.cancelled_at is not null and (w.step <> 'released' or x.made > 0 or w.given_at is not null)
        union all
        select t.id, format('was cancelled, and is %s, given to the provider %s', t.step, coalesce(t.given_at::text, 'never')), null
        from topups t where ${topups} and t.cancelled_at is not null and (t.step <> 'uncollected' or t.given_at is not null)`,
    },
    {
      name: "pool_agrees_with_the_ledger",
      isWhole: true,
      title: "each pool holds what the ledger says, and has promised no more than that",
      checked: sql`select count(*) from fiat_pools`,
      violations: sql`
        select p.currency, format('holds %s, the ledger says %s; promised %s, the ledger says %s', p.total_minor, l.total, w.reserved, l.reserved), null
        from fiat_pools p cross join lateral (
          select (${scope === null ? ALL_OF_POOL : sql`select coalesce(sum(amount), 0) from (${balances(sql`account = 'fiat_pool' and currency = p.currency`)}) b`}) as total,
            -(select coalesce(sum(l.amount), 0) from ledger_entries e join ledger_postings l on l.entry_id = e.id and l.account = 'fiat_pool'
              where e.phase = 'pending' and l.currency = p.currency and ${inScope(scope, "ledgerEntry", sql`e.id`)}
                and not exists (select 1 from ledger_entries r where r.resolves_id = e.id)) as reserved
        ) l cross join lateral (
          select coalesce(sum(w.amount_minor), 0) as reserved from withdrawals w
          where w.currency = p.currency and w.step in ('reserved', 'sweeping', 'paying_out') and ${withdrawals}
        ) w
        where p.total_minor <> l.total or w.reserved <> l.reserved or w.reserved > p.total_minor`,
    },
  ];
}

/** Added up from the first posting on, without the help of what was added up before. */
const ALL_OF_POOL = sql`
  select coalesce(sum(amount), 0) from ledger_postings where account = 'fiat_pool' and phase = 'posted' and currency = p.currency`;

/** Whether a sweep or return, if there is one, is of other crypto than the withdrawal's or goes elsewhere. */
function differs(alias: "sw" | "re", recipient: SQL): SQL {
  const transfer = sql.raw(alias);
  return sql`(${transfer}.id is not null and (${transfer}.amount_base <> w.source_amount_base or ${transfer}.chain <> w.chain
    or ${transfer}.currency <> w.source_currency or ${transfer}.recipient is distinct from ${recipient}
    or ${transfer}.partner_id is distinct from w.partner_id or lower(${transfer}.token_address) is distinct from lower(w.token_address)))`;
}

function not(alias: string, state: "executed" | "failed"): SQL {
  return sql`${sql.raw(alias)}.state is distinct from ${state}`;
}

function isEnded(alias: string): SQL {
  return sql`${sql.raw(alias)}.state in ('executed', 'failed')`;
}
