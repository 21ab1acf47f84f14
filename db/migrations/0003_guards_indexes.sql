CREATE INDEX CONCURRENTLY IF NOT EXISTS "api_keys_rotated_from_index" ON "api_keys" USING btree ("rotated_from");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "callbacks_extra" ON "callbacks" USING btree ("lane","extra_asked_at") WHERE extra_attempt_id is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "callbacks_failing" ON "callbacks" USING btree ("partner_id","failing_since") WHERE failing_since is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "topups_ambiguous" ON "topups" USING btree ("ambiguous_since") WHERE ambiguous_since is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "transactions_standing" ON "transactions" USING btree ("transfer_id") WHERE superseded_at is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "transactions_superseded" ON "transactions" USING btree ("transfer_id") WHERE superseded_at is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "transfers_block" ON "transfers" USING btree ("chain","block_number");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "transfers_promised" ON "transfers" USING btree ("chain","currency","block_number","state","amount_base") WHERE state <> 'failed' and call_data is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "transfers_adrift" ON "transfers" USING btree ("chain") WHERE adrift_since is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "withdrawals_ambiguous" ON "withdrawals" USING btree ("ambiguous_since") WHERE ambiguous_since is not null;
