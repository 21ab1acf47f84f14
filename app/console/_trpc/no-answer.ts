import { TRPCClientError } from "@trpc/client";
import { NO_ANSWER } from "../_components/frame/words.ts";
import { refusalOf } from "./refusal.ts";

/** No answer came in time, or at all. */
export class NoAnswer extends Error {
  /** The browser was offline before and after: nothing was sent. Otherwise it may have arrived, with its answer lost. */
  readonly wasSent: boolean;
  constructor(wasSent: boolean, options?: ErrorOptions) {
    super(wasSent ? "no answer came" : "the browser is offline", options);
    this.wasSent = wasSent;
  }
}

/** What is known about an action whose outcome is unknown. */
export type Fate = "refused" | "not_sent" | "not_known";

/** Refusals that mean a failure on the way: the action may have succeeded. */
const BROKE = new Set(["internal_error", "temporarily_unavailable"]);

export function fateOf(error: unknown): Fate {
  const refusal = refusalOf(error);
  if (refusal !== null) return BROKE.has(refusal.code) ? "not_known" : "refused";
  const cause = error instanceof TRPCClientError ? error.cause : error;
  return cause instanceof NoAnswer && !cause.wasSent ? "not_sent" : "not_known";
}

/** An error as one sentence, where there is no space for more. */
export function sentenceOf(error: unknown, t: typeof NO_ANSWER = NO_ANSWER): string {
  const refusal = refusalOf(error);
  const fate = fateOf(error);
  if (fate === "not_sent") return t.offline;
  if (fate === "refused" && refusal !== null) return refusal.detail;
  return t.unknownOutcome;
}

type Listener = (error: unknown) => void;
const listeners = new Set<Listener>();
const shown = new WeakSet<object>();

/** An action ended without an answer: components refetch what it may have changed. */
export function describeNoAnswer(error: object): void {
  for (const listener of listeners) listener(error);
}

export function onNoAnswer(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Shown on the page, next to the button. */
export function markShown(error: unknown): void {
  if (typeof error === "object" && error !== null) shown.add(error);
}

export function isShown(error: unknown): boolean {
  return typeof error === "object" && error !== null && shown.has(error);
}
