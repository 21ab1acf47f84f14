import { Wrench } from "lucide-react";
import { useState } from "react";
import { IconButton } from "#app/console/_components/controls/button.tsx";
import { lazyComponent } from "#app/console/_components/controls/lazy-component.tsx";
import { useShortcut } from "#app/console/_components/frame/shortcuts.tsx";
import { useTranslations } from "../../_words/words.ts";
import { OPENER } from "./opener-words.ts";

const Workbench = lazyComponent(() => import("./workbench.tsx").then(({ Workbench: Loaded }) => Loaded));

/** Opens the workbench over any page, by its key or its button. Its code is loaded on first use. */
export function WorkbenchOpener({ brand }: { brand: string }) {
  const t = useTranslations(OPENER);
  const [open, setOpen] = useState(false);
  useShortcut("~", t.open, () => setOpen(true));
  return (
    <>
      <span className="only-wide">
        <IconButton label={t.open} icon={Wrench} onClick={() => setOpen(true)} aria-keyshortcuts="~" />
      </span>
      {open && <Workbench brand={brand} onClose={() => setOpen(false)} />}
    </>
  );
}
