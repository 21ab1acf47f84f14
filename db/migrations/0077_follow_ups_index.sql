CREATE INDEX CONCURRENTLY IF NOT EXISTS "notifications_owed_follow_up" ON "notifications" USING btree ("created_at") WHERE follow_up = 'owed';
