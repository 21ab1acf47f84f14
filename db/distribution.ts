/**
 * Where each table's rows belong once they exceed one PostgreSQL: the inventory behind docs/scaling.md. `distributed`: by `partner_id`,
 * which every row has. `reference`: small, rarely written, on every node, and not writable while one is away. `whole`: in one place, with
 * the reason, in groups that may each have their own server. `db/distribution.test.ts` checks that every table is listed.
 * Citus's layout adds two distributed tables (`db/citus-tables.ts`).
 */
export type Place = { kind: "distributed" } | { kind: "reference" } | { kind: "whole"; group: Group };

/** Why a group of tables stays in one piece, and what becomes of it at last. */
export const GROUPS = {
  execution:
    "A wallet's sequence of nonces is one line, no matter who is paid by it: claims go by chain and wallet. Payments of the operator have no partner. Divided by wallet, not by partner",
  books:
    "Sums of the operator (treasury, fees, pools) go over all partners, and half of the lines belong to no partner. Divided by day, with snapshots",
  events:
    "The order of events is that of one node's transactions. If another node committed later, a reader would pass over its events. Divided by time",
  audit: "One chain of hashes over everything that anybody does, the operator included: it has one end. Divided by time",
  fiat: "Orders over the provider are a fraction of the traffic, and their pool is one sum for all partners",
  log: "Burnt nonces and the log of requests are kept for minutes and for weeks, and nothing refers to them: the first to get a server of their own. On Citus only nonces of the operator's keys",
  controls:
    "What stops money and lets requests in: keys, halts and paused receivers. A reference table cannot be written while any node is away; these can. Small",
  people: "People of the operator belong to no partner. A few rows for each person",
  operator: "Settings, limits, walks and leases of the operator: a few rows, or a few for each worker",
} as const;
export type Group = keyof typeof GROUPS;

const DISTRIBUTED: Place = { kind: "distributed" };
const REFERENCE: Place = { kind: "reference" };
const whole = (group: Group): Place => ({ kind: "whole", group });

export const DISTRIBUTION: Readonly<Record<string, Place>> = {
  approval_demands: DISTRIBUTED,
  callback_attempts: DISTRIBUTED,
  callbacks: DISTRIBUTED,
  idempotency_keys: DISTRIBUTED,
  settlement_approvals: DISTRIBUTED,
  settlement_batches: DISTRIBUTED,
  settlement_quotes: DISTRIBUTED,
  settlements: DISTRIBUTED,

  approval_policies: REFERENCE,
  business_clock: REFERENCE,
  pair_terms: REFERENCE,
  partners: REFERENCE,

  api_keys: whole("controls"),
  callback_secrets: whole("controls"),
  lane_halts: whole("controls"),
  paused_receivers: whole("controls"),

  adrift_places: whole("execution"),
  brought_safes: whole("execution"),
  chain_cursors: whole("execution"),
  chain_heads: whole("execution"),
  lapsing_attempts: whole("execution"),
  network_fees: whole("execution"),
  payment_holds: whole("execution"),
  payment_verdicts: whole("execution"),
  pack_members: whole("execution"),
  safe_deployments: whole("execution"),
  transaction_attempts: whole("execution"),
  transactions: whole("execution"),
  transfer_proofs: whole("execution"),
  transfers: whole("execution"),
  unexplained_payments: whole("execution"),
  signing_journal: whole("execution"),
  suspense_lines: whole("execution"),
  treasury_books: whole("execution"),
  treasury_cursors: whole("execution"),
  treasury_withdrawals: whole("execution"),
  wallet_balances: whole("execution"),
  wallets: whole("execution"),

  fiat_pools: whole("fiat"),
  members: whole("fiat"),
  provider_balances: whole("fiat"),
  provider_events: whole("fiat"),
  simulated_orders: whole("fiat"),
  topups: whole("fiat"),
  withdrawals: whole("fiat"),

  bookings: whole("books"),
  ledger_entries: whole("books"),
  ledger_postings: whole("books"),
  ledger_snapshots: whole("books"),
  reconciliations: whole("books"),

  event_counters: whole("events"),
  event_epochs: whole("events"),
  event_floors: whole("events"),
  events: whole("events"),

  attestations: whole("audit"),
  audit_entries: whole("audit"),
  audit_seals: whole("audit"),
  audit_unsealed: whole("audit"),
  audit_verifications: whole("audit"),

  api_requests: whole("log"),
  archived_rows: whole("log"),
  nonces: whole("log"),

  access_tokens: whole("people"),
  decision_signatures: whole("people"),
  directory_groups: whole("people"),
  directory_users: whole("people"),
  identities: whole("people"),
  identity_providers: whole("people"),
  identity_requests: whole("people"),
  invitations: whole("people"),
  login_origins: whole("people"),
  login_throttles: whole("people"),
  notification_messages: whole("people"),
  notification_rules: whole("people"),
  notification_settings: whole("people"),
  notifications: whole("people"),
  passkey_challenges: whole("people"),
  passkey_keys: whole("people"),
  passkeys: whole("people"),
  provider_sign_outs: whole("people"),
  recovery_codes: whole("people"),
  review_claims: whole("people"),
  saved_views: whole("people"),
  sessions: whole("people"),
  users: whole("people"),

  event_destinations: whole("operator"),
  exchange_rates: whole("operator"),
  exposure_counters: whole("operator"),
  exposure_limits: whole("operator"),
  incident_entries: whole("operator"),
  incidents: whole("operator"),
  processes: whole("operator"),
  proposals: whole("operator"),
  resend_job_items: whole("operator"),
  resend_jobs: whole("operator"),
  retention_walks: whole("operator"),
  screening_settings: whole("operator"),
  status_days: whole("operator"),
  status_incidents: whole("operator"),
  status_notes: whole("operator"),
};

/** The tables whose rows are spread by partner. */
export const DISTRIBUTED_TABLES: readonly string[] = Object.keys(DISTRIBUTION).filter((name) => DISTRIBUTION[name]?.kind === "distributed");
/** Those and the reference tables: on Citus all others are ordinary tables of the coordinator. */
export const KNOWN_TO_CITUS: readonly string[] = Object.keys(DISTRIBUTION).filter((name) => DISTRIBUTION[name]?.kind !== "whole");
