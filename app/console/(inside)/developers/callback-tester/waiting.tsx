import { useEffect, useState } from "react";
import { ATTEMPT_TIMEOUT_MS } from "#domain/callback.ts";
import { useTranslations } from "../../../_words/words.ts";
import { WAITING } from "./words.ts";

const STEP_MS = 250;

/** How much of its time the receiver has used. In real time, independent of the sandbox's clock. */
export function Waiting() {
  const t = useTranslations(WAITING);
  const [gone, setGone] = useState(0);
  useEffect(() => {
    const since = performance.now();
    const timer = setInterval(() => setGone(Math.min(ATTEMPT_TIMEOUT_MS, performance.now() - since)), STEP_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <span className="tester-waiting muted">
      <progress max={ATTEMPT_TIMEOUT_MS} value={gone} aria-label={t.label} />
      {gone >= 1_000 && t.elapsed(Math.floor(gone / 1_000), ATTEMPT_TIMEOUT_MS / 1_000)}
    </span>
  );
}
