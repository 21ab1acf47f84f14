import type { Answers } from "#server/console/router.ts";
import type { TimelineNode } from "../../../_components/controls/timeline.tsx";
import { actorOf } from "../../settlements/[tx_id]/story.ts";
import type { STORY as ACTORS } from "../../settlements/[tx_id]/words.ts";
import type { STORY } from "./words.ts";

type Translations = typeof STORY;

export type MemberStory = Answers["members"]["byId"];

const TONES: Readonly<Record<string, string>> = {
  "member.created": "quoted",
  "member.updated": "approved",
  "member.safe_requested": "processing",
};

/** The history of the member and its Safe, oldest first. */
export function historyOf({ history, deployment }: MemberStory, t: Translations, actors: typeof ACTORS): TimelineNode[] {
  const entries = history.map((entry) => {
    const { [entry.action]: event = entry.action } = t.events;
    const tone = TONES[entry.action] ?? "quoted";
    const fields = Array.isArray(entry.change.fields) ? entry.change.fields.map((field) => t.fields[String(field)] ?? String(field)) : [];
    return {
      id: entry.id,
      title: fields.length === 0 ? event : t.changed(event, fields.join(", ")),
      tone,
      at: entry.at,
      by: actorOf(entry, actors),
    };
  });
  const ended = deployment && safeNode(deployment, t);
  const nodes = ended ? [...entries, ended] : entries;
  return nodes.toSorted(
    (left, right) => Number(left.at === null) - Number(right.at === null) || (left.at ?? "").localeCompare(right.at ?? ""),
  );
}

function safeNode({ id, state, updated_at }: NonNullable<MemberStory["deployment"]>, t: Translations): TimelineNode {
  if (state === "deployed") return { id, title: t.safeDeployed, tone: "executed", at: updated_at };
  if (state === "failed") return { id, title: t.safeFailed, tone: "failed", at: updated_at };
  return { id, title: t.safeDeployed, at: null };
}
