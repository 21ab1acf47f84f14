import { ConfirmDialog } from "../../../_components/dialogs/confirm-dialog.tsx";
import type { OneTimeSecret } from "../../../_components/dialogs/secret-once.tsx";
import { useTRPCClient } from "../../../_trpc/client.tsx";
import { useTranslations } from "../../../_words/words.ts";
import { useOverlap } from "./overlap.tsx";
import { CALLBACK_SECRET } from "./words.ts";

type RotateProps = { partnerId: string; onClose: () => void; onIssued: (secret: OneTimeSecret) => void };

/** Confirms the rotation of the secret, and asks how long the old one stays valid. */
export function RotateSecretDialog({ partnerId, onClose, onIssued }: RotateProps) {
  const t = useTranslations(CALLBACK_SECRET);
  const client = useTRPCClient();
  const { overlap, choice } = useOverlap();
  return (
    <ConfirmDialog
      title={t.rotateTitle}
      description={t.rotateMeans}
      button={t.rotateSecret}
      mutation={() => client.developers.rotateCallbackSecret.mutate({ partner_id: partnerId, overlap_seconds: overlap })}
      onDone={({ callback_secret: value }) =>
        onIssued({
          title: t.rotated,
          values: [{ label: t.callbackSecret, variable: "CALLBACK_SECRET", value }],
          file: "callback-secret",
        })
      }
      onClose={onClose}
    >
      {choice}
    </ConfirmDialog>
  );
}
