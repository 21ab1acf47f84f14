import { useRef, useState } from "react";
import { useShortcut } from "../../_components/frame/shortcuts.tsx";
import { useTranslations } from "../../_words/words.ts";
import type { Awaiting } from "./answers.ts";
import type { Outcome } from "./approve-dialog.tsx";
import { USE_QUEUE } from "./words.ts";

type Deciding = { what: "approve" | "reject"; row: Awaiting };
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
  const go = (step: number) => {
    const next = rows[Math.min(rows.length - 1, Math.max(0, index + step))];
    if (!next) return;
    onChoose(idOf(next));
    focus(rowElement(next));
  };
  const mayApprove = (row: Awaiting) => row.preview.proposed !== null && !row.preview.policy.waits_for_others;
  const decide = (what: Deciding["what"], row: Awaiting | undefined = current) => {
    if (!row || !mayDecide || leaving.has(row.settlement.tx_id)) return;
    if (what === "reject" || mayApprove(row)) setDeciding({ what, row });
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
  const after = useRef<Awaiting | null>(null);
  const onDecided = (outcome: Outcome) => {
    if (deciding === null) return;
    const { row } = deciding;
    const at = rows.findIndex((each) => idOf(each) === idOf(row));
    const next = rows[at + 1] ?? rows[at - 1];
    if (outcome !== "recorded") forget(row.settlement.tx_id);
    after.current = next ?? row;
    onChoose(idOf(next));
    setSaid(t.decidedAndRemaining(t.outcomes[outcome], row.settlement.external_merchant_id, rows.length));
  };
  const returnFocus = () =>
    inSight(rowElement(after.current ?? deciding?.row)) ??
    inSight(document.getElementById("review-heading")) ??
    document.querySelector<HTMLElement>("#main h1 [tabindex]");
  const open = (what: Deciding["what"], row?: Awaiting) => {
    after.current = null;
    decide(what, row);
  };
  return {
    current,
    isChosen: found >= 0,
    deciding,
    decide: open,
    stop: () => setDeciding(null),
    onDecided,
    returnFocus,
    said,
    say: setSaid,
  };
}
