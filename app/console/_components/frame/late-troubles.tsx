import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useToast } from "#app/console/_components/controls/toast.tsx";
import { isShown, onNoAnswer, sentenceOf } from "../../_trpc/no-answer.ts";
import { useTranslations } from "../../_words/words.ts";
import { LATE_TROUBLES, NO_ANSWER } from "./words.ts";

/** What shows a refusal has rendered it by then. */
const RENDERED_MS = 300;

/**
 * After an action without an answer everything in sight is read again: it may have been done. Where nobody is left to say so (the dialog was
 * closed meanwhile), it is said in passing.
 */
export function LateTroubles() {
  const [t, sentences] = [useTranslations(LATE_TROUBLES), useTranslations(NO_ANSWER)];
  const queries = useQueryClient();
  const toast = useToast();
  useEffect(
    () =>
      onNoAnswer((error) => {
        void queries.invalidateQueries({ predicate: ({ meta }) => meta?.still !== true });
        setTimeout(() => !isShown(error) && toast(t.noAnswerCame, sentenceOf(error, sentences)), RENDERED_MS);
      }),
    [queries, toast, t, sentences],
  );
  return null;
}
