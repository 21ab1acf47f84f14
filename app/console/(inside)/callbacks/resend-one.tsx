import { RotateCw } from "lucide-react";
import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { onDemand } from "../../_components/controls/on-demand.tsx";
import { useShortcut } from "../../_components/frame/shortcuts.tsx";
import { useWords } from "../../_words/words.ts";
import { RESEND_ONE } from "./words.ts";

const ResendOneDialog = onDemand(() => import("./resend-one-dialog.tsx").then(({ ResendOneDialog: Loaded }) => Loaded));

type ResendOneProps = { callback: { id: string; callback_url: string }; keys?: string };

/** Starts one callback's attempts anew, after asking. Queued is not delivered: the attempts say what came of it. */
export function ResendOne({ callback, keys }: ResendOneProps) {
  const says = useWords(RESEND_ONE);
  const [open, setOpen] = useState(false);
  useShortcut(keys ?? "", says.resendCallback, () => setOpen(true), keys !== undefined);
  return (
    <>
      <Button icon={RotateCw} onClick={() => setOpen(true)} aria-keyshortcuts={keys}>
        {says.resend}
      </Button>
      {open && <ResendOneDialog callback={callback} onClose={() => setOpen(false)} />}
    </>
  );
}
