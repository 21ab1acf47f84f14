import { useCallback, useLayoutEffect, useRef } from "react";

/** The dialogs that cover the page, by the order in which they were opened. A dialog counts from the press that opens it, also while it is loading. */
const open = new Set<number>();
let last = 0;

/** Whether a dialog covers the page. Single-key shortcuts are off then. */
export function isPageCovered(): boolean {
  return open.size > 0;
}

/**
 * Counts a dialog as open while `isOpen` is true.
 *
 * @returns whether a dialog that was opened later is still open, which then owns the focus
 */
export function useModal(isOpen: boolean): () => boolean {
  const order = useRef(0);
  useLayoutEffect(() => {
    if (!isOpen) return;
    last += 1;
    const own = last;
    order.current = own;
    open.add(own);
    return () => void open.delete(own);
  }, [isOpen]);
  return useCallback(() => [...open].some((other) => other > order.current), []);
}
