import { type RefObject, useEffect, useState } from "react";

/**
 * Whether a table is wider than its box. Only then does the box scroll; otherwise the page scrolls, and the table's header and pager stick
 * to it. The box is measured including its scrollbar, so that the result does not depend on the previous one.
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
