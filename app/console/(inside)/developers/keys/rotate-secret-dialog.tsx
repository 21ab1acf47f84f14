import { DeedDialog } from "../../../_components/dialogs/deed-dialog.tsx";
import type { OneTimeSecret } from "../../../_components/dialogs/secret-once.tsx";
import { useTRPCClient } from "../../../_trpc/client.tsx";
import { useWords } from "../../../_words/words.ts";
import { useOverlap } from "./overlap.tsx";
import { CALLBACK_SECRET } from "./words.ts";

type RotateProps = { partnerId: string; onClose: () => void; onIssued: (secret: OneTimeSecret) => void };

/** Asks before the secret is rotated, and for how long the one before still counts. */
export function RotateSecretDialog({ partnerId, onClose, onIssued }: RotateProps) {
  const says = useWords(CALLBACK_SECRET);
  const client = useTRPCClient();
  const { overlap, choice } = useOverlap();
  return (
    <DeedDialog
      title={says.rotateTitle}
      description={says.rotateMeans}
      button={says.rotateSecret}
      deed={() => client.developers.rotateCallbackSecret.mutate({ partner_id: partnerId, overlap_seconds: overlap })}
      onDone={({ callback_secret: value }) =>
        onIssued({
          title: says.rotated,
          values: [{ label: says.callbackSecret, variable: "CALLBACK_SECRET", value }],
          file: "callback-secret",
        })
      }
      onClose={onClose}
    >
      {choice}
    </DeedDialog>
  );
}
