import { useState } from "react";
import type { Hint } from "./answers.ts";

export type Draft = {
  /** The hints that were acknowledged. */
  ticked: readonly Hint["kind"][];
  note: string;
  reason: string;
  /** Typed to prove that the amount was read. */
  amount: string;
  /** A field has the focus: the price stays as it is meanwhile. */
  isTyping: boolean;
};

const EMPTY: Draft = { ticked: [], note: "", reason: "", amount: "", isTyping: false };

/** What somebody began and left, by settlement or batch: another row can be looked at in between. It ends with the page. */
const drafts = new Map<string, Draft>();

/** What was ticked and typed about one settlement or batch. */
export function useDraft(id: string): { draft: Draft; change: (changes: Partial<Draft>) => void; forget: () => void } {
  const [draft, setDraft] = useState(() => drafts.get(id) ?? EMPTY);
  const change = (changes: Partial<Draft>) =>
    setDraft((before) => {
      const next = { ...before, ...changes };
      drafts.set(id, { ...next, isTyping: false });
      return next;
    });
  return { draft, change, forget: () => void drafts.delete(id) };
}
