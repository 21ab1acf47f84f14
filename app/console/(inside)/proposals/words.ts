import type { Answers } from "#server/console/router.ts";

export type ProposalRow = Answers["proposals"]["list"]["open"][number];

/** What each kind is called; whoever adds a kind adds its words. */
const KINDS: Record<string, string> = {
  pair_terms: "New thresholds of a pair",
  operator_key: "New operator key",
  operator: "New person who decides",
  invitation: "Invitation of a person who decides",
  role: "Role that decides",
  exposure_limit: "Limit of what is paid out",
};

export function kindWords(kind: string): string {
  return KINDS[kind] ?? kind.replaceAll("_", " ");
}

export function proposerWords({ proposed_by: { name, is_key, is_asker } }: ProposalRow): string {
  if (is_asker) return `${name} (you)`;
  return is_key ? `${name} (a key)` : name;
}
