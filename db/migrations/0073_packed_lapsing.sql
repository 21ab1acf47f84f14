-- As before, and nothing that was ever signed on a chain whose payments lapse. There the transaction itself names each payment, so its call is empty;
-- one that is taken over from the signing journal may have lost all its payments but one.
CREATE OR REPLACE FUNCTION owe_pack(transfer text, call jsonb, members jsonb) RETURNS SETOF transfers
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off AS $$
declare
  head transfers;
  total numeric;
  found_members int;
  at timestamptz := business_now();
begin
  select t.* into head from transfers t where t.id = members->>0;
  select count(*), sum(t.amount_base) into found_members, total from transfers t
    where t.id = any(array(select jsonb_array_elements_text(members))) and t.state = 'queued' and t.call_data is null and t.call_sender is null
      and t.chain = head.chain and lower(t.token_address) = lower(head.token_address)
      and not exists (select from pack_members m where m.transfer_id = t.id)
      and not exists (select from lapsing_attempts a where a.transfer_id = t.id)
      and not exists (select from transactions x where x.transfer_id = t.id and x.superseded_at is null)
      and not exists (select from transactions x where x.transfer_id = t.id and x.superseded_at is not null);
  if found_members < (case when call->>'data' = '0x' then 1 else 2 end) or found_members <> jsonb_array_length(members) then
    raise exception '% packs no payments that are owed', transfer using errcode = 'restrict_violation';
  end if;
  return query insert into transfers (id, purpose, owner_id, chain, currency, token_address, token_decimals, amount_base, recipient,
      call_to, call_value_base, call_data, call_sender, state, due_at, created_at, updated_at)
    values (transfer, 'pack', transfer, head.chain, head.currency, head.token_address, head.token_decimals, total, call->>'to',
      call->>'to', 0, call->>'data', call->>'sender', 'queued', at, at, at)
    returning *;
  insert into pack_members (transfer_id, pack_id, position)
    select m.id, transfer, m.place - 1 from jsonb_array_elements_text(members) with ordinality as m(id, place);
end
$$;
