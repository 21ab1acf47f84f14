-- What proved a transfer is evidence: it never changes.
create trigger append_only before update or delete on transfer_proofs for each row execute function refuse_change();
--> statement-breakpoint
create trigger append_only before update or delete on network_fees for each row execute function refuse_change();
--> statement-breakpoint
-- What was told to the provider before that was written down: a refusal of it is no first one.
update withdrawals set given_at = coalesce(accepted_at, updated_at) where step = 'paying_out' and given_at is null and (accepted_at is not null or tries > 0);
--> statement-breakpoint
update topups set given_at = coalesce(accepted_at, updated_at) where step = 'collecting' and given_at is null and (accepted_at is not null or tries > 0);
