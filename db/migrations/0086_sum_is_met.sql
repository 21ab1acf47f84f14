-- An approval is by as many yeses as the terms of the first quote ask for, too, and not only the policy. A batch whose items of a pair together
-- exceed the second threshold needs two. The sum is that of all items: they are decided together, and none leaves the batch. It is added up
-- only where nothing else asks for two and fewer than two have said yes.
CREATE OR REPLACE FUNCTION refuse_unless_demand_is_met() RETURNS trigger LANGUAGE plpgsql AS $$
declare
  given bigint := (select count(*) from settlement_approvals a
    where a.settlement_id = new.id and of_partner_or_unsaid(a.partner_id, new.partner_id));
  needed int := greatest(1, (select d.approvals from approval_demands d where d.settlement_id = new.id and of_partner(d.partner_id, new.partner_id)));
  two bigint;
  sums boolean;
begin
  select t.two_approvals_above_minor, t.batch_maximum_source_minor is not null into two, sums
  from settlement_quotes q join pair_terms t on t.id = q.pair_terms_id
  where q.settlement_id = new.id and q.version = 1 and of_partner_or_unsaid(q.partner_id, new.partner_id);
  if new.source_amount_minor > two then
    needed := greatest(needed, 2);
  elsif given < 2 and needed < 2 and sums and new.batch_id is not null and two < (
    select sum(i.source_amount_minor) from settlements i
    where i.batch_id = new.batch_id and of_partner(i.partner_id, new.partner_id) and i.source_currency = new.source_currency
      and i.destination_currency = new.destination_currency and i.chain = new.chain) then
    needed := 2;
  end if;
  if given >= needed then return new; end if;
  raise exception 'the rule that % was quoted under asks for % approvals, and it has %', new.id, needed, given using errcode = 'restrict_violation';
end
$$;
