import { Search } from "lucide-react";
import { useState } from "react";
import { onDemand } from "#app/console/_components/controls/on-demand.tsx";
import type { UserRole } from "#domain/access.ts";
import { useWords } from "../../_words/words.ts";
import { useNoteRecent } from "./recent-pages.ts";
import { useShortcut } from "./shortcuts.tsx";
import { PALETTE_OPENER } from "./words.ts";

const Palette = onDemand(() => import("./palette.tsx").then(({ Palette: Loaded }) => Loaded));

/** Opens the search over everything. What it is made of is loaded when it is first wanted. */
export function PaletteOpener({ role }: { role: UserRole }) {
  const says = useWords(PALETTE_OPENER);
  const [open, setOpen] = useState(false);
  useNoteRecent();
  useShortcut("Mod+k", says.searchSettlementsPages, () => setOpen((before) => !before));
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
        <span className="palette-opener-words">{says.searchOrGo}</span>
        <kbd aria-hidden>{says.ctrlK}</kbd>
      </button>
      {open && <Palette role={role} onClose={() => setOpen(false)} />}
    </>
  );
}
