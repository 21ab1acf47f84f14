"use client";

import { useState } from "react";
import { Button } from "../../../_components/controls/button.tsx";
import { TextField } from "../../../_components/controls/field.tsx";
import { useToast } from "../../../_components/controls/toast.tsx";
import { Dialog } from "../../../_components/dialogs/dialog.tsx";
import { Refused } from "../../../_components/dialogs/refused.tsx";
import { useTRPCClient } from "../../../_trpc/client.ts";
import type { Key } from "./answers.ts";
import { useDeed } from "./use-deed.ts";

type Props = { key_: Key | null; onClose: () => void; onRevoked: () => void };

/** Ends a key at once, by typing its name. */
export function RevokeKeyDialog({ key_: key, onClose, onRevoked }: Props) {
  const [busy, setBusy] = useState(false);
  return (
    <Dialog
      open={key !== null}
      onOpenChange={(next) => !next && onClose()}
      title={key ? `Revoke “${key.name}”` : ""}
      description="It ends at once and for good, and with it every key that was rotated from it: every request with one of them is refused from now on."
      busy={busy}
    >
      {key && <RevokeKey apiKey={key} onClose={onClose} onRevoked={onRevoked} onBusy={setBusy} />}
    </Dialog>
  );
}

type RevokeProps = Omit<Props, "key_"> & { apiKey: Key; onBusy: (busy: boolean) => void };

function RevokeKey({ apiKey, onClose, onRevoked, onBusy }: RevokeProps) {
  const client = useTRPCClient();
  const toast = useToast();
  const deed = useDeed();
  const [typed, setTyped] = useState("");
  const isTyped = typed.trim() === apiKey.name.trim();
  const revoke = async () => {
    onBusy(true);
    await deed.run(
      () => client.developers.revokeKey.mutate({ id: apiKey.id }),
      () => {
        toast("Key revoked", `${apiKey.name}, …${apiKey.last_four}`);
        onRevoked();
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
        if (isTyped) void revoke();
      }}
    >
      {deed.error !== null && <Refused error={deed.error} />}
      <TextField
        label={`Type ${apiKey.name} to confirm`}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        autoComplete="off"
        spellCheck={false}
      />
      <div className="dialog-buttons">
        <Button onClick={onClose} disabled={deed.pending}>
          Keep it
        </Button>
        <Button type="submit" look="danger" pending={deed.pending} disabled={!isTyped}>
          Revoke key
        </Button>
      </div>
    </form>
  );
}
