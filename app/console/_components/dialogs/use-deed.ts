"use client";

import { type RefObject, useEffect, useRef, useState } from "react";
import { useToast } from "#app/console/_components/controls/toast.tsx";
import { fateOf, sentenceOf } from "../../_trpc/no-answer.ts";
import { refusalOf } from "../../_trpc/refusal.ts";
import { useBusy } from "./dialog.tsx";
import { useStepUp } from "./step-up.tsx";

/**
 * Work that a person asked for, with the step-up before it. Unlike a mutation it keeps nothing of the answer: what comes back may be a
 * secret, which is its caller's alone. `then` learns whether whoever asked has left meanwhile; a refusal is then said in passing. Who
 * closes the step-up has done nothing, and is told nothing.
 */
export function useDeed(undone = "Not done") {
  const guarded = useStepUp();
  const toast = useToast();
  const left = useLeft();
  // Two clicks within one rendering are one.
  const isUnderWay = useRef(false);
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  useBusy(pending);
  const run = async <Answer>(work: () => Promise<Answer>, then: (answer: Answer, hasLeft: boolean) => void) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setPending(true);
    setError(null);
    try {
      then(await guarded(work), left.current);
    } catch (refused) {
      if (refusalOf(refused)?.code === "step_up_required") return;
      if (!left.current) setError(refused);
      else if (fateOf(refused) === "refused") toast(undone, sentenceOf(refused));
    } finally {
      isUnderWay.current = false;
      setPending(false);
    }
  };
  return { run, pending, error, forgive: () => setError(null) };
}

/** Whether what asked for work was closed while that was still under way. */
function useLeft(): RefObject<boolean> {
  const left = useRef(false);
  useEffect(() => {
    left.current = false;
    return () => {
      left.current = true;
    };
  }, []);
  return left;
}
