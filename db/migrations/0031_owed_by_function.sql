-- Payments are made by these functions only, which the roles of web and worker may call (db/rights.ts). Each copies what is paid, to whom and
-- in which token from the row that owes it, under that row's lock, and only while it owes it. They answer nothing where the payment exists.
CREATE FUNCTION owe_settlement(transfer text, owner text, partner uuid) RETURNS SETOF transfers
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off AS $$
declare
  s settlements;
begin
  select * into s from settlements where id = owner and of_partner(partner_id, partner) and status = 'processing' for update;
  if not found then
    raise exception 'settlement % owes no payment', owner using errcode = 'restrict_violation';
  end if;
  return query insert into transfers (id, purpose, owner_id, partner_id, chain, currency, token_address, token_decimals, amount_base, recipient,
      state, trace, due_at, created_at, updated_at)
    values (transfer, 'settlement', s.id, s.partner_id, s.chain, s.destination_currency, s.token_address, s.token_decimals,
      s.destination_amount_base, s.wallet_address, 'queued', s.trace, s.confirmed_at, s.confirmed_at, s.confirmed_at)
    on conflict do nothing returning *;
end
$$;
--> statement-breakpoint
-- The crypto of a paid top-up, and the way back of a withdrawal that the provider refused.
CREATE FUNCTION owe_order(transfer text, what text, owner text, partner uuid) RETURNS SETOF transfers
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off AS $$
declare
  t topups;
  w withdrawals;
begin
  if what = 'topup' then
    select * into t from topups where id = owner and partner_id = partner and step = 'sending' for update;
    if found then
      return query insert into transfers (id, purpose, owner_id, partner_id, chain, currency, token_address, token_decimals, amount_base, recipient,
          state, trace, due_at, created_at, updated_at)
        values (transfer, what, t.id, t.partner_id, t.chain, t.destination_currency, t.token_address, t.token_decimals, t.destination_amount_base,
          t.wallet_address, 'queued', t.trace, t.updated_at, t.updated_at, t.updated_at)
        on conflict do nothing returning *;
      return;
    end if;
  elsif what = 'return' then
    select * into w from withdrawals where id = owner and partner_id = partner and step = 'returning' for update;
    if found then
      return query insert into transfers (id, purpose, owner_id, partner_id, chain, currency, token_address, token_decimals, amount_base, recipient,
          state, trace, due_at, created_at, updated_at)
        values (transfer, what, w.id, w.partner_id, w.chain, w.source_currency, w.token_address, w.token_decimals, w.source_amount_base,
          w.safe_address, 'queued', w.trace, w.updated_at, w.updated_at, w.updated_at)
        on conflict do nothing returning *;
      return;
    end if;
  end if;
  raise exception '% % owes no payment', what, owner using errcode = 'restrict_violation';
end
$$;
--> statement-breakpoint
-- Contract calls. What is called, only the worker knows how to say, and it says it again before it signs. A deployment and a filler move
-- nothing; a sweep stays within the treasury.
CREATE FUNCTION owe_call(transfer text, what text, owner text, partner uuid, call jsonb) RETURNS SETOF transfers
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
  end if;
  raise exception '% % owes no payment', what, owner using errcode = 'restrict_violation';
end
$$;
--> statement-breakpoint
-- Holds the queued payments of these open holds, for the reasons that the holds give. It can only hold.
CREATE FUNCTION hold_payments(holds text[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off AS $$
begin
  update transfers t set waiting_kind = 'hold', waiting_since = h.held_at, waiting_reason = h.reason,
    -- An endless lease without a holder, which the previous release respects too.
    rest_until = timestamptz '9999-12-31 00:00:00Z', lease_until = timestamptz '9999-12-31 00:00:00Z', lease_token = null
  from (select purpose, owner_id, min(held_at) as held_at, string_agg(reason, ' ' order by id) as reason
    from payment_holds where id = any(holds) and outcome = 'open' group by purpose, owner_id) as h
  where t.purpose = h.purpose and t.owner_id = h.owner_id and t.state = 'queued';
end
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION owe_settlement(text, text, uuid), owe_order(text, text, text, uuid), owe_call(text, text, text, uuid, jsonb), hold_payments(text[]) FROM PUBLIC;
--> statement-breakpoint
-- Whoever stores no signed bytes moves no payment that was signed: people decide on what is queued, or under review.
CREATE FUNCTION refuse_move_of_signed() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  if (old.state = 'queued' and new.state in ('failed', 'executed'))
    or (old.state = 'needs_review' and new.state in ('broadcast', 'executed', 'failed', 'queued'))
    or has_table_privilege(current_user, 'transaction_attempts', 'insert') then
    return new;
  end if;
  raise exception 'a payment that is % is moved by the worker only', old.state using errcode = 'insufficient_privilege';
end
$$;
--> statement-breakpoint
CREATE TRIGGER moved_by_the_worker BEFORE UPDATE ON "transfers" FOR EACH ROW WHEN (old.state <> new.state) EXECUTE FUNCTION refuse_move_of_signed();
--> statement-breakpoint
-- A nonce is given up by people for a payment that they took out of review in the same transaction, and by nobody else but the worker.
CREATE FUNCTION refuse_superseding() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  if has_table_privilege(current_user, 'transaction_attempts', 'insert')
    or exists (select from transfers t where t.id = new.transfer_id and t.state = 'queued') then
    return new;
  end if;
  raise exception 'the transaction of % is superseded by the worker only', new.transfer_id using errcode = 'insufficient_privilege';
end
$$;
--> statement-breakpoint
CREATE TRIGGER superseded_by_the_worker BEFORE UPDATE ON "transactions" FOR EACH ROW
  WHEN (old.superseded_at is null and new.superseded_at is not null) EXECUTE FUNCTION refuse_superseding();
