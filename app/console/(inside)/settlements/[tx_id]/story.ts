import type { Answers } from "#server/console/router.ts";

export type Story = Answers["settlements"]["byId"];
export type StoryQuote = Story["quotes"][number];
export type Entry = Story["history"][number];

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

/** The last decision on it: who, when, and what. */
export function decisionOf(story: Story): Entry | null {
  return story.history.findLast(({ action }) => action === "settlement.approved" || action === "settlement.rejected") ?? null;
}

/** What was asked about its payment before it was made. */
export type Checks = Answers["exposure"]["checks"];
