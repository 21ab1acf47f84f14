import { sql } from "drizzle-orm";
import { type AuditRule, type AuditScope, type AuditSlice, inScope } from "./rule.ts";

/** Rules about batches, whose items are made, confirmed and decided together. */
export function batchRules(scope: AuditScope | AuditSlice): AuditRule[] {
  const within = inScope(scope, "batch", sql`b.id`);
  const all = sql`select count(*) from settlement_batches b where ${within}`;
  const items = sql`cross join lateral (select count(*) as items, count(distinct coalesce(s.approval_state, '-')) as approvals, min(s.chain) as chain,
      count(*) filter (where s.partner_id <> b.partner_id or s.api_key_id <> b.api_key_id) as foreigners,
      count(*) filter (where s.status = 'quoted') as quoted, count(*) filter (where s.status = 'processing') as processing,
      count(*) filter (where s.status = 'cancelled') as cancelled
    from settlements s where s.batch_id = b.id) i`;
  return [
    {
      name: "batch_is_whole",
      title: "every batch has all of its items, of its partner, in statuses that fit its own, and decided alike",
      checked: all,
      violations: sql`
        select b.id, format('is %s, with %s of %s items: %s quoted, %s processing, %s cancelled, %s of another, %s approval states', b.status, i.items,
          b.item_count, i.quoted, i.processing, i.cancelled, i.foreigners, i.approvals), i.chain
        from settlement_batches b ${items}
        where ${within} and (i.items <> b.item_count or i.foreigners > 0 or i.approvals <> 1 or not case b.status
          when 'quoted' then i.quoted = i.items when 'cancelled' then i.cancelled = i.items
          when 'processing' then i.processing > 0 and i.quoted + i.cancelled = 0
          else i.quoted + i.processing + i.cancelled = 0 end)
        union all
        select s.id, format('is an item of %s, which is no batch', s.batch_id), s.chain
        from settlements s where ${inScope(scope, "settlement", sql`s.id`)} and s.batch_id is not null
          and not exists (select 1 from settlement_batches b where b.id = s.batch_id)`,
    },
    {
      name: "batch_awaits_an_admin_for_a_reason",
      title:
        "a batch awaits an admin, or did, exactly where an item would have, or a pair's items together exceed the pair's maximum of a batch",
      checked: all,
      violations: sql`
        select b.id, format('needs %s approval', case when r.has then 'an' else 'no' end), i.chain
        from settlement_batches b ${items} cross join lateral (select exists (
            select 1 from settlements s join settlement_quotes q on q.settlement_id = s.id and q.version = 1 join pair_terms t on t.id = q.pair_terms_id
            where s.batch_id = b.id and (s.source_amount_minor > t.maximum_source_minor
              or exists (select 1 from payment_verdicts v where v.owner_id = s.id and v.stage = 'quote' and v.outcome = 'hold')
              or exists (select 1 from approval_demands d where d.settlement_id = s.id))
          ) or exists (
            select 1 from settlements s join settlement_quotes q on q.settlement_id = s.id and q.version = 1 join pair_terms t on t.id = q.pair_terms_id
            where s.batch_id = b.id group by t.id having sum(s.source_amount_minor) > t.batch_maximum_source_minor) as has) r
        where ${within} and r.has <> exists (select 1 from settlements s where s.batch_id = b.id and s.approval_state is not null)`,
    },
  ];
}
