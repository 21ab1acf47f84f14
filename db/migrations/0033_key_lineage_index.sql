CREATE INDEX CONCURRENTLY IF NOT EXISTS "api_keys_made_by_key_index" ON "api_keys" USING btree ("made_by_key");
--> statement-breakpoint
ALTER TABLE "api_keys" VALIDATE CONSTRAINT "api_keys_made_by_key_api_keys_id_fk";
