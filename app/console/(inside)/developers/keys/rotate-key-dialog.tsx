import { DeedDialog } from "../../../_components/dialogs/deed-dialog.tsx";
import type { OneTimeSecret } from "../../../_components/dialogs/secret-once.tsx";
import { useTRPCClient } from "../../../_trpc/client.tsx";
import { useWords } from "../../../_words/words.ts";
import type { Key } from "./answers.ts";
import { keyOnce } from "./first-call.ts";
import { useOverlap } from "./overlap.tsx";
import { FIRST_CALL, ROTATE_KEY_DIALOG } from "./words.ts";

type Props = { apiKey: Key; onClose: () => void; onIssued: (secret: OneTimeSecret) => void };

/** A new key with the same rights in the place of an old one. */
export function RotateKeyDialog({ apiKey: { id, name }, onClose, onIssued }: Props) {
  const says = useWords(ROTATE_KEY_DIALOG);
  const once = useWords(FIRST_CALL);
  const client = useTRPCClient();
  const { overlap, choice } = useOverlap();
  return (
    <DeedDialog
      title={says.title(name)}
      description={says.means}
      button={says.rotateKey}
      deed={() => client.developers.rotateKey.mutate({ id, overlap_seconds: overlap })}
      onDone={(key) => onIssued(keyOnce(key, says.keyRotated(key.name), once))}
      onClose={onClose}
    >
      {choice}
    </DeedDialog>
  );
}
