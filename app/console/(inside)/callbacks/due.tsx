import { Time, useHasPassed } from "../../_components/controls/values.tsx";
import { useTranslations } from "../../_words/words.ts";
import { DUE } from "./words.ts";

/** When the next attempt is due. One that is due already shows as in progress, not as "5 s ago". */
export function Due({ at }: { at: string }) {
  const t = useTranslations(DUE);
  return useHasPassed(at) ? t.now : <Time at={at} />;
}
