CREATE TABLE "pack_members" (
	"transfer_id" text PRIMARY KEY NOT NULL,
	"pack_id" text NOT NULL,
	"position" smallint NOT NULL,
	"outcome" text,
	"log_index" smallint,
	CONSTRAINT "pack_members_position" UNIQUE("pack_id","position"),
	CONSTRAINT "pack_members_one_log" UNIQUE("pack_id","log_index")
);
--> statement-breakpoint
ALTER TABLE "pack_members" ADD CONSTRAINT "pack_members_transfer_id_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pack_members" ADD CONSTRAINT "pack_members_pack_id_transfers_id_fk" FOREIGN KEY ("pack_id") REFERENCES "public"."transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pack_members" ADD CONSTRAINT "pack_members_sound" CHECK ((outcome is not distinct from 'paid') = (log_index is not null) and position >= 0 and transfer_id <> pack_id);
--> statement-breakpoint
-- A packed transaction of queued payments that were never signed or packed before, in that order. What it pays follows from them; the signer derives it again.
CREATE FUNCTION owe_pack(transfer text, call jsonb, members jsonb) RETURNS SETOF transfers
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off AS $$
declare
  head transfers;
  total numeric;
  found_members int;
  at timestamptz := business_now();
begin
  select t.* into head from transfers t where t.id = members->>0;
  select count(*), sum(t.amount_base) into found_members, total from transfers t
    where t.id = any(array(select jsonb_array_elements_text(members))) and t.state = 'queued' and t.call_data is null
      and t.chain = head.chain and lower(t.token_address) = lower(head.token_address)
      and not exists (select from pack_members m where m.transfer_id = t.id)
      and not exists (select from transactions x where x.transfer_id = t.id and x.superseded_at is null)
      and not exists (select from transactions x where x.transfer_id = t.id and x.superseded_at is not null);
  if found_members < 2 or found_members <> jsonb_array_length(members) then
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
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION owe_pack(text, jsonb, jsonb) FROM PUBLIC;
--> statement-breakpoint
-- How a member ended is decided once. What people resolve of an unclear one is in its own row.
CREATE FUNCTION refuse_other_outcome() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  raise exception 'how % ended in its packed transaction is fixed', old.transfer_id using errcode = 'restrict_violation';
end
$$;
--> statement-breakpoint
CREATE TRIGGER outcome_is_fixed BEFORE UPDATE ON "pack_members" FOR EACH ROW WHEN (
  old.transfer_id <> new.transfer_id OR old.pack_id <> new.pack_id OR old.position <> new.position
  OR (old.outcome IS NOT NULL AND old.outcome <> new.outcome)
) EXECUTE FUNCTION refuse_other_outcome();
--> statement-breakpoint
-- Also owes what lets the packing contract move a token of a wallet for that wallet.
CREATE OR REPLACE FUNCTION owe_call(transfer text, what text, owner text, partner uuid, call jsonb) RETURNS SETOF transfers
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off AS $$
declare
  w withdrawals;
  d safe_deployments;
  own wallets;
  at timestamptz := business_now();
begin
  if what = 'sweep' then
    select * into w from withdrawals where id = owner and partner_id = partner and step = 'sweeping' and treasury_address is not null for update;
    if found then
      return query insert into transfers (id, purpose, owner_id, partner_id, chain, currency, token_address, token_decimals, amount_base, recipient,
          call_to, call_value_base, call_data, call_sender, state, trace, due_at, created_at, updated_at)
        values (transfer, what, w.id, w.partner_id, w.chain, w.source_currency, w.token_address, w.token_decimals, w.source_amount_base,
          w.treasury_address, call->>'to', (call->>'value')::numeric, call->>'data', call->>'sender', 'queued', w.trace, w.updated_at, w.updated_at, w.updated_at)
        on conflict do nothing returning *;
      return;
    end if;
  elsif what = 'deployment' then
    select * into d from safe_deployments where id = owner and state = 'owed' for update;
    if found then
      return query insert into transfers (id, purpose, owner_id, partner_id, chain, currency, token_decimals, amount_base, recipient,
          call_to, call_value_base, call_data, call_sender, state, trace, due_at, created_at, updated_at)
        values (transfer, what, d.id, d.partner_id, d.chain, call->>'currency', (call->>'decimals')::smallint, 0,
          coalesce(d.address, '0x0000000000000000000000000000000000000000'), call->>'to', 0, call->>'data', call->>'sender',
          'queued', d.trace, at, at, at)
        on conflict do nothing returning *;
      return;
    end if;
  elsif what = 'filler' and owner ~ '^[0-9a-f-]{36}:[0-9]+$' then
    select * into own from wallets where id = split_part(owner, ':', 1)::uuid for update;
    if found then
      return query insert into transfers (id, purpose, owner_id, chain, currency, token_decimals, amount_base, recipient,
          call_to, call_value_base, call_data, call_sender, state, due_at, created_at, updated_at)
        values (transfer, what, owner, own.chain, call->>'currency', (call->>'decimals')::smallint, 0, own.address,
          own.address, 0, '0x', own.address, 'queued', at, at, at)
        on conflict do nothing returning *;
      return;
    end if;
  elsif what = 'allowance' and owner ~ '^[0-9a-f-]{36}:0x[0-9a-f]{40}:0x[0-9a-f]{40}$' then
    select * into own from wallets where id = split_part(owner, ':', 1)::uuid for update;
    if found then
      return query insert into transfers (id, purpose, owner_id, chain, currency, token_decimals, amount_base, recipient,
          call_to, call_value_base, call_data, call_sender, state, due_at, created_at, updated_at)
        values (transfer, what, owner, own.chain, call->>'currency', (call->>'decimals')::smallint, 0, split_part(owner, ':', 3),
          split_part(owner, ':', 2), 0, call->>'data', own.address, 'queued', at, at, at)
        on conflict do nothing returning *;
      return;
    end if;
  end if;
  raise exception '% % owes no payment', what, owner using errcode = 'restrict_violation';
end
$$;
