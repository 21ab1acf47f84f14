import { type RefObject, useEffect, useState } from "react";

/**
 * Whether a table needs more width than its box has. Only then is the box a scroller: otherwise the page alone scrolls, and the table's
 * header and pager stick to it. The box is measured with its scrollbar, so that the answer does not depend on the answer before.
 */
export function useWide(box: RefObject<HTMLElement | null>): boolean {
  const [isWide, setIsWide] = useState(false);
  useEffect(() => {
    const table = box.current?.querySelector("table");
    if (!box.current || !table) return;
    const { current } = box;
    const observer = new ResizeObserver(() => setIsWide(table.offsetWidth > current.offsetWidth));
    observer.observe(current);
    observer.observe(table);
    return () => observer.disconnect();
  }, [box]);
  return isWide;
}
