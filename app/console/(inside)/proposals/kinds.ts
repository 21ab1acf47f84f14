import type { Answers } from "#server/console/router.ts";
import type { KINDS } from "./words.ts";

export type ProposalRow = Answers["proposals"]["list"]["open"][number];
type Says = typeof KINDS;

export function kindWords(kind: string, { kinds }: Says): string {
  return kinds[kind] ?? kind.replaceAll("_", " ");
}

export function proposerWords({ proposed_by: { name, is_key, is_asker } }: ProposalRow, says: Says): string {
  if (is_asker) return says.you(name);
  return is_key ? says.key(name) : name;
}
