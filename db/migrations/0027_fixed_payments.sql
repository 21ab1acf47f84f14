-- What a payment is, and what it is owed for, never changes: neither by a statement that forgets a condition nor by one who writes rows of
-- their own. No version of the service has ever changed these columns.
CREATE FUNCTION refuse_other_payment() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  raise exception 'what % pays, to whom and for what, is fixed', old.id using errcode = 'restrict_violation';
end
$$;
--> statement-breakpoint
-- A sweep that waits gets another caller when its Safe gets another owner. Before it is signed, its call is compared with what it must be.
CREATE TRIGGER payment_is_fixed BEFORE UPDATE ON "transfers" FOR EACH ROW WHEN (
  old.id <> new.id OR old.purpose <> new.purpose OR old.owner_id <> new.owner_id OR old.chain <> new.chain OR old.currency <> new.currency
  OR old.token_decimals <> new.token_decimals OR old.amount_base <> new.amount_base OR old.recipient <> new.recipient
  OR old.partner_id IS DISTINCT FROM new.partner_id OR old.token_address IS DISTINCT FROM new.token_address
  OR old.call_to IS DISTINCT FROM new.call_to OR old.call_value_base IS DISTINCT FROM new.call_value_base
  OR (NOT (old.purpose = 'sweep' AND old.state = 'queued') AND (old.call_data IS DISTINCT FROM new.call_data OR old.call_sender IS DISTINCT FROM new.call_sender))
) EXECUTE FUNCTION refuse_other_payment();
--> statement-breakpoint
CREATE TRIGGER payment_is_fixed BEFORE UPDATE ON "transactions" FOR EACH ROW WHEN (
  old.id <> new.id OR old.transfer_id <> new.transfer_id OR old.wallet_id <> new.wallet_id OR old.nonce <> new.nonce
  OR old.value_base <> new.value_base OR old.data <> new.data OR old.intent_hash <> new.intent_hash
  OR old.to_address IS DISTINCT FROM new.to_address
) EXECUTE FUNCTION refuse_other_payment();
--> statement-breakpoint
-- An approval prices again; a confirmation ends that.
CREATE TRIGGER payment_is_fixed BEFORE UPDATE ON "settlements" FOR EACH ROW WHEN (
  old.id <> new.id OR old.partner_id <> new.partner_id OR old.source_amount_minor <> new.source_amount_minor
  OR old.source_currency <> new.source_currency OR old.destination_currency <> new.destination_currency OR old.chain <> new.chain
  OR old.wallet_address <> new.wallet_address OR old.token_decimals <> new.token_decimals
  OR old.token_address IS DISTINCT FROM new.token_address
  OR (old.confirmed_at IS NOT NULL AND (old.quote_version <> new.quote_version OR old.exchange_rate <> new.exchange_rate OR old.gross_base <> new.gross_base OR old.platform_fee_base <> new.platform_fee_base OR old.destination_amount_base <> new.destination_amount_base OR old.pair_terms_id <> new.pair_terms_id))
) EXECUTE FUNCTION refuse_other_payment();
--> statement-breakpoint
CREATE TRIGGER payment_is_fixed BEFORE UPDATE ON "topups" FOR EACH ROW WHEN (
  old.id <> new.id OR old.partner_id <> new.partner_id OR old.amount_minor <> new.amount_minor OR old.fee_minor <> new.fee_minor
  OR old.currency <> new.currency OR old.chain <> new.chain OR old.token_decimals <> new.token_decimals
  OR old.destination_amount_base <> new.destination_amount_base OR old.destination_currency <> new.destination_currency
  OR old.wallet_address <> new.wallet_address OR old.source_type <> new.source_type OR old.source_account <> new.source_account
  OR old.token_address IS DISTINCT FROM new.token_address
) EXECUTE FUNCTION refuse_other_payment();
--> statement-breakpoint
-- Where a sweep goes is decided once, by the worker.
CREATE TRIGGER payment_is_fixed BEFORE UPDATE ON "withdrawals" FOR EACH ROW WHEN (
  old.id <> new.id OR old.partner_id <> new.partner_id OR old.amount_minor <> new.amount_minor OR old.fee_minor <> new.fee_minor
  OR old.currency <> new.currency OR old.chain <> new.chain OR old.token_decimals <> new.token_decimals
  OR old.source_amount_base <> new.source_amount_base OR old.source_currency <> new.source_currency OR old.safe_address <> new.safe_address
  OR old.destination_type <> new.destination_type OR old.destination_account <> new.destination_account
  OR old.destination_name <> new.destination_name OR old.token_address IS DISTINCT FROM new.token_address
  OR (old.treasury_address IS NOT NULL AND old.treasury_address IS DISTINCT FROM new.treasury_address)
) EXECUTE FUNCTION refuse_other_payment();
