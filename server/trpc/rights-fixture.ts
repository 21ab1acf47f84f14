/**
 * Every procedure of the console, and for whom it is: written by hand, so that a procedure whose own check is missing or wrong is found,
 * and one that nobody has thought about.
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
  for: Audience /** Wants password or code given just now. */;
  stepUp?: true /** Reaches a check that stands behind the input's. */;
  input?: unknown;
};

const ID = "00000000-0000-4000-8000-000000000000";

export const RIGHTS: Record<string, Right> = {
  "session.me": { for: "entering" },
  "session.stepUp": { for: "entering" },
  "session.clock": { for: "person" },
  "session.viewAs": { for: "operator" },
  "session.leaveView": { for: "person" },
  "session.list": { for: "person" },
  "session.end": { for: "person" },
  "account.security": { for: "entering" },
  "account.beginTwoFactors": { for: "entering", stepUp: true },
  "account.confirmTwoFactors": { for: "entering", stepUp: true },
  "account.rename": { for: "person" },
  "account.changePassword": { for: "person" },
  "account.renewRecoveryCodes": { for: "person", stepUp: true },
  "account.switchOffTwoFactors": { for: "person", stepUp: true },
  "people.list": { for: "manager" },
  "people.permissions": { for: "manager" },
  "people.partners": { for: "admin" },
  "people.changeRole": { for: "manager", stepUp: true },
  "people.disable": { for: "manager", stepUp: true },
  "people.enable": { for: "manager", stepUp: true },
  "people.resetTwoFactors": { for: "manager", stepUp: true },
  "people.invite": { for: "manager", stepUp: true },
  "people.withdraw": { for: "manager", stepUp: true },
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
  "savedViews.list": { for: "person" },
  "savedViews.create": { for: "person" },
  "savedViews.update": { for: "person" },
  "savedViews.delete": { for: "person" },
  "approvals.list": { for: "operator" },
  "approvals.counts": { for: "operator" },
  "approvals.decided": { for: "operator" },
  "approvals.lapsed": { for: "operator" },
  "approvals.preview": { for: "operator" },
  "approvals.risk": { for: "operator" },
  "approvals.reviews": { for: "operator" },
  "approvals.claim": { for: "decider" },
  "approvals.leave": { for: "decider" },
  "approvals.approve": { for: "decider" },
  "approvals.approveMany": { for: "decider" },
  "approvals.reject": { for: "decider" },
  "callbacks.list": { for: "person" },
  "callbacks.counts": { for: "person" },
  "callbacks.groups": { for: "person" },
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
  "rates.terms": { for: "operator" },
  "rates.history": { for: "operator" },
  "rates.preview": { for: "operator" },
  "rates.set": { for: "admin", stepUp: true },
  "rates.withdraw": { for: "admin", stepUp: true },
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
  "safes.create": { for: "admin", stepUp: true },
  "safes.createContract": { for: "admin", stepUp: true },
  "fiat.pools": { for: "person" },
  "fiat.withdrawals": { for: "person" },
  "fiat.topups": { for: "person" },
  "fiat.withdrawal": { for: "person" },
  "fiat.topup": { for: "person" },
  "fiat.choices": { for: "owner" },
  "fiat.previewWithdrawal": { for: "owner" },
  "fiat.withdraw": { for: "owner" },
  "fiat.previewTopup": { for: "owner" },
  "fiat.topUp": { for: "owner" },
  "fiat.fundPool": { for: "admin", stepUp: true },
  "audit.list": { for: "person" },
  "audit.ofObject": { for: "person" },
  "audit.choices": { for: "person" },
  "audit.state": { for: "operator" },
  "audit.verify": { for: "operator" },
  "partners.list": { for: "operator" },
  "partners.byId": { for: "operator" },
  "partners.slug": { for: "admin" },
  "partners.wallet": { for: "admin" },
  "partners.create": { for: "admin", stepUp: true },
  "partners.changeFee": { for: "admin", stepUp: true },
  "partners.setStatus": { for: "admin", stepUp: true },
};
