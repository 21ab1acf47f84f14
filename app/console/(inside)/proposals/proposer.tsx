import { Data } from "../../_words/told.tsx";
import { useWords } from "../../_words/words.ts";
import { type ProposalRow, proposerWords } from "./kinds.ts";
import { KINDS } from "./words.ts";

/** Who proposed it: a name alone is data, what we say beside it is not. */
export function Proposer({ proposal }: { proposal: ProposalRow }) {
  const says = useWords(KINDS);
  const { name, is_key, is_asker } = proposal.proposed_by;
  return is_key || is_asker ? proposerWords(proposal, says) : <Data>{name}</Data>;
}
