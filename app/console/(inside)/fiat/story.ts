import type { Answers } from "#server/console/router.ts";
import type { TimelineNode } from "../../_components/controls/timeline.tsx";
import { actorOf } from "../settlements/[tx_id]/story.ts";
import type { STORY as ACTORS } from "../settlements/[tx_id]/words.ts";
import type { STORY } from "./story-words.ts";

type Translations = typeof STORY;

export type WithdrawalStory = Answers["fiat"]["withdrawal"];
export type TopupStory = Answers["fiat"]["topup"];
type Trans = Pick<WithdrawalStory, "history" | "accepted_at">;

const TONES: Readonly<Record<string, string>> = {
  "withdrawal.requested": "quoted",
  "withdrawal.sweeping": "processing",
  "withdrawal.paying_out": "processing",
  "withdrawal.paid": "executed",
  "withdrawal.released": "failed",
  "withdrawal.cancelled": "cancelled",
  "withdrawal.returning": "undelivered",
  "withdrawal.returned": "failed",
  "withdrawal.unreturned": "failed",
  "withdrawal.ambiguous": "failed",
  "withdrawal.resolved_moved": "executed",
  "withdrawal.resolved_not_moved": "undelivered",
  "withdrawal.asked_again": "processing",
  "topup.ambiguous": "failed",
  "topup.resolved_moved": "executed",
  "topup.resolved_not_moved": "undelivered",
  "topup.asked_again": "processing",
  "topup.paid_late": "failed",
  "topup.late_payment_refunded": "undelivered",
  "topup.late_payment_settled": "undelivered",
  "topup.requested": "quoted",
  "topup.sending": "processing",
  "topup.sent": "executed",
  "topup.uncollected": "failed",
  "topup.cancelled": "cancelled",
  "topup.unsent": "failed",
  "callback.resent": "undelivered",
};

/** Past steps, and in grey the remaining ones of the normal course. */
function timelineOf(story: Trans, ahead: readonly (keyof Translations["ahead"])[], t: Translations, actors: typeof ACTORS): TimelineNode[] {
  const past = story.history.map((entry) => {
    const { [entry.action]: title = entry.action } = t.events;
    const tone = TONES[entry.action] ?? "quoted";
    return { id: entry.id, title, tone, at: entry.at, by: actorOf(entry, actors), children: entry.reason };
  });
  const accepted = story.accepted_at === null ? [] : [{ id: "accepted", title: t.accepted, tone: "processing", at: story.accepted_at }];
  const nodes: TimelineNode[] = [...past, ...accepted].toSorted((left, right) => left.at.localeCompare(right.at));
  return [...nodes, ...ahead.map((each) => ({ id: each, title: t.ahead[each], at: null }))];
}

type Ahead = Readonly<Record<string, readonly (keyof Translations["ahead"])[]>>;

const WITHDRAWAL_AHEAD: Ahead = { reserved: ["taken", "paid"], sweeping: ["taken", "paid"], paying_out: ["paid"], returning: ["returned"] };
const TOPUP_AHEAD: Ahead = { collecting: ["collected", "delivered"], sending: ["delivered"] };
export const withdrawalTimeline = (story: WithdrawalStory, t: Translations, actors: typeof ACTORS) =>
  timelineOf(story, WITHDRAWAL_AHEAD[story.step] ?? [], t, actors);
export const topupTimeline = (story: TopupStory, t: Translations, actors: typeof ACTORS) =>
  timelineOf(story, TOPUP_AHEAD[story.step] ?? [], t, actors);

/** What went wrong and its consequences, in plain words; null: nothing. */
export function plainTrouble(step: string, reason: string | null, paidLate: boolean, t: Translations): string | null {
  const consequence: Record<string, string> = {
    released: t.released,
    returning: t.returning,
    returned: t.returned,
    unreturned: t.unreturned,
    uncollected: paidLate ? t.paidAfterwards : t.uncollected,
    unsent: t.unsent,
  };
  const after = consequence[step];
  return after === undefined ? null : `${reason ?? t.failed} ${after}`;
}
