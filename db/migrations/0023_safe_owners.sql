CREATE INDEX CONCURRENTLY IF NOT EXISTS "safe_deployments_owners" ON "safe_deployments" USING gin ("owners") WHERE kind in ('safe', 'owner_swap');
