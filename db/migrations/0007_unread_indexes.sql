DROP INDEX CONCURRENTLY IF EXISTS "ledger_entries_recorded";
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "transactions_look";
