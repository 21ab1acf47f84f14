CREATE INDEX CONCURRENTLY IF NOT EXISTS "settlements_batch" ON "settlements" USING btree ("batch_id","status") WHERE batch_id is not null;
