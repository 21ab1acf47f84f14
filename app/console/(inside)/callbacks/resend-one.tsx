import { RotateCw } from "lucide-react";
import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { DeedDialog } from "../../_components/dialogs/deed-dialog.tsx";
import { useShortcut } from "../../_components/frame/shortcuts.tsx";
import { useRefresh, useTRPC, useTRPCClient } from "../../_trpc/client.tsx";
import { ResendFacts } from "./resend-dialog.tsx";

type ResendOneProps = { callback: { id: string; callback_url: string }; keys?: string };

/** Starts one callback's attempts anew, after asking. Queued is not delivered: the attempts say what came of it. */
export function ResendOne({ callback, keys }: ResendOneProps) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const toast = useToast();
  const [open, setOpen] = useState(false);
  useShortcut(keys ?? "", "Resend this callback", () => setOpen(true), keys !== undefined);
  const refresh = useRefresh(trpc.callbacks.pathKey(), trpc.settlements.byId.queryKey());
  return (
    <>
      <Button icon={RotateCw} onClick={() => setOpen(true)} aria-keyshortcuts={keys}>
        Resend
      </Button>
      {open && (
        <DeedDialog
          title="Resend this callback"
          button="Resend"
          deed={() => client.callbacks.resend.mutate({ id: callback.id }).finally(refresh)}
          onDone={() => toast("Queued", "The first attempt follows at once.")}
          onClose={() => setOpen(false)}
        >
          <p>
            To <code className="url">{callback.callback_url}</code>
          </p>
          <ResendFacts />
        </DeedDialog>
      )}
    </>
  );
}
