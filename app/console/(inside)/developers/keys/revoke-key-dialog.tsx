import { useToast } from "../../../_components/controls/toast.tsx";
import { DeedDialog } from "../../../_components/dialogs/deed-dialog.tsx";
import { useTRPCClient } from "../../../_trpc/client.tsx";
import type { Key } from "./answers.ts";

type Props = { apiKey: Key; onClose: () => void; onRevoked: () => void };

/** Ends a key at once, by typing its name. */
export function RevokeKeyDialog({ apiKey: { id, name, last_four }, onClose, onRevoked }: Props) {
  const client = useTRPCClient();
  const toast = useToast();
  return (
    <DeedDialog
      title={`Revoke “${name}”`}
      description="It ends at once and for good, and with it every key that was rotated from it: every request with one of them is refused from now on."
      typed={name}
      button="Revoke key"
      isDanger
      cancel="Keep it"
      deed={() => client.developers.revokeKey.mutate({ id })}
      onDone={() => {
        toast("Key revoked", `${name}, …${last_four}`);
        onRevoked();
      }}
      onClose={onClose}
    />
  );
}
