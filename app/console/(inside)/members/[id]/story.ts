import type { Answers } from "#server/console/router.ts";
import type { TimelineNode } from "../../../_components/controls/timeline.tsx";
import { actorOf } from "../../settlements/[tx_id]/story.ts";

export type MemberStory = Answers["members"]["byId"];

const TITLES: Record<string, { title: string; tone: string }> = {
  "member.created": { title: "Created", tone: "quoted" },
  "member.updated": { title: "Changed", tone: "approved" },
  "member.safe_requested": { title: "Safe asked for anew", tone: "processing" },
};
const FIELDS: Record<string, string> = { phone: "phone", name: "name", email: "e-mail address" };

/** What happened to the member and its Safe, oldest first. */
export function historyOf({ history, deployment }: MemberStory): TimelineNode[] {
  const told = history.map((entry) => {
    const { title, tone } = TITLES[entry.action] ?? { title: entry.action, tone: "quoted" };
    const fields = Array.isArray(entry.change.fields) ? entry.change.fields.map((field) => FIELDS[String(field)] ?? String(field)) : [];
    return { id: entry.id, title: fields.length === 0 ? title : `${title}: ${fields.join(", ")}`, tone, at: entry.at, by: actorOf(entry) };
  });
  const ended = deployment && safeNode(deployment);
  const nodes = ended ? [...told, ended] : told;
  return nodes.toSorted(
    (left, right) => Number(left.at === null) - Number(right.at === null) || (left.at ?? "").localeCompare(right.at ?? ""),
  );
}

function safeNode({ id, state, updated_at }: NonNullable<MemberStory["deployment"]>): TimelineNode {
  if (state === "deployed") return { id, title: "Safe deployed", tone: "executed", at: updated_at };
  if (state === "failed") return { id, title: "Safe failed", tone: "failed", at: updated_at };
  return { id, title: "Safe deployed", at: null };
}
