import type { TimelineNode } from "../../../_components/controls/timeline.tsx";
import type { WithShared } from "../../../_words/shared.ts";
import { EVENT_WORDS } from "../../callbacks/state-words.ts";
import { actorOf, type Entry, type Story } from "./story.ts";
import { STORY, TIMELINE_NODES } from "./words.ts";

export const TIMELINE_WORDS = { ...TIMELINE_NODES, ...STORY, events: EVENT_WORDS };
type Translations = WithShared<typeof TIMELINE_WORDS>;

/** `entry`: its entry in the audit log, with the details. `lapses`: when the quote expires; until then the step is "not yet". */
export type StoryNode = TimelineNode & { entry: Entry | null };

type Title = { title: string; tone?: string };
const titlesOf = (t: Translations): Record<string, Title> => ({
  "settlement.created": { title: t.quoted, tone: "quoted" },
  "settlement.approval_recorded": { title: t.approvalInPart, tone: "approved" },
  "settlement.hints_acknowledged": { title: t.acknowledged, tone: "lapsed" },
  "settlement.approved": { title: t.approved, tone: "approved" },
  "settlement.rejected": { title: t.rejected, tone: "rejected" },
  "settlement.confirmed": { title: t.confirmed, tone: "processing" },
  "settlement.cancelled": { title: t.cancelled, tone: "cancelled" },
  "settlement.executed": { title: t.executed, tone: "executed" },
  "settlement.failed": { title: t.failed, tone: "failed" },
  "payment.held": { title: t.held, tone: "pending" },
  "payment.released": { title: t.released, tone: "processing" },
  "payment.refused": { title: t.refused, tone: "failed" },
  "payment.screened": { title: t.screened, tone: "processing" },
  "transfer.made_anew": { title: t.reverted, tone: "processing" },
  "transfer.vanished": { title: t.orphaned, tone: "failed" },
  "transfer.forfeited": { title: t.supersededOrphaned, tone: "processing" },
  "transfer.restored": { title: t.finalAgain, tone: "executed" },
  "callback.resent": { title: t.callbackRequeued, tone: "undelivered" },
});

/** Past events in order, and in grey the remaining steps. */
export function timelineOf(story: Story, t: Translations): StoryNode[] {
  const past = [...historyNodes(story, t), ...paymentNodes(story, t), ...callbackNodes(story, t)];
  // Events of the same instant keep the order of this list.
  const sorted = past.toSorted((left, right) => String(left.at).localeCompare(String(right.at)));
  return [...sorted, ...futureOf(story, t)];
}

function historyNodes({ history }: Story, t: Translations): StoryNode[] {
  return history.map((entry) => {
    const known = titlesOf(t)[entry.action] ?? { title: entry.action };
    const asked = entry.action === "settlement.created" && entry.change.approval_state === "pending";
    const title = asked ? t.quotedForApproval : entry.action === "settlement.approval_recorded" ? approvalOf(entry, t) : known.title;
    return { id: entry.id, title, ...toned(asked ? "pending" : known.tone), at: entry.at, by: actorOf(entry, t), entry };
  });
}

/** `First of two approvals`: how many counted at that time. */
function approvalOf({ change }: Entry, t: Translations): string {
  return t.approvalOf(Number(change.approvals_given), Number(change.approvals_needed));
}

function paymentNodes({ payment }: Story, t: Translations): StoryNode[] {
  if (payment === null) return [];
  const nodes = payment.attempts.flatMap(({ hash, number, kind, signed_at, broadcast_at }) => {
    const what = kind === "cancellation" ? t.cancellingTransaction : number === 1 ? t.payment : t.paymentBumped;
    return [node(`${hash} signed`, t.signed(what), signed_at), node(`${hash} broadcast`, t.broadcast(what), broadcast_at)];
  });
  return nodes.filter((each) => each !== null);
}

function callbackNodes({ callback_list: callbacks }: Story, t: Translations): StoryNode[] {
  return callbacks.flatMap((callback) => {
    const word = t.callback(t.events[callback.event] ?? callback.event);
    const queued = node(`${callback.id} queued`, t.queued(word), callback.created_at);
    const delivered = node(`${callback.id} delivered`, t.delivered(word), callback.delivered_at, "executed");
    const givenUp = node(`${callback.id} undelivered`, t.undelivered(word), callback.undelivered_at, "undelivered");
    return [queued, delivered, givenUp].filter((each) => each !== null);
  });
}

function node(id: string, title: string, at: string | null, tone?: string): StoryNode | null {
  return at === null ? null : { id, title, at, by: null, ...toned(tone ?? "lapsed"), entry: null };
}

function futureOf({ settlement, callback_list: callbacks }: Story, t: Translations): StoryNode[] {
  const { status, approval_state: approval } = settlement;
  const isOpen = status === "quoted" || status === "processing";
  const ahead = [
    ...(status === "quoted" && approval === "pending" ? [t.decision] : []),
    ...(status === "quoted" ? [t.confirmedByPartner] : []),
    ...(isOpen ? [t.paidOnChain, t.executed, t.callbackDelivered] : []),
    ...(!isOpen && callbacks.some(({ state }) => state === "pending") ? [t.callbackDelivered] : []),
  ];
  return ahead.map((title) => ({ id: title, title, at: null, by: null, entry: null }));
}

function toned(tone: string | undefined): { tone?: string } {
  return tone === undefined ? {} : { tone };
}
