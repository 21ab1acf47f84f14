"use client";

import { useState } from "react";
import { useStepUp } from "../../../_components/dialogs/step-up.tsx";

/**
 * Work that a person asked for, with the step-up before it. Unlike a mutation it keeps nothing of the answer: what comes back may be a
 * secret, which is its caller's alone.
 */
export function useDeed() {
  const guarded = useStepUp();
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const run = async <Answer>(work: () => Promise<Answer>, then: (answer: Answer) => void) => {
    if (pending) return;
    setPending(true);
    setError(null);
    try {
      then(await guarded(work));
    } catch (refused) {
      setError(refused);
    } finally {
      setPending(false);
    }
  };
  return { run, pending, error };
}
