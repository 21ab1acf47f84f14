import { useState } from "react";
import { TextField } from "../../../_components/controls/field.tsx";
import { useToast } from "../../../_components/controls/toast.tsx";
import { ConfirmDialog } from "../../../_components/dialogs/confirm-dialog.tsx";
import { useTRPCClient } from "../../../_trpc/client.tsx";
import { Trans, useTranslations } from "../../../_words/words.ts";
import type { Destination } from "./answers.ts";
import { CHANGE_DESTINATION } from "./words.ts";

type Props = { destination: Destination; onClose: () => void; onChanged: () => void };

const Url = ({ url }: Destination) => (
  <code className="url" translate="no">
    {url}
  </code>
);

/** Confirms that waiting events may go to the address again. */
export function ResumeDialog({ destination, onClose, onChanged }: Props) {
  const t = useTranslations(CHANGE_DESTINATION);
  const client = useTRPCClient();
  return (
    <ConfirmDialog
      title={t.resumeTitle}
      button={t.resume}
      mutation={() => client.eventDestinations.resume.mutate({ id: destination.id }).finally(onChanged)}
      onDone={() => {}}
      onClose={onClose}
    >
      <p>
        <Trans sentence={t.resumeMeans} url={<Url {...destination} />} />
      </p>
    </ConfirmDialog>
  );
}

/** Confirms the end of a destination. */
export function DeleteDialog({ destination, onClose, onChanged }: Props) {
  const t = useTranslations(CHANGE_DESTINATION);
  const client = useTRPCClient();
  return (
    <ConfirmDialog
      title={t.deleteTitle}
      button={t.delete}
      isDanger
      mutation={() => client.eventDestinations.remove.mutate({ id: destination.id }).finally(onChanged)}
      onDone={() => {}}
      onClose={onClose}
    >
      <p>
        <Trans sentence={t.deleteMeans} url={<Url {...destination} />} />
      </p>
    </ConfirmDialog>
  );
}

/** Asks from when on events are sent again. */
export function ReplayDialog({ destination, onClose, onChanged }: Props) {
  const t = useTranslations(CHANGE_DESTINATION);
  const client = useTRPCClient();
  const toast = useToast();
  const [from, setFrom] = useState("");
  return (
    <ConfirmDialog
      title={t.replayTitle}
      button={t.replay}
      ready={from !== ""}
      mutation={() => client.eventDestinations.replay.mutate({ id: destination.id, from: `${from}:00Z` }).finally(onChanged)}
      onDone={() => toast(t.replayed, t.replayedMeans)}
      onClose={onClose}
    >
      <p>
        <Trans sentence={t.replayMeans} url={<Url {...destination} />} />
      </p>
      <TextField label={t.from} type="datetime-local" value={from} onChange={({ target }) => setFrom(target.value)} />
    </ConfirmDialog>
  );
}
