import type { TimelineNode } from "../../../_components/controls/timeline.tsx";
import { actorOf, type Entry, type Story } from "./story.ts";
import type { STORY, TIMELINE_NODES } from "./words.ts";

type Says = typeof TIMELINE_NODES & typeof STORY & { events: Readonly<Record<string, string>> };

/** `entry`: of the audit log, which tells more. `lapses`: when the quote runs out, which is not for ever "not yet". */
export type StoryNode = TimelineNode & { entry: Entry | null };

type Title = { title: string; tone?: string };
const titlesOf = (says: Says): Record<string, Title> => ({
  "settlement.created": { title: says.quoted, tone: "quoted" },
  "settlement.approval_recorded": { title: says.approvalMore, tone: "approved" },
  "settlement.approved": { title: says.approved, tone: "approved" },
  "settlement.rejected": { title: says.rejected, tone: "rejected" },
  "settlement.confirmed": { title: says.confirmed, tone: "processing" },
  "settlement.cancelled": { title: says.cancelled, tone: "cancelled" },
  "settlement.executed": { title: says.executed, tone: "executed" },
  "settlement.failed": { title: says.failed, tone: "failed" },
  "payment.held": { title: says.heldDecision, tone: "pending" },
  "payment.released": { title: says.released, tone: "processing" },
  "payment.refused": { title: says.refused, tone: "failed" },
  "payment.screened": { title: says.screeningItsAnswer, tone: "processing" },
  "transfer.made_anew": { title: says.revertedByChain, tone: "processing" },
  "transfer.vanished": { title: says.vanishedFromChain, tone: "failed" },
  "transfer.forfeited": { title: says.whatVainLeft, tone: "processing" },
  "transfer.restored": { title: says.finalChainAgain, tone: "executed" },
  "callback.resent": { title: says.callbackQueuedAgain, tone: "undelivered" },
});

/** What happened so far, in the order in which it did, and in grey what is still to come. */
export function timelineOf(story: Story, says: Says): StoryNode[] {
  const past = [...historyNodes(story, says), ...paymentNodes(story, says), ...callbackNodes(story, says)];
  // What happened at one instant keeps the order in which it is listed here.
  const sorted = past.toSorted((left, right) => String(left.at).localeCompare(String(right.at)));
  return [...sorted, ...futureOf(story, says)];
}

function historyNodes({ history }: Story, says: Says): StoryNode[] {
  return history.map((entry) => {
    const known = titlesOf(says)[entry.action] ?? { title: entry.action };
    const asked = entry.action === "settlement.created" && entry.change.approval_state === "pending";
    const title = asked ? says.quotedAsked : entry.action === "settlement.approval_recorded" ? approvalOf(entry, says) : known.title;
    return { id: entry.id, title, ...toned(asked ? "pending" : known.tone), at: entry.at, by: actorOf(entry, says), entry };
  });
}

/** `First of two approvals`, as many as counted then. */
function approvalOf({ change }: Entry, says: Says): string {
  return says.approvalOf(Number(change.approvals_given), Number(change.approvals_needed));
}

function paymentNodes({ payment }: Story, says: Says): StoryNode[] {
  if (payment === null) return [];
  const nodes = payment.attempts.flatMap(({ hash, number, kind, signed_at, broadcast_at }) => {
    const what = kind === "cancellation" ? says.cancellingTransaction : number === 1 ? says.payment : says.paymentWithHigher;
    return [node(`${hash} signed`, says.signed(what), signed_at), node(`${hash} broadcast`, says.broadcast(what), broadcast_at)];
  });
  return nodes.filter((each) => each !== null);
}

function callbackNodes({ callback_list: callbacks }: Story, says: Says): StoryNode[] {
  return callbacks.flatMap((callback) => {
    const word = says.callback(says.events[callback.event] ?? callback.event);
    const queued = node(`${callback.id} queued`, says.queued(word), callback.created_at);
    const delivered = node(`${callback.id} delivered`, says.delivered(word), callback.delivered_at, "executed");
    const givenUp = node(`${callback.id} undelivered`, says.undelivered(word), callback.undelivered_at, "undelivered");
    return [queued, delivered, givenUp].filter((each) => each !== null);
  });
}

function node(id: string, title: string, at: string | null, tone?: string): StoryNode | null {
  return at === null ? null : { id, title, at, by: null, ...toned(tone ?? "lapsed"), entry: null };
}

function futureOf({ settlement, callback_list: callbacks }: Story, says: Says): StoryNode[] {
  const { status, approval_state: approval } = settlement;
  const isOpen = status === "quoted" || status === "processing";
  const ahead = [
    ...(status === "quoted" && approval === "pending" ? [says.decision] : []),
    ...(status === "quoted" ? [says.confirmedByPartner] : []),
    ...(isOpen ? [says.paidChain, says.executed, says.callbackDelivered] : []),
    ...(!isOpen && callbacks.some(({ state }) => state === "pending") ? [says.callbackDelivered] : []),
  ];
  return ahead.map((title) => ({ id: title, title, at: null, by: null, entry: null }));
}

function toned(tone: string | undefined): { tone?: string } {
  return tone === undefined ? {} : { tone };
}
