import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { Announcement } from "../../_components/frame/page-parts.tsx";
import { useRefresh, useTRPC } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import { FRESHNESS } from "./foot-words.ts";
import type { Draft } from "./use-draft.ts";
import { FRESH_MS } from "./use-open-decision.ts";

export type What = "approve" | "reject";

/** The outcome of a decision. `recorded`: more approvals are needed, it still waits. */
export type Outcome = "approved" | "recorded" | "rejected";

/** What both feet share. */
export type FootProps = {
  id: string;
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
  /** Somebody has decided it, or it has ended in another way. */
  isDecided: boolean;
  onClose: () => void;
  onDecided: (outcome: Outcome, hasLeft: boolean) => void;
};

type FootFormProps = { label: string; mayCommit: boolean; onSubmit: () => void; children: ReactNode };

/** The form at the foot of a panel. The second half of a double click does not submit it: its button may have just appeared there. */
export function FootForm({ label, mayCommit, onSubmit, children }: FootFormProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (mayCommit) onSubmit();
  };
  return (
    <form
      className="form foot-form"
      aria-label={label}
      onSubmit={submit}
      onClickCapture={(event) => event.detail > 1 && event.preventDefault()}
    >
      {children}
    </form>
  );
}

/** The age of the shown price: it is refreshed automatically, except while the user types. */
export function Freshness({ readAt, isHeld }: { readAt: number; isHeld: boolean }) {
  const t = useTranslations(FRESHNESS);
  const [age, setAge] = useState(0);
  const [first] = useState(readAt);
  useEffect(() => {
    const count = () => setAge(Math.min(FRESH_MS, Date.now() - readAt));
    count();
    const timer = setInterval(count, 1_000);
    return () => clearInterval(timer);
  }, [readAt]);
  const left = Math.max(0, Math.ceil((FRESH_MS - age) / 1_000));
  return (
    <div className="freshness small muted">
      <progress max={FRESH_MS} value={FRESH_MS - age} aria-label={t.priceFreshness} />
      <span>{isHeld ? t.priceFrozen : left === 0 ? t.priceLoading : t.priceRefreshesIn(left)}</span>
      <Announcement>{readAt === first ? "" : t.priceRefreshed}</Announcement>
    </div>
  );
}

/** Refetches everything that shows the decided settlements. */
export function useRefreshDecisions(txId?: string): () => void {
  const { approvals, settlements } = useTRPC();
  const one = txId === undefined ? [] : [settlements.byId.queryKey({ tx_id: txId })];
  return useRefresh(
    approvals.list.queryKey(),
    approvals.counts.queryKey(),
    approvals.decided.queryKey(),
    settlements.tiles.queryKey(),
    ...one,
  );
}
