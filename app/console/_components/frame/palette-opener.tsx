import { Search } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { UserRole } from "#domain/access.ts";
import { useNoteRecent } from "./recent-pages.ts";
import { useShortcut } from "./shortcuts.tsx";

const Palette = dynamic(() => import("./palette.tsx").then(({ Palette: Loaded }) => Loaded), { ssr: false });

/** Opens the search over everything. What it is made of is loaded when it is first wanted. */
export function PaletteOpener({ role }: { role: UserRole }) {
  const [open, setOpen] = useState(false);
  useNoteRecent();
  useShortcut("Mod+k", "Search settlements, pages and commands", () => setOpen((before) => !before));
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
        <span className="palette-opener-words">Search or go to…</span>
        <kbd aria-hidden>Ctrl K</kbd>
      </button>
      {open && <Palette role={role} onClose={() => setOpen(false)} />}
    </>
  );
}
