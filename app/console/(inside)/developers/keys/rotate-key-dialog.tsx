import { ConfirmDialog } from "../../../_components/dialogs/confirm-dialog.tsx";
import type { OneTimeSecret } from "../../../_components/dialogs/secret-once.tsx";
import { useTRPCClient } from "../../../_trpc/client.tsx";
import { useTranslations } from "../../../_words/words.ts";
import type { Key } from "./answers.ts";
import { keyOnce } from "./first-call.ts";
import { useOverlap } from "./overlap.tsx";
import { FIRST_CALL, ROTATE_KEY_DIALOG } from "./words.ts";

type Props = { apiKey: Key; onClose: () => void; onIssued: (secret: OneTimeSecret) => void };

/** Replaces an old key by a new one with the same rights. */
export function RotateKeyDialog({ apiKey: { id, name }, onClose, onIssued }: Props) {
  const t = useTranslations(ROTATE_KEY_DIALOG);
  const once = useTranslations(FIRST_CALL);
  const client = useTRPCClient();
  const { overlap, choice } = useOverlap();
  return (
    <ConfirmDialog
      title={t.title(name)}
      description={t.means}
      button={t.rotateKey}
      mutation={() => client.developers.rotateKey.mutate({ id, overlap_seconds: overlap })}
      onDone={(key) => onIssued(keyOnce(key, t.keyRotated(key.name), once))}
      onClose={onClose}
    >
      {choice}
    </ConfirmDialog>
  );
}
