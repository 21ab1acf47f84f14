/** What the audit log says, as people say it. */

import { PEOPLE_SENTENCES } from "./people-sentences.ts";
import { TREASURY_SENTENCES } from "./treasury-sentences.ts";

type Permission = { action: string; objectId: string; change: Record<string, unknown> };

/** The text after the actor's name; `{object}` marks the object's own name. */
const DEEDS: Record<string, string> = {
  "settlement.created": "quoted {object}",
  "settlement.approval_recorded": "gave {object} an approval, and it awaits more",
  "settlement.hints_acknowledged": "acknowledged the warnings of {object}",
  "settlement.approved": "approved {object}",
  "settlement.rejected": "rejected {object}",
  "settlement.requoted": "gave {object} a new quote",
  "settlement.confirmed": "confirmed {object}",
  "settlement.cancelled": "cancelled {object}",
  "settlement.executed": "executed {object}",
  "settlement.failed": "ended {object} as failed",
  "settlements.exported": "exported a list of settlements",
  "topups.exported": "exported a list of top-ups",
  "withdrawals.exported": "exported a list of withdrawals",
  "batch.created": "made the batch {object}",
  "batch.requoted": "gave the batch {object} new quotes",
  "batch.approved": "approved the batch {object}",
  "batch.rejected": "rejected the batch {object}",
  "batch.confirmed": "confirmed the batch {object}",
  "batch.cancelled": "cancelled the batch {object}",
  "batch.completed": "completed the batch {object}",
  "batches.exported": "exported the results of batches",
  "audit.exported": "exported a part of the audit log",
  "callback.resent": "queued callback {object} again",
  "callback.attempt_asked": "requested one immediate attempt of callback {object}",
  "callbacks.attempts_asked": "requested one immediate attempt of each failing callback to {object}",
  "destination.created": "created the event destination {object}",
  "destination.changed": "changed the event destination {object}",
  "destination.deleted": "deleted the event destination {object}",
  "destination.tested": "sent a test event to {object}",
  "destination.replayed": "had events sent again to {object}",
  "destination.paused": "paused the event destination {object}",
  "receiver.paused": "paused the callbacks to {object}",
  "receiver.resumed": "resumed the callbacks to {object}",
  "callback.tested": "sent a sample callback",
  "receiver.certified": "sent good and bad samples",
  "callbacks.resent": "queued a group of callbacks again ({object})",
  "callbacks.exported": "exported the failures of the resend {object}",
  "callbacks.resend_aborted": "stopped the resend {object}",
  "callback_secret.rotated": "rotated the callback secret",
  "withdrawal.payee_approved": "approved the payee of the withdrawal {object}",
  "withdrawal.requested": "requested the withdrawal {object}",
  "topup.requested": "requested the top-up {object}",
  "withdrawal.cancelled": "cancelled the withdrawal {object}",
  "topup.cancelled": "cancelled the top-up {object}",
  "withdrawal.ambiguous": "handed {object} to an operator, because it is unclear whether the provider has it",
  "withdrawal.resolved_moved": "found out that the provider paid {object}",
  "withdrawal.resolved_not_moved": "found out that the provider did not pay {object}",
  "withdrawal.asked_again": "asked the provider again about {object}",
  "topup.ambiguous": "handed {object} to an operator, because it is unclear whether the provider has it",
  "topup.resolved_moved": "found out that the provider collected {object}",
  "topup.resolved_not_moved": "found out that the provider did not collect {object}",
  "topup.asked_again": "asked the provider again about {object}",
  "archive.dropped": "dropped {object}, a month of the archive",
  "archive.exported": "wrote {object}, a month of the archive, to a file",
  "topup.paid_late": "handed {object} to an operator, because it was paid after it had expired",
  "topup.late_payment_refunded": "found out that the provider refunded the late payment of {object}",
  "topup.late_payment_settled": "settled the late payment of {object}",
  "api_key.created": "created the key {object}",
  "api_key.rotated": "rotated the key {object}",
  "api_key.revoked": "revoked the key {object}",
  "partner.created": "created the partner {object}",
  "partner.suspended": "suspended {object}",
  "partner.activated": "reactivated {object}",
  "partner.charge_fee_updated": "changed the fee of {object}",
  "member.created": "registered the member {object}",
  "member.updated": "changed the member {object}",
  "member.safe_requested": "requested a Safe for the member {object}",
  "safe_deployment.requested": "requested the deployment {object}",
  "pair_terms.set": "set new terms {object}",
  "pair_terms.override_withdrawn": "withdrew a partner's own terms {object}",
  "proposal.made": "proposed {object}, for a second person to confirm",
  "proposal.carried_out": "confirmed {object}, which someone else had proposed",
  "proposal.withdrawn": "withdrew the proposal {object}",
  "exchange_rate.fixed": "fixed the rate of {object}",
  "exchange_rate.removed": "removed the rate of {object}",
  "pool.funded": "filled the pool of {object}",
  "pool.compared": "found another difference between the pool of {object} and what the fiat provider holds",
  "booking.made": "booked {object}",
  "booking.reversed": "reversed the booking {object}",
  "provider.reconciled": "compared a statement of the fiat provider with the orders",
  "lane.halted": "set a halt ({object})",
  "journal.rebuilt": "began another signing journal",
  "journal.completed": "added payments of a chain to the signing journal",
  "lane.lifted": "lifted the halt {object}",
  ...TREASURY_SENTENCES,
  ...PEOPLE_SENTENCES,
  "transfer.booked_as_paid": "booked {object} as paid, because the chain had it and the database had lost it",
  "exposure_limit.set": "set the limit {object}",
  "approval_policy.set": "put version {object} of the approval policy in force",
  "payment.held": "held the payment of {object} for a decision",
  "payment.released": "released the held payment of {object}",
  "payment.refused": "refused the held payment of {object}",
  "payment.screened": "received the screening result for {object}, whose payment had waited for it",
  "transfer.bump_requested": "raised the fee of {object}",
  "transfer.cancel_requested": "requested the cancellation of {object}",
  "payment.wait_ended": "let {object} go on, as it has waited long enough",
  "transfer.cancel_withdrawn": "withdrew the cancellation of {object}",
  "transfer.cancelled": "cancelled {object} before it was signed",
  "transfer.resolved_executed": "closed the review of {object} as paid",
  "transfer.resolved_failed": "closed the review of {object} as not paid",
  "transfer.resolved_retry": "closed the review of {object} as not paid, and had it paid again",
  "transfer.made_anew": "makes the reverted payment of {object} again",
  "transfer.vanished": "found that the payment of {object} left the chain, and sends it again",
  "transfer.forfeited": "found that a superseded payment of {object} left the chain, and that its nonce is used up again",
  "transfer.restored": "found the payment of {object} final on the chain again",
  "transfer.signed_above_cap": "signed the payment of {object} above a cap of the signer",
  "transfer.resumed": "sent {object} back to the worker",
  "sandbox.history_added": "added the sandbox's history",
  "sandbox_clock.advanced": "moved the sandbox's clock ahead",
  "status.noted": "wrote a public note about the incident {object}",
  "saved_view.created": "saved a view of a list",
  "saved_view.updated": "changed a saved view",
  "saved_view.deleted": "deleted a saved view",
};

