/**
 * Every operation of every surface, and who may call it: written manually, so that an operation with a missing or wrong check, or a
 * forgotten one, is found. The console's procedures have theirs in `server/console/rights-fixture.ts`.
 */
export const RIGHTS: Readonly<Record<string, Right>> = {
  create_settlement: "signed write",
  confirm_settlement: "signed write",
  confirm_one_settlement: "signed write",
  cancel_settlement: "signed write",
  cancel_one_settlement: "signed write",
  get_settlement: "signed read",
  list_settlements: "signed read",
  create_batch: "signed write",
  estimate_batch: "signed read",
  confirm_batch: "signed write",
  cancel_batch: "signed write",
  requote_batch: "signed write",
  get_batch: "signed read",
  list_batches: "signed read",
  prove_settlement: "signed read",
  list_callbacks: "signed read",
  resend_callback: "signed write",
  attempt_callback: "signed write",
  list_all_callbacks: "signed",
  get_callback: "signed",
  resend_any_callback: "signed",
  attempt_any_callback: "signed",
  list_events: "signed",
  get_event: "signed",
  create_event_destination: "signed management",
  list_event_destinations: "signed management",
  get_event_destination: "signed management",
  change_event_destination: "signed management",
  delete_event_destination: "signed management",
  test_event_destination: "signed management",
  replay_event_destination: "signed management",
  list_pairs: "signed read",
  preview_rate: "signed read",
  echo: "signed",
  current_partner: "partner read",
  read_partners: "operator read",
  create_partner: "administer",
  create_partner_payment: "administer",
  list_partner_payments: "both read",
  update_charge_fee: "administer",
  update_partner_status: "administer",
  create_api_key: "administer",
  list_api_keys: "both read",
  delete_api_key: "both write",
  rotate_api_key: "both write",
  rotate_callback_secret: "both write",
  get_members: "partner read",
  create_member: "partner write",
  get_member: "partner read",
  update_member: "partner write",
  get_member_safe_info: "partner read",
  withdraw_fiat: "partner write",
  withdraw_fiat_for_registered_member: "partner write",
  get_withdraw_fiat_pool_info: "both read",
  withdraw_fiat_status: "both read",
  withdraw_fiat_preview: "partner read",
  topup_fiat_preview: "partner read",
  topup_fiat: "partner write",
  withdraw_fiat_cancel: "partner write",
  topup_fiat_cancel: "partner write",
  topup_fiat_status: "both read",
  withdraw_fiat_callback: "provider",
  topup_fiat_callback: "provider",
  exchange_rates: "both read",
  convert_to_currency: "both read",
  get_all_transactions: "both read",
  login_for_access_token: "anybody",
  logout: "token",
  read_admins_me: "operator read",
  create_admin: "administer",
  create_safe: "treasury",
  create_master_contract_1_3_0: "treasury",
  create_master_contract_1_4_1: "treasury",
  create_compatibility_fallback_handler: "treasury",
  approve_settlement: "decide",
  reject_settlement: "decide",
  release_settlement: "administer",
  refuse_settlement: "administer",
  approve_batch: "decide",
  reject_batch: "decide",
  read_clock: "sandbox read",
  advance_clock: "sandbox write",
  set_rate: "sandbox write",
  get_time: "anybody",
  get_jwks: "anybody",
  get_proof_status: "anybody",
  report_leaked_key: "anybody",
};

/**
 * `signed`: a partner's key by its signature. `both`: a partner's key, and the operator's people and keys. `sandbox`: the operator's people and
 * keys, and nobody in live mode, where the operation does not exist.
 */
export type Right = keyof typeof RIGHTS_OF;

type Scope =
  | "settlements:read"
  | "settlements:write"
  | "partner:read"
  | "partner:write"
  | "read"
  | "partners:admin"
  | "treasury"
  | "settlements:decide";
type Meaning = {
  /** The scope that a partner's key needs; null: none; left out: no partner's key may. */
  partner?: Scope | null;
  /** The same of an operator's key. */
  operator?: Scope | null;
  /** The operator's people who may. */
  people: readonly ("admin" | "approver" | "viewer")[];
};
const ALL = ["admin", "approver", "viewer"] as const;

/** What a right means. Nobody else gets in. */
export const RIGHTS_OF = {
  anybody: { people: [] },
  provider: { people: [] },
  "sandbox read": { operator: null, people: ALL },
  "sandbox write": { operator: null, people: ["admin"] },
  signed: { partner: null, people: [] },
  "signed read": { partner: "settlements:read", people: [] },
  "signed write": { partner: "settlements:write", people: [] },
  "signed management": { partner: "partner:write", people: [] },
  "partner read": { partner: "partner:read", people: [] },
  "partner write": { partner: "partner:write", people: [] },
  "both read": { partner: "partner:read", operator: "read", people: ALL },
  "both write": { partner: "partner:write", operator: "partners:admin", people: ["admin"] },
  "operator read": { operator: "read", people: ALL },
  administer: { operator: "partners:admin", people: ["admin"] },
  treasury: { operator: "treasury", people: ["admin"] },
  decide: { operator: "settlements:decide", people: ["admin", "approver"] },
  token: { operator: null, people: ALL },
} as const satisfies Record<string, Meaning>;
