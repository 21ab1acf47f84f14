CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "notifications_escalated" ON "notifications" USING btree ("fact") WHERE kind = 'decision_overdue' and fact like 'escalated %';--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "notifications_overdue_of" ON "notifications" USING btree ("user_id","created_at") WHERE kind = 'decision_overdue';
