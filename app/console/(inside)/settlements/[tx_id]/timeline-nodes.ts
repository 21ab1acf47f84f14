import type { TimelineNode } from "../../../_components/controls/timeline.tsx";
import { EVENT_WORDS } from "../../callbacks/words.ts";
import { actorOf, type Entry, type Story } from "./story.ts";

/** `entry`: of the audit log, which tells more. `lapses`: when the quote runs out, which is not for ever "not yet". */
export type StoryNode = TimelineNode & { entry: Entry | null };

type Title = { title: string; tone?: string };
const TITLES: Record<string, Title> = {
  "settlement.created": { title: "Quoted", tone: "quoted" },
  "settlement.approval_recorded": { title: "First of two approvals", tone: "approved" },
  "settlement.approved": { title: "Approved", tone: "approved" },
  "settlement.rejected": { title: "Rejected", tone: "rejected" },
  "settlement.confirmed": { title: "Confirmed", tone: "processing" },
  "settlement.cancelled": { title: "Cancelled", tone: "cancelled" },
  "settlement.executed": { title: "Executed", tone: "executed" },
  "settlement.failed": { title: "Failed", tone: "failed" },
  "payment.held": { title: "Held for a decision", tone: "pending" },
  "payment.released": { title: "Released", tone: "processing" },
  "payment.refused": { title: "Refused", tone: "failed" },
  "payment.screened": { title: "The screening has its answer", tone: "processing" },
  "transfer.made_anew": { title: "Reverted by the chain, made anew", tone: "processing" },
  "transfer.vanished": { title: "Vanished from the chain, sent again", tone: "failed" },
  "transfer.forfeited": { title: "What was in vain left the chain, its nonce is spent again", tone: "processing" },
  "transfer.restored": { title: "Final on the chain again", tone: "executed" },
  "callback.resent": { title: "Callback queued again", tone: "undelivered" },
};

/** What happened so far, in the order in which it did, and in grey what is still to come. */
export function timelineOf(story: Story): StoryNode[] {
  const past = [...historyNodes(story), ...paymentNodes(story), ...callbackNodes(story)];
  // What happened at one instant keeps the order in which it is listed here.
  const sorted = past.toSorted((left, right) => String(left.at).localeCompare(String(right.at)));
  return [...sorted, ...futureOf(story)];
}

function historyNodes({ history }: Story): StoryNode[] {
  return history.map((entry) => {
    const known = TITLES[entry.action] ?? { title: entry.action };
    const asked = entry.action === "settlement.created" && entry.change.approval_state === "pending";
    const title = asked ? "Quoted above the maximum, approval requested" : known.title;
    return { id: entry.id, title, ...toned(asked ? "pending" : known.tone), at: entry.at, by: actorOf(entry), entry };
  });
}

function paymentNodes({ payment }: Story): StoryNode[] {
  if (payment === null) return [];
  const nodes = payment.attempts.flatMap(({ hash, number, kind, signed_at, broadcast_at }) => {
    const what = kind === "cancellation" ? "Cancelling transaction" : number === 1 ? "Payment" : "Payment with a higher fee";
    return [node(`${hash} signed`, `${what} signed`, signed_at), node(`${hash} broadcast`, `${what} broadcast`, broadcast_at)];
  });
  return nodes.filter((each) => each !== null);
}

function callbackNodes({ callback_list: callbacks }: Story): StoryNode[] {
  return callbacks.flatMap((callback) => {
    const word = `${EVENT_WORDS[callback.event] ?? callback.event} callback`;
    const queued = node(`${callback.id} queued`, `${word} queued`, callback.created_at);
    const delivered = node(`${callback.id} delivered`, `${word} delivered`, callback.delivered_at, "executed");
    const givenUp = node(`${callback.id} undelivered`, `${word} undelivered`, callback.undelivered_at, "undelivered");
    return [queued, delivered, givenUp].filter((each) => each !== null);
  });
}

function node(id: string, title: string, at: string | null, tone?: string): StoryNode | null {
  return at === null ? null : { id, title, at, by: null, ...toned(tone ?? "lapsed"), entry: null };
}

function futureOf({ settlement, callback_list: callbacks }: Story): StoryNode[] {
  const { status, approval_state: approval } = settlement;
  const isOpen = status === "quoted" || status === "processing";
  const ahead = [
    ...(status === "quoted" && approval === "pending" ? ["Decision"] : []),
    ...(status === "quoted" ? ["Confirmed by the partner"] : []),
    ...(isOpen ? ["Paid on the chain", "Executed", "Callback delivered"] : []),
    ...(!isOpen && callbacks.some(({ state }) => state === "pending") ? ["Callback delivered"] : []),
  ];
  return ahead.map((title) => ({ id: title, title, at: null, by: null, entry: null }));
}

function toned(tone: string | undefined): { tone?: string } {
  return tone === undefined ? {} : { tone };
}
