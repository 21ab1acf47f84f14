import type { Answers } from "#server/console/router.ts";
import type { TimelineNode } from "../../_components/controls/timeline.tsx";
import { actorOf } from "../settlements/[tx_id]/story.ts";

export type WithdrawalStory = Answers["fiat"]["withdrawal"];
export type TopupStory = Answers["fiat"]["topup"];
type Told = Pick<WithdrawalStory, "history" | "accepted_at">;

const TITLES: Record<string, { title: string; tone: string }> = {
  "withdrawal.requested": { title: "Asked for, pool reserved", tone: "quoted" },
  "withdrawal.sweeping": { title: "Crypto is taken from the Safe", tone: "processing" },
  "withdrawal.paying_out": { title: "Crypto taken; the provider is told to pay", tone: "processing" },
  "withdrawal.paid": { title: "Paid out", tone: "executed" },
  "withdrawal.released": { title: "Failed: nothing was taken, the pool is free again", tone: "failed" },
  "withdrawal.returning": { title: "Not paid out: the crypto goes back", tone: "undelivered" },
  "withdrawal.returned": { title: "Failed: the crypto is back in the Safe", tone: "failed" },
  "withdrawal.unreturned": { title: "Failed: the crypto could not be returned", tone: "failed" },
  "withdrawal.ambiguous": { title: "Unclear whether the provider has it: an operator must find out", tone: "failed" },
  "withdrawal.resolved_moved": { title: "An operator found out: it was paid out", tone: "executed" },
  "withdrawal.resolved_not_moved": { title: "An operator found out: it was not paid out", tone: "undelivered" },
  "withdrawal.asked_again": { title: "The provider is asked again", tone: "processing" },
  "topup.ambiguous": { title: "Unclear whether the provider has it: an operator must find out", tone: "failed" },
  "topup.resolved_moved": { title: "An operator found out: it was collected", tone: "executed" },
  "topup.resolved_not_moved": { title: "An operator found out: it was not collected", tone: "undelivered" },
  "topup.asked_again": { title: "The provider is asked again", tone: "processing" },
  "topup.paid_late": { title: "Paid after it had expired: an operator sees to the money", tone: "failed" },
  "topup.late_payment_refunded": { title: "The payer has the late payment back", tone: "undelivered" },
  "topup.late_payment_settled": { title: "The late payment was settled", tone: "undelivered" },
  "topup.requested": { title: "Asked for; the provider collects", tone: "quoted" },
  "topup.sending": { title: "Paid by the member; crypto is sent", tone: "processing" },
  "topup.sent": { title: "Crypto delivered", tone: "executed" },
  "topup.uncollected": { title: "Failed: nobody paid", tone: "failed" },
  "topup.unsent": { title: "Failed: paid, but the chain refused the crypto", tone: "failed" },
  "callback.resent": { title: "Callback queued again", tone: "undelivered" },
};

/** What happened so far, and in grey what is still to come where all goes well. */
function timelineOf(story: Told, ahead: readonly string[]): TimelineNode[] {
  const past = story.history.map((entry) => {
    const { title, tone } = TITLES[entry.action] ?? { title: entry.action, tone: "quoted" };
    return { id: entry.id, title, tone, at: entry.at, by: actorOf(entry), children: entry.reason };
  });
  const accepted =
    story.accepted_at === null
      ? []
      : [{ id: "accepted", title: "Order accepted by the provider", tone: "processing", at: story.accepted_at }];
  const told: TimelineNode[] = [...past, ...accepted].toSorted((left, right) => left.at.localeCompare(right.at));
  return [...told, ...ahead.map((title) => ({ id: title, title, at: null }))];
}

const WITHDRAWAL_AHEAD: Record<string, readonly string[]> = {
  reserved: ["Crypto taken from the Safe", "Paid out"],
  sweeping: ["Crypto taken from the Safe", "Paid out"],
  paying_out: ["Paid out"],
  returning: ["Crypto returned"],
};
const TOPUP_AHEAD: Record<string, readonly string[]> = {
  collecting: ["Paid by the member", "Crypto delivered"],
  sending: ["Crypto delivered"],
};
export const withdrawalTimeline = (story: WithdrawalStory) => timelineOf(story, WITHDRAWAL_AHEAD[story.step] ?? []);
export const topupTimeline = (story: TopupStory) => timelineOf(story, TOPUP_AHEAD[story.step] ?? []);

/** What went wrong and where that leaves everybody, in plain words; null: nothing did. */
export function plainTrouble(step: string, reason: string | null, paidLate: boolean): string | null {
  const consequence: Record<string, string> = {
    released: "No crypto was taken, and the pool is free again.",
    returning: "The crypto is on its way back to the Safe.",
    returned: "The Safe has its crypto back.",
    unreturned: "The crypto was taken and could not be returned: it is owed to the partner, and a person has to settle it.",
    uncollected: paidLate
      ? "It was paid afterwards: no crypto was sent, and the operator sees to the money."
      : "No money and no crypto moved.",
    unsent: "The payer's money was collected and is owed to the partner: a person has to settle it.",
  };
  const after = consequence[step];
  return after === undefined ? null : `${reason ?? "It failed."} ${after}`;
}
