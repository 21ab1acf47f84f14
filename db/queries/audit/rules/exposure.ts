import { sql } from "drizzle-orm";
import { unfinished } from "#db/queries/transfers/unfinished.ts";
import { type AuditRule, type AuditScope, type AuditSlice, inScope } from "./rule.ts";

/** Rules about held payments, and about the counters of limits. */
export function exposureRules(scope: AuditScope | AuditSlice): AuditRule[] {
  const within = inScope(scope, "hold", sql`h.id`);
  const judged = inScope(scope, "verdict", sql`v.id`);
  const quoted = inScope(scope, "settlement", sql`s.id`);
  return [
    {
      name: "held_payment_waits",
      title: "every held payment is owed, unsigned and waiting, and every waiting payment has a hold to decide",
      isWhole: true,
      checked: sql`select count(*) from payment_holds h where h.outcome = 'open'`,
      violations: sql`
        select h.owner_id, format('is held, and its transfer is %s and waits for %s', coalesce(t.state, 'missing'), coalesce(t.waiting_kind, 'nothing')), t.chain
        from payment_holds h left join transfers t on t.purpose = h.purpose and t.owner_id = h.owner_id
        where h.outcome = 'open' and (t.state, t.waiting_kind) is distinct from ('queued', 'hold')
        union all
        select t.owner_id, 'waits for a decision, but has no open hold', t.chain from transfers t
        where ${unfinished("t")} and t.waiting_kind = 'hold' and t.state in ('queued', 'signed', 'broadcast', 'mined') and not exists (
          select 1 from payment_holds h where h.purpose = t.purpose and h.owner_id = t.owner_id and h.outcome = 'open')`,
    },
    {
      name: "awaits_an_admin_for_a_reason",
      title:
        "what awaits an admin, or did, is above its pair's maximum, or was beyond a limit or held by the approval policy as it was quoted",
      checked: sql`select count(*) from settlements s where ${quoted} and s.approval_state is not null and s.batch_id is null`,
      violations: sql`
        select s.id, format('is %s, and is neither above the maximum nor was beyond a limit or asked for by the policy', s.approval_state), s.chain
        from settlements s join settlement_quotes q on q.settlement_id = s.id and q.version = 1 join pair_terms t on t.id = q.pair_terms_id
        where ${quoted} and s.approval_state is not null and s.batch_id is null and s.source_amount_minor <= t.maximum_source_minor
          and not exists (select 1 from payment_verdicts v where v.owner_id = s.id and v.stage = 'quote' and v.outcome = 'hold')
          and not exists (select 1 from approval_demands d where d.settlement_id = s.id)`,
    },
    {
      name: "hold_has_its_verdict",
      title: "every hold is of one verdict that says so, of the same payment and check, and every such verdict has held",
      checked: sql`select count(*) from payment_verdicts v where ${judged}`,
      violations: sql`
        select h.owner_id, format('%s rests on %s, which does not hold it', h.id, h.verdict_id), null
        from payment_holds h join payment_verdicts v on v.id = h.verdict_id
        where ${within} and (v.outcome, v.purpose, v.owner_id, v."check") is distinct from ('hold', h.purpose, h.owner_id, h."check")
        union all
        select v.owner_id, format('%s holds it, with %s holds', v.id, count(h.id)), null
        from payment_verdicts v left join payment_holds h on h.verdict_id = v.id
        where ${judged} and v.outcome = 'hold' and v.stage <> 'quote' group by v.owner_id, v.id having count(h.id) <> 1`,
    },
    {
      name: "refused_was_not_paid",
      title: "what people refused has failed, with nothing signed",
      checked: sql`select count(*) from payment_holds h where ${within} and h.outcome = 'refused'`,
      violations: sql`
        select h.owner_id, format('was refused, and its transfer is %s', coalesce(t.state, 'missing')), t.chain
        from payment_holds h left join transfers t on t.purpose = h.purpose and t.owner_id = h.owner_id
        where ${within} and h.outcome = 'refused' and (t.state is distinct from 'failed'
          or exists (select 1 from transactions x where x.transfer_id = t.id and x.superseded_at is null))`,
    },
    {
      name: "limits_count_what_passed",
      title: "every counter of the last day holds just what the verdicts say that payments count for",
      isWhole: true,
      checked: sql`select count(*) from exposure_counters c where c.begins > ${SINCE}`,
      violations: sql`
        select coalesce(c.limit_id, v.limit_id), format('%s from %s on counts %s, and its verdicts come to %s', coalesce(c.counter, v.counter),
          coalesce(c.begins, v.begins), coalesce(c.amount_atto, 0), coalesce(v.amount, 0)), null
        from (select * from exposure_counters where begins > ${SINCE}) c full join (
          select f ->> 'key' as limit_id, f -> 'charge' ->> 'counter' as counter, (f -> 'charge' ->> 'begins')::timestamptz as begins,
            sum((f -> 'charge' ->> 'amount')::numeric) as amount
          from payment_verdicts v cross join lateral jsonb_array_elements(v.findings) f
          where v.at > ${SINCE} and f ? 'charge' and (f -> 'charge' ->> 'begins')::timestamptz > ${SINCE} group by 1, 2, 3
        ) v on (v.limit_id, v.counter, v.begins) = (c.limit_id, c.counter, c.begins)
        where c.amount_atto is distinct from v.amount`,
    },
  ];
}

/** Older stretches are in no window any more; anyone who forgets them leaves these. */
const SINCE = sql`((select business_now()) - interval '25 hours')`;
