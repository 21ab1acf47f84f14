import { Time, useHasPassed } from "../../_components/controls/values.tsx";
import { useWords } from "../../_words/words.ts";
import { DUE } from "./words.ts";

/** When the next attempt is: one that is due is on its way, and not "5 s ago". */
export function Due({ at }: { at: string }) {
  const says = useWords(DUE);
  return useHasPassed(at) ? says.now : <Time at={at} />;
}
