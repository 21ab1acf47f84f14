"use client";

import { useState } from "react";
import { Button } from "../../../_components/controls/button.tsx";
import { Dialog } from "../../../_components/dialogs/dialog.tsx";
import { Refused } from "../../../_components/dialogs/refused.tsx";
import type { OneTimeSecret } from "../../../_components/dialogs/secret-once.tsx";
import { useTRPCClient } from "../../../_trpc/client.ts";
import type { Key } from "./answers.ts";
import { keyOnce } from "./first-call.ts";
import { useOverlap } from "./overlap.tsx";
import { useDeed } from "./use-deed.ts";

type Props = { key_: Key | null; onClose: () => void; onIssued: (secret: OneTimeSecret) => void };

/** A new key with the same rights in the place of an old one. */
export function RotateKeyDialog({ key_: key, onClose, onIssued }: Props) {
  const [busy, setBusy] = useState(false);
  return (
    <Dialog
      open={key !== null}
      onOpenChange={(next) => !next && onClose()}
      title={key ? `Rotate “${key.name}”` : ""}
      description="Creates a key with the same name, scopes, addresses and end. A key has one successor at a time; revoking it ends its successors too."
      busy={busy}
    >
      {key && <RotateKey apiKey={key} onClose={onClose} onIssued={onIssued} onBusy={setBusy} />}
    </Dialog>
  );
}

type RotateProps = Omit<Props, "key_"> & { apiKey: Key; onBusy: (busy: boolean) => void };

function RotateKey({ apiKey, onClose, onIssued, onBusy }: RotateProps) {
  const client = useTRPCClient();
  const deed = useDeed();
  const { overlap, choice } = useOverlap();
  const rotate = async () => {
    onBusy(true);
    await deed.run(
      () => client.developers.rotateKey.mutate({ id: apiKey.id, overlap_seconds: overlap }),
      (key) => onIssued(keyOnce(key, `Key “${key.name}” rotated`)),
    );
    onBusy(false);
  };
  return (
    <>
      {deed.error !== null && <Refused error={deed.error} />}
      {choice}
      <div className="dialog-buttons">
        <Button onClick={onClose} disabled={deed.pending}>
          Cancel
        </Button>
        <Button look="primary" pending={deed.pending} onClick={() => void rotate()}>
          Rotate key
        </Button>
      </div>
    </>
  );
}
