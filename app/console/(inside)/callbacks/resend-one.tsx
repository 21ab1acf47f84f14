"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { Dialog } from "../../_components/dialogs/dialog.tsx";
import { Refused } from "../../_components/dialogs/refused.tsx";
import { useShortcut } from "../../_components/frame/shortcuts.tsx";
import { useTRPC } from "../../_trpc/client.ts";
import { ResendFacts } from "./resend-dialog.tsx";

type ResendOneProps = { callback: { id: string; callback_url: string }; keys?: string };

/** Starts one callback's attempts anew, after asking. Queued is not delivered: the attempts say what came of it. */
export function ResendOne({ callback, keys }: ResendOneProps) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const toast = useToast();
  const [open, setOpen] = useState(false);
  useShortcut(keys ?? "", "Resend this callback", () => setOpen(true), keys !== undefined);
  const resend = useMutation(
    trpc.callbacks.resend.mutationOptions({
      onSuccess: () => {
        setOpen(false);
        toast("Queued", "The first attempt follows at once.");
      },
      onSettled: () => {
        void queries.invalidateQueries({ queryKey: trpc.callbacks.pathKey() });
        void queries.invalidateQueries({ queryKey: trpc.settlements.byId.queryKey() });
      },
    }),
  );
  return (
    <>
      <Button icon={RotateCw} onClick={() => setOpen(true)} aria-keyshortcuts={keys}>
        Resend
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title="Resend this callback" busy={resend.isPending}>
        <p>
          To <code className="url">{callback.callback_url}</code>
        </p>
        <ResendFacts />
        {resend.error && <Refused error={resend.error} />}
        <div className="dialog-buttons">
          <Button onClick={() => setOpen(false)}>Cancel</Button>
          <Button look="primary" pending={resend.isPending} onClick={() => resend.mutate({ id: callback.id })}>
            Resend
          </Button>
        </div>
      </Dialog>
    </>
  );
}
