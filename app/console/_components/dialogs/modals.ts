import { useCallback, useLayoutEffect, useRef } from "react";

/** The dialogs that cover the page, by the order in which they were opened. A dialog counts from the press that opens it, also while it is loading. */
const open = new Set<number>();
let last = 0;

/** Whether a dialog covers the page. Single keys are silent then. */
export function isPageCovered(): boolean {
  return open.size > 0;
}

/**
 * Counts a dialog among those that cover the page while `isOpen` holds.
 *
 * @returns whether a dialog that was opened later is still open: the focus belongs to that one then.
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
