import { DeedDialog } from "../../../_components/dialogs/deed-dialog.tsx";
import type { OneTimeSecret } from "../../../_components/dialogs/secret-once.tsx";
import { useTRPCClient } from "../../../_trpc/client.tsx";
import type { Key } from "./answers.ts";
import { keyOnce } from "./first-call.ts";
import { useOverlap } from "./overlap.tsx";

type Props = { apiKey: Key; onClose: () => void; onIssued: (secret: OneTimeSecret) => void };

/** A new key with the same rights in the place of an old one. */
export function RotateKeyDialog({ apiKey: { id, name }, onClose, onIssued }: Props) {
  const client = useTRPCClient();
  const { overlap, choice } = useOverlap();
  return (
    <DeedDialog
      title={`Rotate “${name}”`}
      description="Creates a key with the same name, scopes, addresses and end. A key has one successor at a time; revoking it ends its successors too."
      button="Rotate key"
      deed={() => client.developers.rotateKey.mutate({ id, overlap_seconds: overlap })}
      onDone={(key) => onIssued(keyOnce(key, `Key “${key.name}” rotated`))}
      onClose={onClose}
    >
      {choice}
    </DeedDialog>
  );
}
