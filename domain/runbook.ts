/** The pages of `docs/runbooks`, by name: what to do on a bad day. */
export const RUNBOOKS = [
  ...([
    "above-cap",
    "approvals-waiting",
    "attestations",
    "audit-log",
    "backup",
    "callbacks-undelivered",
    "database-away",
    "failover",
    "fiat-provider",
  ] as const),
  ...([
    "halts",
    "held-payments",
    "identity-provider-gone",
    "keys",
    "leaked-key",
    "log-ins",
    "lost-phone",
    "managed-postgresql",
    "needs-review",
    "objective-missed",
    "packages",
    "packing",
  ] as const),
  ...(["payments-waiting", "pgbouncer", "rates-stale", "reconciliation", "replica", "retention", "rotate-vault-key", "rpc-dead"] as const),
  ...(["screening", "signing-journal", "start-live", "suspense", "treasury-empty", "upgrade", "web-down", "worker-down"] as const),
] as const;
export type Runbook = (typeof RUNBOOKS)[number];
