import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useToast } from "#app/console/_components/controls/toast.tsx";
import { isShown, onNoAnswer, sentenceOf } from "../../_trpc/no-answer.ts";
import { useTranslations } from "../../_words/words.ts";
import { LATE_TROUBLES, NO_ANSWER } from "./words.ts";

/** By then, the component with the refusal has rendered it. */
const RENDERED_MS = 300;

/**
 * After an action without an answer, everything visible is read again, because the action may have succeeded. If its dialog was closed
 * meanwhile, a toast says so.
 */
export function LateTroubles() {
  const [t, sentences] = [useTranslations(LATE_TROUBLES), useTranslations(NO_ANSWER)];
  const queries = useQueryClient();
  const toast = useToast();
  useEffect(
    () =>
      onNoAnswer((error) => {
        void queries.invalidateQueries({ predicate: ({ meta }) => meta?.still !== true });
        setTimeout(() => !isShown(error) && toast(t.noAnswer, sentenceOf(error, sentences)), RENDERED_MS);
      }),
    [queries, toast, t, sentences],
  );
  return null;
}
