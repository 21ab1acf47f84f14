import { useToast } from "../../../_components/controls/toast.tsx";
import { DeedDialog } from "../../../_components/dialogs/deed-dialog.tsx";
import { useTRPCClient } from "../../../_trpc/client.tsx";
import { useWords } from "../../../_words/words.ts";
import type { Key } from "./answers.ts";
import { REVOKE_KEY_DIALOG } from "./words.ts";

type Props = { apiKey: Key; onClose: () => void; onRevoked: () => void };

/** Ends a key at once, by typing its name. */
export function RevokeKeyDialog({ apiKey: { id, name, last_four }, onClose, onRevoked }: Props) {
  const says = useWords(REVOKE_KEY_DIALOG);
  const client = useTRPCClient();
  const toast = useToast();
  return (
    <DeedDialog
      title={says.title(name)}
      description={says.means}
      typed={name}
      button={says.revokeKey}
      isDanger
      cancel={says.keepIt}
      deed={() => client.developers.revokeKey.mutate({ id })}
      onDone={() => {
        toast(says.keyRevoked, `${name}, …${last_four}`);
        onRevoked();
      }}
      onClose={onClose}
    />
  );
}
