/**
 * What each process may do with each table: the web process, a partner's request in it, the worker, and the signer, which only reads what it derives
 * payments from. What is not here is refused.
 * `db/rights.test.ts` finds a table that is missing. Policies narrow rows further (`db/policies.ts`), and triggers keep what never changes.
 * docs/decisions/second-line.md explains the rows about money.
 */

/** SQL's own words, as after `grant`; empty: nothing. */
type Grants = string;
type Rights = { web: Grants; partner: Grants; worker: Grants; signer: Grants };

const may = (web: Grants, partner: Grants, worker: Grants, signer: Grants = ""): Rights => ({ web, partner, worker, signer });

const READ = "select";
const ADD = "select, insert";
const CHANGE = "select, insert, update";
const ALL = "select, insert, update, delete";

/** Columns: how far a payment has come, and what people wish for it. What it pays, and to whom, is in none of these columns. */
export const MOVES = `state, waiting_reason, waiting_kind, waiting_since, review_reason, failure_reason, tx_hash, block_number, block_hash,
  cancel_requested_at, bump_requested_at, executed_at, due_at, lease_until, lease_token, rest_until, updated_at`;

/** Columns of people: password and authenticator are in none of them. Functions give and change those for one person. */
const PERSON = "id, email, name, role, partner_id, has_totp, created_at, disabled_at, device_confirmed_at, device_confirmed_by";
const PERSON_CHANGES = "name, role, disabled_at, device_confirmed_at, device_confirmed_by";

