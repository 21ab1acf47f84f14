-- What must hold of each row, as one function. PostgreSQL reads and prepares the text of a check again for each statement that writes the
-- table: of the six and seven checks that stood here, this took a tenth of a create. The rules are the same. Language plpgsql, because a
-- function of SQL would be written out into the check again.
CREATE FUNCTION settlement_is_sound(status text, approval_state text, batch_id text, source_amount bigint, gross numeric, fee numeric, net numeric,
  external_tx_id text, callback_url text, confirmed_at timestamptz, tx_hash text, executed_at timestamptz, failure_reason text) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
begin
  return gross = net + fee and net > 0 and source_amount > 0
    and status || ' ' || coalesce(approval_state, '-') in ('quoted -', 'quoted pending', 'quoted approved', 'processing -', 'processing approved',
      'executed -', 'executed approved', 'failed -', 'failed approved', 'cancelled -', 'cancelled pending', 'cancelled approved', 'cancelled rejected')
    and (status = 'executed') = (tx_hash is not null and executed_at is not null)
    and (status = 'failed') = (failure_reason is not null)
    and (status in ('processing', 'executed', 'failed')) = (confirmed_at is not null)
    and (confirmed_at is null or external_tx_id is not null)
    and (external_tx_id is null or confirmed_at is not null or batch_id is not null)
    and (callback_url is null or confirmed_at is not null)
    and (confirmed_at is null or callback_url is not null or batch_id is not null);
end
$$;
--> statement-breakpoint
CREATE FUNCTION transfer_is_sound(state text, amount numeric, call_to text, call_value numeric, call_data text, call_sender text, due_at timestamptz,
  executed_at timestamptz, tx_hash text, failure_reason text, waiting_kind text, orphaned_since timestamptz) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
begin
  return (amount > 0 or (call_data is not null and amount = 0))
    and (call_data is not null or (call_to is null and call_value is null and call_sender is null))
    and (due_at is null) = (state in ('executed', 'failed', 'needs_review'))
    and (state = 'executed') = (executed_at is not null) and (state not in ('mined', 'executed') or tx_hash is not null)
    and (waiting_kind is null or waiting_kind in ('treasury_funding', 'chain_unavailable', 'review', 'hold'))
    and (orphaned_since is null or state = 'executed')
    and (state = 'failed') = (failure_reason is not null);
end
$$;
--> statement-breakpoint
ALTER TABLE "settlements" ADD CONSTRAINT "settlements_sound" CHECK (settlement_is_sound("settlements"."status", "settlements"."approval_state", "settlements"."batch_id", "settlements"."source_amount_minor", "settlements"."gross_base",
        "settlements"."platform_fee_base", "settlements"."destination_amount_base", "settlements"."external_tx_id", "settlements"."callback_url", "settlements"."confirmed_at", "settlements"."tx_hash",
        "settlements"."executed_at", "settlements"."failure_reason")) NOT VALID;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_sound" CHECK (transfer_is_sound("transfers"."state", "transfers"."amount_base", "transfers"."call_to", "transfers"."call_value_base", "transfers"."call_data", "transfers"."call_sender",
        "transfers"."due_at", "transfers"."executed_at", "transfers"."tx_hash", "transfers"."failure_reason", "transfers"."waiting_kind", "transfers"."adrift_since")) NOT VALID;