import { useState } from "react";
import { useShortcut } from "../../_components/frame/shortcuts.tsx";
import { useTranslations } from "../../_words/words.ts";
import type { Awaiting } from "./answers.ts";
import type { Outcome, What } from "./foot-parts.tsx";
import { USE_QUEUE } from "./words.ts";

type Deciding = { what: What; row: Awaiting };
type Trans = {
  rows: readonly Awaiting[];
  leaving: ReadonlySet<string>;
  forget: (id: string) => void;
  mayDecide: boolean;
  /** The settlement in the URL, which may not be among the rows (any more). */
  chosen: string | null;
  onChoose: (id: string | null) => void;
  onSelect: (id: string) => void;
  /** Clears the selection. Returns whether there was one. */
  onClear: () => boolean;
};

const focus = (element: HTMLElement | null) => element?.focus();
/** On a narrow page the list may be hidden. */
const inSight = (element: HTMLElement | null) => (element === null || element.offsetParent === null ? null : element);
const rowElement = (row: Awaiting | undefined) => (row ? document.getElementById(`row-${row.settlement.tx_id}`) : null);
const idOf = (row: Awaiting | undefined) => row?.settlement.tx_id ?? null;

/** The selected row, the open decision, and the shortcuts for both. */
export function useQueue({ rows, leaving, forget, mayDecide, chosen, onChoose, onSelect, onClear }: Trans) {
  const t = useTranslations(USE_QUEUE);
  const [deciding, setDeciding] = useState<Deciding | null>(null);
  const [said, setSaid] = useState("");
  const found = rows.findIndex((row) => idOf(row) === chosen);
  const index = Math.max(0, found);
  const current = rows[index];
  // An open decision keeps its settlement in the panel, also when somebody else has decided it and it is no longer listed.
  const shown = deciding === null ? current : (rows.find((row) => idOf(row) === idOf(deciding.row)) ?? deciding.row);
  const go = (step: number) => {
    const next = rows[Math.min(rows.length - 1, Math.max(0, index + step))];
    if (!next) return;
    setDeciding(null);
    onChoose(idOf(next));
    focus(rowElement(next));
  };
  const mayApprove = (row: Awaiting) => row.preview.proposed !== null && !row.preview.policy.waits_for_others;
  const stop = () => {
    setDeciding(null);
    focus(inSight(rowElement(shown)) ?? document.getElementById("review-heading"));
  };
  const decide = (what: What | null) => {
    if (what === null) return stop();
    if (!shown || !mayDecide || leaving.has(shown.settlement.tx_id)) return;
    if (what === "reject" || mayApprove(shown)) setDeciding({ what, row: shown });
  };
  const back = () => {
    if (onClear()) return;
    focus(rowElement(current));
  };
  const any = current !== undefined;
  useShortcut("j", t.nextSettlement, () => go(1), any);
  useShortcut("k", t.previousSettlement, () => go(-1), any);
  useShortcut("x", t.select, () => current && onSelect(current.settlement.tx_id), mayDecide && any);
  useShortcut("a", t.approve, () => decide("approve"), mayDecide && any);
  useShortcut("r", t.reject, () => decide("reject"), mayDecide && any);
  useShortcut("Escape", t.clearOrBack, back, any);
  /** After a decision the next settlement is selected. */
  const onDecided = (row: Awaiting, outcome: Outcome, hasLeft: boolean) => {
    const at = rows.findIndex((each) => idOf(each) === idOf(row));
    const next = rows[at + 1] ?? rows[at - 1];
    if (outcome !== "recorded") forget(row.settlement.tx_id);
    setSaid(t.decidedAndRemaining(t.outcomes[outcome], row.settlement.external_merchant_id, rows.length));
    if (hasLeft) return;
    setDeciding(null);
    onChoose(idOf(next));
    requestAnimationFrame(() =>
      focus(
        inSight(rowElement(next ?? row)) ??
          inSight(document.getElementById("review-heading")) ??
          document.querySelector<HTMLElement>("#main h1 [tabindex]"),
      ),
    );
  };
  return {
    shown,
    shownId: shown?.settlement.tx_id,
    isChosen: found >= 0 || deciding !== null,
    deciding: deciding?.what ?? null,
    /** Null: it closes. */
    decide,
    /** Another row is looked at: an open decision closes, and what was typed is kept. */
    leave: () => setDeciding(null),
    onDecided,
    said,
    say: setSaid,
  };
}