const PARTNER_KINDS = [
  "settlement",
  "settlements",
  "callback",
  "callbacks",
  "destination",
  "directory",
  "identity",
  "identity_provider",
  "callback_secret",
  "api_key",
  "member",
  "partner",
  "invitation",
  "saved_view",
  "topup",
  "topups",
  "user",
  "withdrawal",
  "withdrawals",
];

/** The actions with a sentence of their own. */
export const WORDED_ACTIONS: readonly string[] = Object.keys(DEEDS);

/** Whether an action may be about a partner's things. */
export function mayConcernPartner(action: string): boolean {
  return PARTNER_KINDS.includes(kindOf(action));
}

/** Orders whose steps all have their own action. */
const MOVES: Record<string, string> = {
  withdrawal: "moved the withdrawal {object} on to “{step}”",
  topup: "moved the top-up {object} on to “{step}”",
};

function kindOf(action: string): string {
  return action.split(".")[0] ?? "";
}

function stepOf(action: string): string {
  return (action.split(".")[1] ?? "").replaceAll("_", " ");
}

/** The sentence around the object: the text before its name and after it; `mentions` is false if it does not name it at all. */
export function sentenceOf({ action, objectId: _id, change }: Permission): { before: string; after: string; mentions: boolean } {
  const words = DEEDS[action] ?? MOVES[kindOf(action)]?.replace("{step}", stepOf(action)) ?? `${action.replace(/[._]/g, " ")}: {object}`;
  const [before = "", after = ""] = words.split("{object}");
  const extra = hint(action, change);
  return { before: before.trim(), after: [after.trim(), extra].filter(Boolean).join(" "), mentions: words.includes("{object}") };
}

