"use client";

import { useEffect, useState } from "react";

const KEPT = "marked settlement";

/**
 * The row that the keys act on. It is where one was when one comes back to the list, and what is looked at beside the list is marked.
 */
export function useMarkedRow(ids: readonly string[], peeked: string | null) {
  const [own, setOwn] = useState<string | undefined>(peeked ?? undefined);
  const marked = own !== undefined && ids.includes(own) ? own : undefined;
  const mark = (id: string) => {
    setOwn(id);
    window.sessionStorage.setItem(KEPT, id);
  };
  useEffect(() => {
    const kept = window.sessionStorage.getItem(KEPT);
    if (kept !== null) setOwn((before) => before ?? kept);
  }, []);
  useEffect(() => {
    if (peeked !== null) setOwn(peeked);
  }, [peeked]);
  // As soon as another row is marked; not at every rendering, which would take the list out of the hand of who scrolls it.
  useEffect(() => {
    if (marked !== undefined) document.querySelector("tr[data-active]")?.scrollIntoView({ block: "nearest" });
  }, [marked]);
  const move = (step: number): string | undefined => {
    const at = marked === undefined ? -1 : ids.indexOf(marked);
    const next = ids[Math.min(ids.length - 1, Math.max(0, at + step))];
    if (next !== undefined) mark(next);
    return next;
  };
  return { marked, mark, move };
}
