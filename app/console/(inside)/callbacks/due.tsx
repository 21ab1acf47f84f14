import { Time, useHasPassed } from "../../_components/controls/values.tsx";
import { useTranslations } from "../../_words/words.ts";
import { DUE } from "./words.ts";

/** When the next attempt is: one that is due is on its way, and not "5 s ago". */
export function Due({ at }: { at: string }) {
  const t = useTranslations(DUE);
  return useHasPassed(at) ? t.now : <Time at={at} />;
}
