CREATE INDEX CONCURRENTLY IF NOT EXISTS "transfers_unfinished" ON "transfers" USING btree ("chain") WHERE executed_at is null and failure_reason is null;
