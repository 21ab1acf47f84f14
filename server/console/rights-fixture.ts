/**
 * Every procedure of the console, and who may call it: written manually, so that a procedure with a missing or wrong check, or a forgotten
 * one, is found.
 */
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

export type Right = {
  for: Audience;
  /** Needs a recent step-up. The services check it, so such a procedure has an input that reaches its service. */
  stepUp?: true;
  /** Reaches a check after the input's validation. */
  input?: unknown;
};

const ID = "00000000-0000-4000-8000-000000000000";
const TICKET = "T".repeat(43);
const TX = "tx_00000000000000000000000000";
const TRANSFER = "tr_00000000000000000000000000";
const LIMIT = {
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
const REASON = "as the story goes";
const CHAIN = "eip155:31337";
const WALLET = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const PAIR = { source_currency: "KES", destination_currency: "USDT", chain: CHAIN };
const TERMS = {
  enabled: true,
  spread_bps: 50,
  platform_fee: "0.5",
  minimum_source_amount: "1",
  maximum_source_amount: "1000",
  two_approvals_above_amount: null,
  quote_lifetime_seconds: 300,
  approved_lifetime_seconds: 1_800,
};
const ACCOUNT = { type: "mobile_money", account: "+254700000001" };
const PAYOUT = { currency: "KES", source_currency: "USDT", chain: CHAIN, destination: { ...ACCOUNT, name: "Wanjiru" } };
const COLLECTION = { currency: "KES", destination_currency: "USDT", chain: CHAIN, source: ACCOUNT };

export const RIGHTS: Record<string, Right> = {
  "session.me": { for: "entering" },
  "session.stepUp": { for: "entering" },
  "session.askPasskey": { for: "entering" },
  "session.stepUpByPasskey": { for: "entering", input: { ticket: TICKET, answer: {} } },
  "session.signInByPasskey": { for: "anybody" },
  "session.clock": { for: "person" },
  "session.viewAs": { for: "operator" },
  "session.leaveView": { for: "person" },
  "session.list": { for: "person" },
  "session.end": { for: "person" },
  "account.security": { for: "entering" },
  "account.beginTwoFactors": { for: "entering", stepUp: true },
  "account.confirmTwoFactors": { for: "entering", stepUp: true, input: { code: "123456" } },
  "account.beginPasskey": { for: "entering", stepUp: true },
  "account.addPasskey": { for: "entering", stepUp: true, input: { ticket: TICKET, answer: {}, name: "A key" } },
  "account.renamePasskey": { for: "person", input: { id: ID, name: "A key" } },
  "account.removePasskey": { for: "person", stepUp: true, input: { id: ID } },
  "account.rename": { for: "person" },
  "account.changePassword": { for: "person" },
  "account.renewRecoveryCodes": { for: "person", stepUp: true },
  "account.switchOffTwoFactors": { for: "person", stepUp: true },
  "notifications.list": { for: "person" },
  "notifications.unread": { for: "person" },
  "notifications.markRead": { for: "person", input: { id: null } },
  "notifications.wishes": { for: "person" },
  "notifications.setRule": { for: "person", input: { kind: "new_place", console: true, mail: false, webhook: false } },
  "notifications.setHours": { for: "person", input: { digest: "hourly", quiet_from: null, quiet_to: null, zone: "UTC" } },
  "notifications.setWebhook": { for: "person", stepUp: true, input: { url: null } },
  "people.list": { for: "manager" },
  "people.permissions": { for: "manager" },
  "people.partners": { for: "admin" },
  "people.changeRole": { for: "manager", stepUp: true, input: { user_id: ID, role: "viewer" } },
  "people.disable": { for: "manager", stepUp: true, input: { user_id: ID } },
  "people.enable": { for: "manager", stepUp: true, input: { user_id: ID } },
  "people.resetTwoFactors": { for: "manager", stepUp: true, input: { user_id: ID } },
  "people.invite": { for: "manager", stepUp: true, input: { email: "nobody@example.com", role: "viewer", partner_id: null } },
  "people.withdraw": { for: "manager", stepUp: true, input: { invitation_id: ID } },
  "people.invitation": { for: "anybody" },
  "people.accept": { for: "anybody" },
  "live.changes": { for: "person", input: {} },
  "overview.now": { for: "person" },
  "overview.newest": { for: "person" },
  "overview.figures": { for: "person" },
  "overview.series": { for: "person" },
  "settings.read": { for: "operator" },
  "settlements.list": { for: "person" },
  "settlements.count": { for: "person" },
  "settlements.exportSize": { for: "person" },
  "settlements.since": { for: "person" },
  "settlements.rows": { for: "person" },
  "settlements.tiles": { for: "person" },
  "settlements.choices": { for: "person" },
  "settlements.search": { for: "person" },
  "settlements.byId": { for: "person" },
  "settlements.neighbours": { for: "person" },
  "settlements.paymentReceipt": { for: "person" },
  "savedViews.list": { for: "person" },
  "savedViews.create": { for: "person" },
  "savedViews.update": { for: "person" },
  "savedViews.delete": { for: "person" },
  "proposals.list": { for: "operator" },
  "proposals.confirm": { for: "admin", stepUp: true },
  "proposals.withdraw": { for: "admin" },
  "approvals.list": { for: "operator" },
  "approvals.counts": { for: "operator" },
  "approvals.decided": { for: "operator" },
  "approvals.lapsed": { for: "operator" },
  "approvals.preview": { for: "operator" },
  "approvals.risk": { for: "operator" },
  "approvals.reviews": { for: "operator" },
  "approvals.claim": { for: "decider" },
  "approvals.leave": { for: "decider" },
  "approvals.approve": { for: "decider", stepUp: true, input: { tx_id: TX, expected_exchange_rate: "0.0077" } },
  "approvals.approveMany": { for: "decider", stepUp: true, input: { items: [{ tx_id: TX, expected_exchange_rate: "0.0077" }] } },
  "approvals.reject": { for: "decider", stepUp: true, input: { tx_id: TX, reason: REASON } },
  "approvalPolicy.read": { for: "operator" },
  "approvalPolicy.demand": { for: "operator" },
  "approvalPolicy.try": { for: "admin", input: { rules: [], from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" } },
  "approvalPolicy.set": { for: "admin", stepUp: true, input: { rules: [], expected_version: 7, reason: REASON } },
  "callbacks.list": { for: "person" },
  "callbacks.counts": { for: "person" },
  "callbacks.groups": { for: "person" },
  "callbacks.attempt": { for: "sender", input: { id: "cb_00000000000000000000000000" } },
  "callbacks.attemptMany": { for: "sender", input: { origin: "https://nobody.example" } },
  "callbacks.pause": { for: "sender", input: { origin: "https://nobody.example", reason: "Maintenance" } },
  "callbacks.resume": { for: "sender", input: { origin: "https://nobody.example" } },
  "callbacks.endpoints": { for: "person" },
  "callbacks.byId": { for: "person" },
  "callbacks.resend": { for: "sender", input: { id: "cb_00000000000000000000000000" } },
  "callbacks.resendMany": { for: "sender", input: { origin: "https://nobody.example" } },
  "callbacks.previewResend": { for: "person" },
  "callbacks.job": { for: "person" },
  "callbacks.abort": { for: "sender", input: { id: "rj_00000000000000000000000000" } },
  "apiLog.list": { for: "person" },
  "apiLog.since": { for: "person" },
  "apiLog.summary": { for: "person" },
  "apiLog.choices": { for: "person" },
  "apiLog.byId": { for: "person" },
  "apiLog.explain": { for: "person" },
  "developers.keys": { for: "person" },
  "developers.createKey": {
    for: "manager",
    stepUp: true,
    input: { name: "Key", scopes: ["partner:read"], allowed_ips: [], expires_at: null },
  },
  "developers.rotateKey": { for: "manager", stepUp: true, input: { id: ID, overlap_seconds: 0 } },
  "developers.revokeKey": { for: "manager", stepUp: true, input: { id: ID } },
  "developers.callbackSecret": { for: "person", input: {} },
  "developers.rotateCallbackSecret": { for: "owner", stepUp: true, input: { overlap_seconds: 0 } },
  "developers.newestCallbackUrl": { for: "owner" },
  "developers.certifyReceiver": { for: "owner", input: { url: "https://partner.example/" } },
  "developers.testCallback": { for: "owner", input: { event: "settlement.executed", url: "https://partner.example/" } },
  "rates.terms": { for: "operator" },
  "rates.history": { for: "operator" },
  "rates.preview": { for: "operator" },
  "rates.set": { for: "admin", stepUp: true, input: { ...PAIR, partner_id: null, terms: TERMS, expected_version: 7, reason: REASON } },
  "rates.withdraw": { for: "admin", stepUp: true, input: { ...PAIR, partner_id: ID, expected_version: 7, reason: REASON } },
  "rates.pairs": { for: "partner" },
  "rates.convert": { for: "person" },
  "members.list": { for: "person" },
  "members.byId": { for: "person" },
  "members.safe": { for: "person" },
  "members.checkWallet": { for: "owner" },
  "members.create": { for: "owner" },
  "members.update": { for: "owner" },
  "members.retrySafe": { for: "owner" },
  "safes.list": { for: "operator" },
  "safes.byId": { for: "operator" },
  "safes.create": { for: "admin", stepUp: true, input: { request_key: ID, safe: { chain: CHAIN, owners: [WALLET], threshold: 1 } } },
  "safes.createContract": {
    for: "admin",
    stepUp: true,
    input: { request_key: ID, contract: "master_copy", chain: CHAIN, version: "1.4.1" },
  },
  "fiat.pools": { for: "person" },
  "fiat.withdrawals": { for: "person" },
  "fiat.topups": { for: "person" },
  "fiat.withdrawal": { for: "person" },
  "fiat.topup": { for: "person" },
  "fiat.choices": { for: "owner" },
  "fiat.previewWithdrawal": { for: "owner" },
  "fiat.withdraw": { for: "owner", stepUp: true, input: { external_id: "1", external_user_id: null, amount: "10", ...PAYOUT } },
  "fiat.previewTopup": { for: "owner" },
  "fiat.topUp": { for: "owner", stepUp: true, input: { external_id: "1", external_user_id: "1", amount: "10", ...COLLECTION } },
  "fiat.fundPool": { for: "admin", stepUp: true, input: { currency: "KES", amount: "10", request_key: ID } },
  "fiat.ambiguous": { for: "operator" },
  "fiat.resolveAmbiguous": { for: "admin", stepUp: true, input: { outcome: "not_moved", id: "wd_1", kind: "withdrawal", reason: REASON } },
  "audit.list": { for: "person" },
  "audit.ofObject": { for: "person" },
  "audit.choices": { for: "person" },
  "audit.state": { for: "operator" },
  "audit.verify": { for: "operator" },
  "partners.list": { for: "operator" },
  "partners.byId": { for: "operator" },
  "partners.slug": { for: "admin" },
  "partners.wallet": { for: "admin" },
  "partners.create": {
    for: "admin",
    stepUp: true,
    input: { name: "New", slug: "new", roles: ["AGGREGATOR"], wallet_address: null, charge_fee_percentage: "1" },
  },
  "partners.changeFee": {
    for: "admin",
    stepUp: true,
    input: { partner_id: ID, charge_fee_percentage: "1", expected_charge_fee_percentage: "2", reason: REASON },
  },
  "exposure.held": { for: "operator" },
  "exposure.limits": { for: "operator" },
  "exposure.checks": { for: "operator", input: { owner_id: "tx_nothing" } },
  "exposure.release": { for: "admin", stepUp: true, input: { purpose: "settlement", owner_id: "tx_nothing", reason: REASON } },
  "exposure.refuse": { for: "admin", stepUp: true, input: { purpose: "settlement", owner_id: "tx_nothing", reason: REASON } },
  "exposure.setLimit": { for: "admin", stepUp: true, input: LIMIT },
  "treasury.board": { for: "operator" },
  "treasury.books": { for: "operator" },
  "treasury.accountLines": { for: "operator", input: { account: "clearing", partner_id: null, currency: "KES", chain: null } },
  "treasury.review": { for: "operator" },
  "treasury.bump": { for: "admin", stepUp: true, input: { transfer_id: TRANSFER, reason: REASON } },
  "treasury.cancel": { for: "admin", stepUp: true, input: { transfer_id: TRANSFER, reason: REASON } },
  "treasury.withdrawCancellation": { for: "admin", stepUp: true, input: { transfer_id: TRANSFER, reason: REASON } },
  "treasury.halt": { for: "admin", stepUp: true, input: { lane_kind: "wallet", lane_key: ID, reason: REASON } },
  "treasury.lift": { for: "admin", stepUp: true, input: { halt_id: "halt", reason: REASON } },
  "treasury.walletState": { for: "admin", stepUp: true, input: { wallet_id: ID, state: "draining", reason: REASON } },
  "treasury.replaceSafeOwner": { for: "admin", stepUp: true, input: { wallet_id: ID, reason: REASON } },
  "treasury.resolve": { for: "admin", stepUp: true, input: { outcome: "resume", transfer_id: TRANSFER, reason: REASON } },
  "partners.setStatus": { for: "admin", stepUp: true, input: { partner_id: ID, status: "active", reason: REASON } },
};
