import { sql } from "drizzle-orm";
import { MAX_DISPLAY_DECIMALS } from "#domain/money.ts";
import { type AuditRule, type AuditScope, type AuditSlice, inScope } from "./rule.ts";

/** Rules about the ledger itself and compared with the records. Another check recomputes the amounts of each entry. */
export function ledgerRules(scope: AuditScope | AuditSlice): AuditRule[] {
  const within = inScope(scope, "ledgerEntry", sql`e.id`);
  const newest = sql`where before_id = (select max(before_id) from ledger_snapshots)`;
  const entries = sql`select count(*) from ledger_entries e where ${within}`;
  return [
    {
      name: "ledger_balances",
      title: "every entry has all of its postings, and each asset adds up to zero",
      checked: entries,
      violations: sql`
        select e.id, format('%s %s %s has %s of its %s postings', e.cause, e.cause_id, e.step, count(p.entry_id), e.lines), null
        from ledger_entries e left join ledger_postings p on p.entry_id = e.id where ${within} group by e.id having count(p.entry_id) <> e.lines
        union all
        select p.entry_id, format('%s adds up to %s', p.currency || coalesce(' on ' || p.chain, ''), sum(p.amount)), p.chain
        from ledger_postings p where ${inScope(scope, "ledgerEntry", sql`p.entry_id`)}
        group by p.entry_id, p.currency, p.chain having sum(p.amount) <> 0 or min(p.decimals) <> max(p.decimals)`,
    },
    {
      name: "ledger_rounds_in_our_favour",
      title: "rounding is never against us, and less than the smallest amount that can be written",
      checked: sql`select count(*) from ledger_postings p where p.account = 'rounding' and ${inScope(scope, "ledgerEntry", sql`p.entry_id`)}`,
      violations: sql`
        select p.entry_id, format('rounds %s of %s', p.amount, p.currency), p.chain from ledger_postings p
        where p.account = 'rounding' and ${inScope(scope, "ledgerEntry", sql`p.entry_id`)}
          and (p.amount > 0 or -p.amount >= power(10::numeric, p.decimals - least(p.decimals, ${MAX_DISPLAY_DECIMALS}::int)))`,
    },
    {
      name: "ledger_has_a_cause",
      title: "every entry belongs to a record that exists",
      checked: entries,
      violations: sql`
        select e.id, format('%s %s does not exist', e.cause, e.cause_id), null from ledger_entries e
        where ${within} and case e.cause
          when 'settlement' then not exists (select 1 from settlements s where s.id = e.cause_id)
          when 'topup' then not exists (select 1 from topups t where t.id = e.cause_id)
          when 'withdrawal' then not exists (select 1 from withdrawals w where w.id = e.cause_id)
          when 'transaction' then not exists (select 1 from network_fees f where f.id = e.cause_id)
          when 'treasury' then case e.step
            when 'lost' then not exists (select 1 from proposals l where l.kind = 'treasury_loss' and l.outcome = 'carried_out'
              and l.body -> 'transactions' @> jsonb_build_array(jsonb_build_object('hash', split_part(e.cause_id, ':', 3))))
            when 'suspended' then not exists (select 1 from suspense_lines l where l.chain = split_part(e.cause_id, ':', 1) || ':' || split_part(e.cause_id, ':', 2)
              and l.hash = split_part(e.cause_id, ':', 3) and l.place = split_part(e.cause_id, ':', 4)::int)
            when 'corrected' then not exists (select 1 from proposals l join ledger_entries o on o.id = l.body ->> 'entry_id'
              where l.kind = 'ledger_correction' and l.outcome = 'carried_out' and o.cause_id = e.cause_id)
            else false end
          when 'treasury_withdrawal' then not exists (select 1 from treasury_withdrawals w where w.id = e.cause_id)
          when 'booking' then not exists (select 1 from bookings b where b.id = e.cause_id)
          when 'pool' then not exists (select 1 from fiat_pools p where p.currency = split_part(e.cause_id, ':', 1))
          else false end`,
    },
    {
      name: "booking_was_declared",
      title: "every payment of a partner, and every loss at a provider, was declared by people",
      checked: sql`select count(*) from bookings b where ${inScope(scope, "booking", sql`b.id`)} and b.kind in ${BY_PEOPLE}`,
      violations: sql`
        select b.id, format('%s of %s %s under %s is in no proposal that was carried out', b.kind, b.amount_minor, b.currency, b.reference), null
        from bookings b where ${inScope(scope, "booking", sql`b.id`)} and b.kind in ${BY_PEOPLE} and not exists (
          select 1 from proposals l where l.kind = 'bookings' and l.outcome = 'carried_out' and l.body -> 'bookings' @> jsonb_build_array(
            jsonb_build_object('kind', b.kind, 'reference', b.reference, 'currency', b.currency, 'amount_minor', b.amount_minor::text, 'partner_id', b.partner_id)))`,
    },
    {
      name: "suspense_agrees",
      isWhole: true,
      title: "the ledger's suspense equals the unexplained movements, and every explanation is on record",
      checked: sql`select count(*) from suspense_lines`,
      violations: sql`
        select coalesce(l.currency, p.currency), format('%s are in suspense, and the lines add up to %s', coalesce(p.amount, 0), coalesce(l.amount, 0)),
          coalesce(l.chain, p.chain)
        from (select chain, currency, sum(amount) as amount from ledger_postings where account = 'suspense' and phase = 'posted' group by 1, 2) p
        full join (select chain, currency, sum(case direction when 'in' then -amount_base else amount_base end) as amount from suspense_lines
          where holder = 'wallet' and direction <> 'within' and state = 'booked' and resolution is null group by 1, 2) l
          on l.chain = p.chain and l.currency = p.currency
        where coalesce(p.amount, 0) <> coalesce(l.amount, 0)
        union all
        select l.hash, format('is explained as %s of %s, and nothing says so', l.resolution, l.currency), l.chain from suspense_lines l
        where case l.resolution
          when 'funding' then not exists (select 1 from proposals d where d.id = l.proposal_id and d.kind = 'treasury_funding' and d.outcome = 'carried_out'
            and d.body ->> 'hash' = l.hash and d.body ->> 'currency' = l.currency and d.body ->> 'amount_base' = l.amount_base::text)
          when 'loss' then not exists (
            select 1 from ledger_entries e where e.cause = 'treasury' and e.step = 'lost' and e.cause_id = l.chain || ':' || l.hash)
          when 'payment' then not exists (select 1 from transfer_proofs d where d.chain = l.chain and lower(d.hash) = l.hash)
          when 'explained' then not exists (select 1 from proposals d where d.kind = 'movement_explanation' and d.outcome = 'carried_out'
            and d.subject = concat_ws(':', l.chain, l.hash, l.place, l.holder))
          else false end`,
    },
    {
      name: "promises_are_kept_once",
      title: "a promise is open exactly while its withdrawal holds the pool, and ends exactly once",
      checked: sql`select count(*) from ledger_entries e where ${within} and e.phase = 'pending'`,
      violations: sql`
        select e.id, format('of %s, which is %s, ended %s times', e.cause_id, coalesce(w.step, 'not there'), count(r.id)), w.chain
        from ledger_entries e left join withdrawals w on w.id = e.cause_id left join ledger_entries r on r.resolves_id = e.id
        where ${within} and e.phase = 'pending' group by e.id, w.id, w.step, w.chain
        having count(r.id) <> case when w.step in ('reserved', 'sweeping', 'paying_out') then 0 else 1 end
        union all
        select w.id, 'was never promised', w.chain from withdrawals w
        where ${inScope(scope, "withdrawal", sql`w.id`)}
          and not exists (select 1 from ledger_entries e where e.cause = 'withdrawal' and e.cause_id = w.id and e.phase = 'pending')`,
    },
    {
      name: "ledger_snapshots_hold",
      isWhole: true,
      title: "what was added up once is what the postings add up to",
      checked: sql`select count(*) from ledger_snapshots ${newest}`,
      violations:
        scope === null
          ? sql`
        select coalesce(s.account, p.account), format('%s %s was added up to %s, and is %s', coalesce(s.partner_id, p.partner_id), coalesce(s.currency, p.currency), s.amount, p.amount), s.chain
        from (select * from ledger_snapshots ${newest}) s full join (
          select account, partner_id, currency, chain, sum(amount) as amount from ledger_postings
          where phase = 'posted' and entry_id < (select max(before_id) from ledger_snapshots) group by 1, 2, 3, 4
        ) p on p.account = s.account and p.currency = s.currency and p.chain is not distinct from s.chain and p.partner_id is not distinct from s.partner_id
        where s.amount is distinct from p.amount`
          : NOTHING,
    },
  ];
}

const BY_PEOPLE = sql`('partner_payment', 'partner_payout', 'fiat_loss')`;

/** Only a full audit adds up all postings. */
const NOTHING = sql`select null, null, null where false`;
