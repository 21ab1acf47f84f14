import type { Answers } from "#server/console/router.ts";
import type { KINDS } from "./words.ts";

export type ProposalRow = Answers["proposals"]["list"]["open"][number];
type Translations = typeof KINDS;

export function kindWords(kind: string, { kinds }: Translations): string {
  return kinds[kind] ?? kind.replaceAll("_", " ");
}

export function proposerWords({ proposed_by: { name, is_key, is_asker } }: ProposalRow, t: Translations): string {
  if (is_asker) return t.proposedByYou(name);
  return is_key ? t.proposedByKey(name) : name;
}
