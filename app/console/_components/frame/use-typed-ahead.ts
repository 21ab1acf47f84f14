import { type RefObject, useEffect } from "react";

/**
 * Collects typing for a field that is still loading or has lost the focus. While `isOpen` is true, a key press without a target inside
 * `within` edits the text in place of the field. Enter does nothing meanwhile, so nothing is chosen unseen.
 */
export function useTypedAhead(
  isOpen: boolean,
  within: RefObject<HTMLElement | null>,
  change: (edit: (text: string) => string) => void,
  close: () => void,
): void {
  useEffect(() => {
    if (!isOpen) return;
    const listen = (event: KeyboardEvent) => {
      const { target, key, ctrlKey, metaKey } = event;
      if (ctrlKey || metaKey || event.isComposing || (target instanceof Node && within.current?.contains(target))) return;
      if (key === "Escape") close();
      else if (key === "Backspace") change((text) => text.slice(0, -1));
      else if ([...key].length === 1) change((text) => text + key);
      else if (key !== "Enter") return;
      event.preventDefault();
      event.stopPropagation();
      within.current?.querySelector("input")?.focus();
    };
    document.addEventListener("keydown", listen, { capture: true });
    return () => document.removeEventListener("keydown", listen, { capture: true });
  }, [isOpen, within, change, close]);
}
