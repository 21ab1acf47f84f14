import { Data, useTranslations } from "../../_words/words.ts";
import { type ProposalRow, proposerWords } from "./kinds.ts";
import { KINDS } from "./words.ts";

/** Who proposed it. The name is data; the text next to it is translated. */
export function Proposer({ proposal }: { proposal: ProposalRow }) {
  const t = useTranslations(KINDS);
  const { name, is_key, is_asker } = proposal.proposed_by;
  return is_key || is_asker ? proposerWords(proposal, t) : <Data>{name}</Data>;
}
