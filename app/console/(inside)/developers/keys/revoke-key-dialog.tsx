import { useToast } from "../../../_components/controls/toast.tsx";
import { ConfirmDialog } from "../../../_components/dialogs/confirm-dialog.tsx";
import { useTRPCClient } from "../../../_trpc/client.tsx";
import { useTranslations } from "../../../_words/words.ts";
import type { Key } from "./answers.ts";
import { REVOKE_KEY_DIALOG } from "./words.ts";

type Props = { apiKey: Key; onClose: () => void; onRevoked: () => void };

/** Ends a key at once, by typing its name. */
export function RevokeKeyDialog({ apiKey: { id, name, last_four }, onClose, onRevoked }: Props) {
  const t = useTranslations(REVOKE_KEY_DIALOG);
  const client = useTRPCClient();
  const toast = useToast();
  return (
    <ConfirmDialog
      title={t.title(name)}
      description={t.means}
      typed={name}
      button={t.revokeKey}
      isDanger
      cancel={t.keepIt}
      mutation={() => client.developers.revokeKey.mutate({ id })}
      onDone={() => {
        toast(t.keyRevoked, `${name}, …${last_four}`);
        onRevoked();
      }}
      onClose={onClose}
    />
  );
}
