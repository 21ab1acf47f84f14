import { RotateCw } from "lucide-react";
import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { lazyComponent } from "../../_components/controls/lazy-component.tsx";
import { useShortcut } from "../../_components/frame/shortcuts.tsx";
import { useTranslations } from "../../_words/words.ts";
import { RESEND_ONE } from "./words.ts";

const ResendOneDialog = lazyComponent(() => import("./resend-one-dialog.tsx").then(({ ResendOneDialog: Loaded }) => Loaded));

type ResendOneProps = { callback: { id: string; callback_url: string }; keys?: string };

/** Resends one callback after confirmation. Queued does not mean delivered: the attempts show the outcome. */
export function ResendOne({ callback, keys }: ResendOneProps) {
  const t = useTranslations(RESEND_ONE);
  const [open, setOpen] = useState(false);
  useShortcut(keys ?? "", t.title, () => setOpen(true), keys !== undefined);
  return (
    <>
      <Button icon={RotateCw} onClick={() => setOpen(true)} aria-keyshortcuts={keys}>
        {t.resend}
      </Button>
      {open && <ResendOneDialog callback={callback} onClose={() => setOpen(false)} />}
    </>
  );
}
