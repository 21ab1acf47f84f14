CREATE INDEX CONCURRENTLY IF NOT EXISTS "ledger_postings_account" ON "ledger_postings" USING btree ("account","currency","chain","entry_id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "transfers_unfinished" ON "transfers" USING btree ("chain") WHERE executed_at is null and failure_reason is null;
