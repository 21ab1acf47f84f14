import { Search } from "lucide-react";
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { lazyComponent } from "#app/console/_components/controls/lazy-component.tsx";
import { useModal } from "#app/console/_components/dialogs/modals.ts";
import type { UserRole } from "#domain/access.ts";
import { useTranslations } from "../../_words/words.ts";
import { useNoteRecent } from "./recent-pages.ts";
import { useShortcut } from "./shortcuts.tsx";
import { PALETTE_OPENER } from "./words.ts";

const Palette = lazyComponent(() => import("./palette.tsx").then(({ Palette: Loaded }) => Loaded));

/** Opens the global search. Its code is loaded on first use. */
export function PaletteOpener({ role }: { role: UserRole }) {
  const t = useTranslations(PALETTE_OPENER);
  const [open, setOpen] = useState(false);
  const [text, setText] = useState("");
  const within = useRef<HTMLDivElement>(null);
  const close = useCallback(() => {
    setOpen(false);
    setText("");
  }, []);
  useNoteRecent();
  useModal(open);
  useTypedAhead(open, within, setText, close);
  useShortcut("Mod+k", t.label, () => (open ? close() : setOpen(true)));
  return (
    <>
      <button
        type="button"
        className="palette-opener"
        aria-keyshortcuts="Control+K Meta+K"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Search aria-hidden size={16} />
        <span className="palette-opener-words">{t.placeholder}</span>
        <kbd aria-hidden>{t.shortcut}</kbd>
      </button>
      {open && <Palette role={role} text={text} onText={setText} within={within} onClose={close} />}
    </>
  );
}

/**
 * Collects typing for a field that is still loading or has lost the focus. While `isOpen` is true, a key press without a target inside
 * `within` edits the text in place of the field. Enter does nothing meanwhile, so nothing is chosen unseen.
 */
function useTypedAhead(
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
