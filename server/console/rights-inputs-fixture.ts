import { OPERATOR_ROLES, PARTNER_STAFF_ROLES, type UserRole } from "#domain/access.ts";

/** What the procedures are called with where an input must reach their service: valid, and about nothing that exists. */

export const ID = "00000000-0000-4000-8000-000000000000";
export const KEY_RIGHTS = { scopes: ["partner:read"], allowed_ips: [] };
export const TICKET = "T".repeat(43);
export const TX = "tx_00000000000000000000000000";
/** A settlement with the price and the hints that were seen. */
export const SEEN = { tx_id: TX, expected_exchange_rate: "0.0077", acknowledged_hints: [] };
export const BATCH = "ba_00000000000000000000000000";
export const SEEN_BATCH = { batch_id: BATCH, expected_total: { USDT: "1" }, acknowledged_hints: {} };
export const DESTINATION = "de_00000000000000000000000000";
export const TRANSFER = "tr_00000000000000000000000000";
export const LIMIT = {
  id: "by-day",
  kind: "velocity",
  mode: "off",
  partner_id: null,
  source_currency: null,
  destination_currency: null,
  chain: null,
  counted_by: "partner",
  window: "day",
  amount: "1",
  times_maximum: null,
  wait_hours: null,
  addresses: null,
  expected_version: 0,
  reason: "a good reason",
};
const { expected_version: _version, reason: _reason, ...tried } = LIMIT;
export const LIMIT_TRIED = tried;
export const PROVIDER = {
  name: "Ours",
  issuer: "https://id.example.com",
  client_id: "console",
  groups_claim: "groups",
  roles: [],
  demanded_acr: null,
  is_duty: false,
  keeper_ids: [],
};
export const REASON = "as the story goes";
export const CHAIN = "eip155:31337";
export const WALLET = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
export const PAIR = { source_currency: "KES", destination_currency: "USDT", chain: CHAIN };
export const TERMS = {
  enabled: true,
  spread_bps: 50,
  platform_fee: "0.5",
  minimum_source_amount: "1",
  maximum_source_amount: "1000",
  two_approvals_above_amount: null,
  batch_maximum_source_amount: null,
  quote_lifetime_seconds: 300,
  approved_lifetime_seconds: 1_800,
};
const ACCOUNT = { type: "mobile_money", account: "+254700000001" };
export const PAYOUT = { currency: "KES", source_currency: "USDT", chain: CHAIN, destination: { ...ACCOUNT, name: "Wanjiru" } };
export const COLLECTION = { currency: "KES", destination_currency: "USDT", chain: CHAIN, source: ACCOUNT };

const PAYMENT = {
  external_tx_id: "salary-1",
  external_merchant_id: "m-1",
  amount: "1250.50",
  source_currency: "KES",
  destination_currency: "USDT",
  chain: CHAIN,
  wallet_address: WALLET,
};
export const FILE_PART = { key_id: ID, name: "salaries", part: 0, parts: 1, rows: [PAYMENT] };
export const DECLARED = {
  partner_id: null,
  kind: "provider_cost",
  amount: "1",
  currency: "KES",
  reference: "invoice-1",
  received_at: "2026-01-01T00:00:00Z",
  reason: REASON,
};

export type Audience =
  /** Nobody need be signed in. */
  | "anybody"
  /** Who is signed in, also when two factors have still to be set up. */
  | "entering"
  | "person"
  | "operator"
  | "decider"
  | "admin"
  | "partner"
  | "owner"
  /** An operator's admin, or a partner's owner. */
  | "manager"
  /** A manager, or an operator's approver. */
  | "sender";

export const EVERY_ROLE: readonly UserRole[] = [...OPERATOR_ROLES, ...PARTNER_STAFF_ROLES];
/** The roles that each is for. */
export const ROLES_OF: Readonly<Record<Audience, readonly UserRole[]>> = {
  anybody: EVERY_ROLE,
  entering: EVERY_ROLE,
  person: EVERY_ROLE,
  operator: OPERATOR_ROLES,
  decider: ["admin", "approver"],
  admin: ["admin"],
  partner: PARTNER_STAFF_ROLES,
  owner: ["owner"],
  manager: ["admin", "owner"],
  sender: ["admin", "approver", "owner"],
};

export type Right = {
  for: Audience;
  /** Needs a recent step-up. The services check it, so such a procedure has an input that reaches its service. */
  stepUp?: true;
  /** Reaches a check after the input's validation. */
  input?: unknown;
};
