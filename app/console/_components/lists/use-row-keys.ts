import { useEffect, useRef, useState } from "react";
import { useShortcut } from "#app/console/_components/frame/shortcuts.tsx";
import { useTranslations } from "../../_words/words.ts";
import { USE_ROW_KEYS } from "./words.ts";

type RowKeys = {
  /** The list's name, under which its current row is stored. */
  list: string;
  ids: readonly string[];
  /** The row shown in the panel; it is highlighted. */
  previewId?: string | null;
  /** The action of Enter on the current row; omitted: none. */
  enter?: { does: string; run: (id: string) => void } | undefined;
  onWalk?: (id: string) => void;
  /** Which rows can be selected, and how; omitted: none. */
  selection?: { may: (id: string) => boolean; toggle: (id: string) => void } | null | undefined;
};

/** J and K move between rows, Enter opens the current one, X selects it. The current row is restored when the user returns to the list. */
export function useRowKeys({ list, ids, previewId = null, enter, onWalk, selection }: RowKeys) {
  const t = useTranslations(USE_ROW_KEYS);
  const kept = `marked row of ${list}`;
  const [own, setOwn] = useState<string | undefined>(previewId ?? undefined);
  const marked = own !== undefined && ids.includes(own) ? own : undefined;
  // The clicked row is visible already. Measuring it would force a layout before the click takes effect.
  const isInSight = useRef<string>(undefined);
  const mark = (id: string) => {
    isInSight.current = id;
    become(id);
  };
  const become = (id: string) => {
    setOwn(id);
    window.sessionStorage.setItem(kept, id);
  };
  useEffect(() => {
    const before = window.sessionStorage.getItem(kept);
    if (before !== null) setOwn((now) => now ?? before);
  }, [kept]);
  useEffect(() => {
    if (previewId !== null) setOwn(previewId);
  }, [previewId]);
  // Only when another row becomes current; at every render, it would interfere with the user's scrolling.
  useEffect(() => {
    if (marked !== undefined && marked !== isInSight.current)
      document.querySelector("tr[data-active]")?.scrollIntoView({ block: "nearest" });
    isInSight.current = undefined;
  }, [marked]);
  const walk = (step: number) => {
    const at = marked === undefined ? -1 : ids.indexOf(marked);
    const next = ids[Math.min(ids.length - 1, Math.max(0, at + step))];
    if (next === undefined) return;
    become(next);
    onWalk?.(next);
  };
  const isMarked = marked !== undefined;
  useShortcut("j", t.nextRow, () => walk(1));
  useShortcut("k", t.previousRow, () => walk(-1));
  useShortcut("Enter", enter?.does ?? "", () => isMarked && enter?.run(marked), isMarked && enter !== undefined);
  const maySelect = isMarked && selection?.may(marked) === true;
  useShortcut("x", t.selectRow, () => isMarked && selection?.toggle(marked), maySelect);
  return { marked, mark, walk };
}