/** The most important facts, if the change contains them. */
function hint(action: string, change: Record<string, unknown>): string {
  const pair = (name: string) => {
    const value = change[name];
    return Array.isArray(value) && value.length === 2 ? value.map((each) => String(each)) : null;
  };
  const rate = pair("exchange_rate");
  if (action === "settlement.approved" && rate) return rate[0] === rate[1] ? `at ${rate[1]}, as quoted` : `at ${rate[0]} → ${rate[1]}`;
  const fee = pair("charge_fee_percentage");
  if (fee) return `from ${fee[0]} % to ${fee[1]} %`;
  const role = pair("role");
  if (role) return `from ${role[0]} to ${role[1]}`;
  if (["callback.tested", "receiver.certified"].includes(action) && typeof change.host === "string") return `to ${change.host}`;
  if (action === "exchange_rate.fixed" && typeof change.rate === "string") return `at ${change.rate}`;
  return "";
}

const ACTORS: Record<string, string> = {
  system: "The service",
  operator: "The operator",
  operator_key: "An operator's key",
  api_key: "The partner's key",
};

/** The actor, as a display name. */
export function auditActorName({ type, name }: { type: string; name: string | null }): string {
  const kind = ACTORS[type];
  return name === null ? (kind ?? "Someone") : kind === undefined ? name : `${kind} “${name}”`;
}

/** One changed field: `before` null if there was no value or it was not recorded. */
export type Difference = { field: string; before: string | null; after: string | null };

/** Lists, not a value before and one after. */
const LISTS: ReadonlySet<string> = new Set(["roles", "scopes", "allowed_ips", "fields", "columns", "owners"]);

/** The changes, field by field. Of two complete records only the fields that differ. */
export function differencesOf(change: Record<string, unknown>): Difference[] {
  const { before, after, from, ...rest } = change;
  if (isRecord(after)) {
    const old = isRecord(before) ? before : {};
    const fields = [...new Set([...Object.keys(old), ...Object.keys(after)])];
    const changed = fields.map((field) => ({ field, before: textOf(old[field]), after: textOf(after[field]) }));
    return [...changed.filter((one) => one.before !== one.after), ...differencesOf(rest)];
  }
  const moved = from === undefined ? null : "step" in rest ? "step" : "status" in rest ? "status" : "from";
  const fields = Object.entries(moved === "from" ? { ...rest, from } : rest).map(([field, value]): Difference => {
    if (Array.isArray(value) && value.length === 2 && !LISTS.has(field))
      return { field, before: textOf(value[0]), after: textOf(value[1]) };
    return { field, before: field === moved && moved !== "from" ? textOf(from) : null, after: textOf(value) };
  });
  return fields.filter(({ before: was, after: is }) => was !== is);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value) && value.every((each) => typeof each !== "object")) return value.join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
