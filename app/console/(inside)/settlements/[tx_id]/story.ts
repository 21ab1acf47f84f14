import type { Answers } from "#server/console/router.ts";
import { STORY } from "./words.ts";

type Translations = typeof STORY;

export type Story = Answers["settlements"]["byId"];
export type StoryQuote = Story["quotes"][number];
export type Entry = Story["history"][number];

/** The actor, as a display name. */
export function actorOf({ actor }: Entry, t: Translations = STORY): string {
  const kind = t.actors[actor.type];
  if (actor.name === null) return kind ?? t.somebody;
  return kind === undefined ? actor.name : t.named(kind, actor.name);
}

/** The last decision on it: who, when, and what. */
export function decisionOf(story: Story): Entry | null {
  return story.history.findLast(({ action }) => action === "settlement.approved" || action === "settlement.rejected") ?? null;
}

/** The screenings of its payment before it was made. */
export type Checks = Answers["exposure"]["checks"];
