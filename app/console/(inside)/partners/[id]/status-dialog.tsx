"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../../_components/controls/button.tsx";
import { TextArea, TextField } from "../../../_components/controls/field.tsx";
import { useToast } from "../../../_components/controls/toast.tsx";
import { Dialog } from "../../../_components/dialogs/dialog.tsx";
import { Refused } from "../../../_components/dialogs/refused.tsx";
import { useTRPC, useTRPCClient } from "../../../_trpc/client.ts";
import { useDeed } from "../../developers/keys/use-deed.ts";
import type { Partner } from "../answers.ts";

type Props = { partner: Partner | null; onClose: () => void };

/** Suspends a partner by typing its name, or lets it in again. */
export function StatusDialog({ partner, onClose }: Props) {
  const [busy, setBusy] = useState(false);
  const suspends = partner?.status === "active";
  return (
    <Dialog
      open={partner !== null}
      onOpenChange={(open) => !open && onClose()}
      title={partner ? `${suspends ? "Suspend" : "Let in again:"} ${partner.name}` : ""}
      description={
        suspends
          ? "Every request with its keys is refused from the next one on. What is under way runs to its end, and callbacks are still sent."
          : "Its keys work again from the next request on."
      }
      busy={busy}
    >
      {partner && <Change partner={partner} suspends={suspends} onClose={onClose} onBusy={setBusy} />}
    </Dialog>
  );
}

type ChangeProps = { partner: Partner; suspends: boolean; onClose: () => void; onBusy: (busy: boolean) => void };

function Change({ partner, suspends, onClose, onBusy }: ChangeProps) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const toast = useToast();
  const deed = useDeed();
  const [reason, setReason] = useState("");
  const [typed, setTyped] = useState("");
  const ready = reason.trim().length >= 8 && (!suspends || typed.trim() === partner.name.trim());
  const change = async () => {
    onBusy(true);
    const status = suspends ? ("suspended" as const) : ("active" as const);
    await deed.run(
      () => client.partners.setStatus.mutate({ partner_id: partner.id, status, reason: reason.trim() }),
      () => {
        toast(suspends ? "Partner suspended" : "Partner let in again", partner.name);
        void queries.invalidateQueries({ queryKey: trpc.partners.pathKey() });
        onClose();
      },
    );
    onBusy(false);
  };
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) void change();
      }}
    >
      {deed.error !== null && <Refused error={deed.error} />}
      <TextArea
        label="Reason"
        hint="At least eight characters; for the audit log"
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
      {suspends && (
        <TextField
          label={`Type ${partner.name} to confirm`}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      <div className="dialog-buttons">
        <Button onClick={onClose} disabled={deed.pending}>
          Cancel
        </Button>
        <Button type="submit" look={suspends ? "danger" : "primary"} pending={deed.pending} disabled={!ready}>
          {suspends ? "Suspend partner" : "Let in again"}
        </Button>
      </div>
    </form>
  );
}
