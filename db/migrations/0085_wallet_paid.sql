-- Since when a partner has paid a wallet is one entry. The index that it replaces began with the same column, so the version before uses it as well.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "settlements_wallet_paid" ON "settlements" USING btree (lower("wallet_address"),"partner_id","executed_at");
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "settlements_wallet";
