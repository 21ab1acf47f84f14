import type { Answers } from "#server/trpc/router.ts";
import type { TimelineNode } from "../../../_components/timeline.tsx";

export type Story = Answers["settlements"]["byId"];
export type Entry = Story["history"][number];

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
  "callback.resent": { title: "Callback queued again", tone: "undelivered" },
};

const ACTORS: Record<string, string> = {
  system: "the service",
  operator: "the operator",
  operator_key: "an operator's key",
  api_key: "the partner's key",
};

/** Who did it, as people say it. */
export function actorOf({ actor }: Entry): string {
  const kind = ACTORS[actor.type];
  if (actor.name === null) return kind ?? "somebody";
  return kind === undefined ? actor.name : `${kind} “${actor.name}”`;
}

/** What happened so far, and in grey what is still to come. */
export function timelineOf(story: Story): (TimelineNode & { entry: Entry | null })[] {
  const { settlement, history } = story;
  const past = history.flatMap((entry) => {
    const known = TITLES[entry.action] ?? { title: entry.action };
    const asked = entry.action === "settlement.created" && entry.change.approval_state === "pending";
    const title = asked ? "Quoted above the maximum, approval requested" : known.title;
    return [{ id: entry.id, title, tone: asked ? "pending" : known.tone, at: entry.at, by: actorOf(entry), entry }];
  });
  return [...past, ...futureOf(settlement.status, settlement.approval_state)].map(({ tone, ...node }) => ({
    ...node,
    ...(tone && { tone }),
  }));
}

function futureOf(status: string, approval: string | null) {
  const ahead = [
    ...(status === "quoted" && approval === "pending" ? ["Decision"] : []),
    ...(status === "quoted" ? ["Confirmed by the partner"] : []),
    ...(status === "quoted" || status === "processing" ? ["Executed"] : []),
  ];
  return ahead.map((title) => ({ id: title, title, at: null, by: null, tone: undefined, entry: null }));
}

/** The last decision on it: who, when, and what. */
export function decisionOf(story: Story): Entry | null {
  return story.history.findLast(({ action }) => action === "settlement.approved" || action === "settlement.rejected") ?? null;
}