export const RIGHTS: Readonly<Record<string, Rights>> = {
  // Payments: rows are made by functions only, which copy them from what owes them.
  transfers: may(`select, update (${MOVES})`, READ, `select, update (${MOVES}, adrift_since, call_data, call_sender)`, READ),
  // People accept that a reverted payment is made again, and have the worker look at once.
  transactions: may(
    "select, update (superseded_at, look_at, spent_height)",
    READ,
    "select, insert, update (superseded_at, look_at, spent_height, bump_at)",
    READ,
  ),
  transaction_attempts: may(READ, READ, "select, insert, update (broadcast_at)", READ),
  // The bytes, their id and their expiry never change.
  lapsing_attempts: may(READ, READ, "select, insert, update (state, sent_at, look_at, block_number, block_hash, ended_at, used)", READ),
  // Links are made by `owe_pack` only. People end a packed transaction that was never made.
  pack_members: may("select, update (outcome)", READ, "select, update (outcome, log_index)", READ),
  transfer_proofs: may(ADD, READ, ADD),
  network_fees: may(ADD, READ, ADD),
  unexplained_payments: may(ADD, READ, ADD),
  // People explain lines; what was found is the worker's.
  suspense_lines: may(
    "select, update (state, resolution, proposal_id, resolved_at, bookings, block_number, block_hash)",
    "",
    "select, insert, update (amount_base, state, resolution, proposal_id, resolved_at, bookings, block_number, block_hash)",
  ),
  brought_safes: may(READ, "", CHANGE),
  treasury_cursors: may(READ, "", CHANGE),
  treasury_books: may(READ, "", ADD),
  // Which journal belongs to the database. Only who works as the worker begins one.
  signing_journal: may(READ, "", "select, insert, update (installation, begun_at, records)", READ),
  adrift_places: may(READ, READ, ALL, READ),
  // People set a wallet's state. Its nonce, its lease and its address are the worker's.
  wallets: may(
    "select, update (state)",
    READ,
    "select, insert, update (next_nonce, lease_owner, lease_until, fencing_token, aligned_height, signer, trouble)",
    READ,
  ),
  wallet_balances: may(READ, READ, CHANGE),
  // Both halt; only people lift.
  lane_halts: may("select, insert, update (lifted_at, lifted_by, lift_confirmed_by, lift_reason)", READ, ADD, READ),
  // The worker adds the defaults at its first start.
  exposure_limits: may("select, insert, update (replaced_at)", READ, ADD, READ),
  exposure_counters: may(CHANGE, CHANGE, ALL),
  payment_holds: may(CHANGE, ADD, CHANGE, "select (id, purpose, owner_id, outcome)"),
  payment_verdicts: may(ADD, ADD, ADD),
  chain_cursors: may(READ, READ, ALL, READ),
  chain_heads: may(READ, READ, CHANGE),
  // Of new ones the worker adds only those of contracts that all Safes need (a trigger).
  safe_deployments: may(CHANGE, CHANGE, CHANGE, READ),
  screening_settings: may(READ, READ, ADD),

  // What owes payments. The worker brings settlements to their end (a policy), and makes none and no order (a trigger: it writes as one that adds).
  settlements: may(CHANGE, CHANGE, CHANGE, READ),
  settlement_batches: may(CHANGE, CHANGE, "select, update"),
  settlement_quotes: may(ADD, ADD, READ, READ),
  settlement_approvals: may(ADD, READ, READ, READ),
  decision_signatures: may(ADD, "", READ, READ),
  approval_demands: may(ADD, ADD, READ, READ),
  approval_policies: may(ADD, READ, READ, READ),
  pair_terms: may(ADD, READ, READ, READ),
  proposals: may(CHANGE, READ, READ, "select (id, kind, subject)"),
  review_claims: may(ALL, ALL, READ),
  topups: may(CHANGE, CHANGE, "select, update", READ),
  withdrawals: may(CHANGE, CHANGE, "select, update", READ),
  // A request for a withdrawal locks its pool: any column serves for that.
  fiat_pools: may(CHANGE, "select, update (updated_at)", "select, update"),
  provider_balances: may(READ, "", CHANGE),
  provider_events: may(ADD, READ, ADD, "select (order_id, status, effect)"),
  simulated_orders: may(READ, READ, CHANGE),
  exchange_rates: may(ALL, ALL, CHANGE),
  // The worker brings a member's Safe to its end. Who a member is, it does not change; triggers keep which wallet.
  members: may(
    CHANGE,
    CHANGE,
    "select, update (wallet_address, safe_status, updated_at)",
    "select (id, partner_id, chain, safe_status, wallet_address)",
  ),
  // People propose, sign and reject; the worker brings what is owed to its end.
  treasury_withdrawals: may(
    "select, insert, update (state, decided_at, decided_by, tx_hash, failure_reason, updated_at)",
    "",
    "select, update (state, tx_hash, failure_reason, updated_at)",
    READ,
  ),

  // The record.
  attestations: may(READ, READ, ADD),
  audit_entries: may(ADD, ADD, ADD, "select (object_id, action, partner_id, actor_type, actor_id)"),
  audit_unsealed: may(ADD, ADD, "select, insert, delete"),
  audit_seals: may(READ, READ, ADD),
  audit_verifications: may(ADD, READ, ADD),
  // People declare and reverse; nobody changes what was declared.
  bookings: may("select, insert, update (reversed_at)", READ, READ),
  ledger_entries: may(ADD, ADD, ADD),
  ledger_postings: may(ADD, ADD, ADD),
  ledger_snapshots: may(READ, READ, ADD),
  reconciliations: may(READ, READ, CHANGE),

  // Nobody changes an event. The worker deletes old ones.
  events: may(ADD, ADD, "select, insert, delete"),
  event_counters: may(CHANGE, CHANGE, CHANGE),
  event_floors: may(READ, READ, CHANGE),
  event_epochs: may(READ, READ, CHANGE),
  event_destinations: may(ALL, ALL, "select, update"),

  callbacks: may(CHANGE, CHANGE, CHANGE),
  callback_attempts: may(READ, READ, CHANGE),
  callback_secrets: may(CHANGE, CHANGE, "select, update (sealed_secret)"),
  paused_receivers: may("select, insert, delete", "select, insert, delete", READ),
  resend_jobs: may(CHANGE, CHANGE, READ),
  resend_job_items: may(CHANGE, CHANGE, READ),

  // Access. The worker ends what is over, and seals secrets with a new key.
  partners: may(CHANGE, "select, update", READ),
  // Who has asked for a payment does not let it go above a cap.
  api_keys: may(CHANGE, CHANGE, "select, update (sealed_secret)", "select (id, made_by)"),
  api_requests: may(ADD, ADD, "select, update (refused, refused_body)"),
  nonces: may("select, insert, delete", "select, insert, delete", "select, delete"),
  idempotency_keys: may(CHANGE, CHANGE, "select, delete, update (sealed_body)"),
  users: may(
    `select (${PERSON}), insert, update (${PERSON_CHANGES})`,
    `select (${PERSON}), insert, update (${PERSON_CHANGES})`,
    `select (${PERSON}, sealed_totp_secret, sealed_totp_draft), update (sealed_totp_secret, sealed_totp_draft)`,
    "select (id, role, partner_id, disabled_at, device_confirmed_at)",
  ),
  sessions: may(CHANGE, CHANGE, "select, delete"),
  access_tokens: may(CHANGE, CHANGE, "select, delete"),
  // The worker mails links that nobody else may hold.
  invitations: may(CHANGE, CHANGE, "select, update (token_hash, mail_due_at)"),
  login_origins: may(CHANGE, CHANGE, ""),
  login_throttles: may(CHANGE, CHANGE, "select, delete"),
  passkeys: may(ALL, ALL, ""),
  passkey_challenges: may(ALL, ALL, ""),
  // A trigger on `passkeys` alone writes it.
  passkey_keys: may(READ, "", READ, READ),
  // Only who acts for everybody answers a provider or a directory.
  identity_providers: may(CHANGE, CHANGE, "select, update (sealed_client_secret, sealed_draft_secret)"),
  identities: may(ALL, "select, delete", ""),
  identity_requests: may(ALL, ADD, ""),
  provider_sign_outs: may("select, insert, delete", "", ""),
  directory_users: may(ALL, READ, ""),
  directory_groups: may(ALL, "", ""),
  recovery_codes: may(ALL, ALL, ""),
  saved_views: may(ALL, ALL, READ),

  notifications: may(CHANGE, CHANGE, ALL),
  notification_messages: may(READ, READ, ALL),
  notification_rules: may(CHANGE, CHANGE, READ),
  notification_settings: may(CHANGE, CHANGE, "select, update (sealed_webhook_url)"),

  // The service's own. Only functions write to the archive.
  archived_rows: may(READ, "", ""),
  business_clock: may(CHANGE, CHANGE, READ),
  processes: may(ALL, READ, ALL),
  retention_walks: may(READ, READ, "select, update"),
  // Each web process watches for the public page, also when no worker runs.
  status_days: may(ALL, "", ""),
  status_incidents: may(ALL, "", ""),
  status_notes: may(ADD, "", ""),
  // Operators work on them. The timeline is only added to.
  incidents: may("select, insert, update (ended_at)", "", ""),
  incident_entries: may(ADD, "", ""),

  // Views: sums over all partners, without names.
  open_quotes: may(READ, READ, READ),
  promised_transfers: may(READ, READ, READ),
  promised_withdrawals: may(READ, READ, READ),
  // A view that shows a partner's role only its own rows.
  settlements_by_wallet: may(READ, READ, READ),
};

