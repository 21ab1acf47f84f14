CREATE TABLE "treasury_withdrawals" (
	"id" text PRIMARY KEY NOT NULL,
	"chain" text NOT NULL,
	"wallet_address" text NOT NULL,
	"currency" text NOT NULL,
	"token_address" text,
	"token_decimals" smallint NOT NULL,
	"amount_base" numeric(78, 0) NOT NULL,
	"recipient" text NOT NULL,
	"reason" text NOT NULL,
	"state" text NOT NULL,
	"proposed_by" uuid NOT NULL,
	"proposed_at" timestamp (3) with time zone NOT NULL,
	"decided_at" timestamp (3) with time zone,
	"decided_by" uuid,
	"tx_hash" text,
	"failure_reason" text,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "treasury_withdrawals_amount" CHECK ("treasury_withdrawals"."amount_base" > 0),
	CONSTRAINT "treasury_withdrawals_state" CHECK ("treasury_withdrawals"."state" in ('proposed', 'owed', 'paid', 'unpaid', 'rejected')),
	CONSTRAINT "treasury_withdrawals_decided" CHECK (("treasury_withdrawals"."state" = 'proposed') = ("treasury_withdrawals"."decided_at" is null) and ("treasury_withdrawals"."state" = 'proposed') = ("treasury_withdrawals"."decided_by" is null)),
	CONSTRAINT "treasury_withdrawals_ended" CHECK (("treasury_withdrawals"."state" = 'paid') = ("treasury_withdrawals"."tx_hash" is not null) and ("treasury_withdrawals"."state" = 'unpaid') = ("treasury_withdrawals"."failure_reason" is not null))
);
--> statement-breakpoint
ALTER TABLE "treasury_withdrawals" ADD CONSTRAINT "treasury_withdrawals_proposed_by_users_id_fk" FOREIGN KEY ("proposed_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "treasury_withdrawals" ADD CONSTRAINT "treasury_withdrawals_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- What is taken, from where and whereto never changes. Two different people have signed before it is owed, and only what is owed ends.
CREATE FUNCTION refuse_treasury_withdrawal() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  if tg_op = 'INSERT' then
    if new.state <> 'proposed' then
      raise exception 'the treasury withdrawal % begins as a proposal', new.id using errcode = 'restrict_violation';
    end if;
    return new;
  end if;
  if (old.id, old.chain, old.wallet_address, old.currency, old.token_decimals, old.amount_base, old.recipient, old.reason, old.proposed_by, old.proposed_at)
      <> (new.id, new.chain, new.wallet_address, new.currency, new.token_decimals, new.amount_base, new.recipient, new.reason, new.proposed_by, new.proposed_at)
    or old.token_address is distinct from new.token_address
    or (old.state <> 'proposed' and (old.decided_at, old.decided_by) is distinct from (new.decided_at, new.decided_by)) then
    raise exception 'what the treasury withdrawal % takes, and who decided on it, is fixed', old.id using errcode = 'restrict_violation';
  end if;
  if old.state <> new.state and old.state || ' ' || new.state not in ('proposed owed', 'proposed rejected', 'owed paid', 'owed unpaid') then
    raise exception 'a treasury withdrawal that is % does not become %', old.state, new.state using errcode = 'restrict_violation';
  end if;
  if old.state = 'proposed' and new.state = 'owed' and (select count(distinct s.user_id) from decision_signatures s
      where s.object_id = new.id and s.action = 'treasury.withdraw') < 2 then
    raise exception 'two people have not signed the treasury withdrawal %', new.id using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;
--> statement-breakpoint
CREATE TRIGGER treasury_withdrawal_is_fixed BEFORE INSERT OR UPDATE ON "treasury_withdrawals" FOR EACH ROW EXECUTE FUNCTION refuse_treasury_withdrawal();
--> statement-breakpoint
-- The payment of a treasury withdrawal, by its own wallet and no other. Answers nothing where the payment exists.
CREATE FUNCTION owe_treasury_withdrawal(transfer text, owner text) RETURNS SETOF transfers
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off AS $$
declare
  w treasury_withdrawals;
begin
  select * into w from treasury_withdrawals where id = owner and state = 'owed' for update;
  if not found then
    raise exception 'treasury withdrawal % owes no payment', owner using errcode = 'restrict_violation';
  end if;
  return query insert into transfers (id, purpose, owner_id, chain, currency, token_address, token_decimals, amount_base, recipient, call_sender,
      state, due_at, created_at, updated_at)
    values (transfer, 'treasury_withdrawal', w.id, w.chain, w.currency, w.token_address, w.token_decimals, w.amount_base, w.recipient,
      w.wallet_address, 'queued', w.decided_at, w.decided_at, w.decided_at)
    on conflict do nothing returning *;
end
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION owe_treasury_withdrawal(text, text) FROM PUBLIC;
--> statement-breakpoint
-- A plain payment may name the only wallet that makes it.
CREATE OR REPLACE FUNCTION transfer_is_sound(state text, amount numeric, call_to text, call_value numeric, call_data text, call_sender text, due_at timestamptz,
  executed_at timestamptz, tx_hash text, failure_reason text, waiting_kind text, orphaned_since timestamptz) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
begin
  return (amount > 0 or (call_data is not null and amount = 0))
    and (call_data is not null or (call_to is null and call_value is null))
    and (due_at is null) = (state in ('executed', 'failed', 'needs_review'))
    and (state = 'executed') = (executed_at is not null) and (state not in ('mined', 'executed') or tx_hash is not null)
    and (waiting_kind is null or waiting_kind in ('treasury_funding', 'chain_unavailable', 'review', 'hold'))
    and (orphaned_since is null or state = 'executed')
    and (state = 'failed') = (failure_reason is not null);
end
$$;
--> statement-breakpoint
-- As before, and never what only one wallet may pay.
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