/** The tables that Citus's layout adds (`db/citus-tables.ts`). */
export const RIGHTS_ON_CITUS: Readonly<Record<string, Rights>> = {
  citus_nonces: may("select, insert, delete", "select, insert, delete", "select, delete"),
  citus_outbox: may("select, insert, delete", "select, insert, delete", "select, delete"),
  // It has no rows: to delete from it joins the coordinator to a commit.
  citus_joint: may("delete", "delete", "delete"),
};

/** Functions that work as the owner: no other role may call them. */
/** Those that Citus's layout adds (`db/citus-functions.ts`). */
export const FUNCTIONS_ON_CITUS: Readonly<Record<string, readonly (keyof Rights)[]>> = {
  "citus_owe(text, settlements)": ["web", "partner"],
  "citus_owe_waiting(uuid, text[])": ["web", "partner", "worker"],
  "citus_archive(text, text[], timestamp with time zone)": ["worker"],
};

export const FUNCTIONS: Readonly<Record<string, readonly (keyof Rights)[]>> = {
  "owe_settlement(text, text, uuid)": ["web", "partner"],
  "owe_order(text, text, text, uuid)": ["web", "worker"],
  "owe_call(text, text, text, uuid, jsonb)": ["worker"],
  "owe_pack(text, jsonb, jsonb)": ["worker"],
  "packed_wait(text)": ["web", "partner", "worker"],
  "owe_treasury_withdrawal(text, text)": ["web"],
  "hold_payments(text[])": ["web", "partner", "worker"],
  "end_cancelled_sweep(text, uuid)": ["web", "partner"],
  "count_settlement_events(text[])": ["web", "partner", "worker"],
  "secrets_of_person(uuid)": ["web", "partner"],
  "change_secrets_of_person(uuid, jsonb)": ["web", "partner"],
  "spend_totp_step(uuid, integer)": ["web", "partner"],
  "forget_authenticator(uuid)": ["web", "partner"],
  "has_passkey(uuid)": ["web", "partner"],
  "keeps_passkey(uuid, text)": ["web", "signer"],
  "archive_rows(text, text[], timestamp with time zone)": ["worker"],
  "drop_archive(integer)": ["worker"],
  // Trigger functions: no role calls them.
  "register_passkey()": [],
  "refuse_removed_limit()": [],
};
