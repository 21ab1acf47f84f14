import { useQuery } from "@tanstack/react-query";
import { useToast } from "../../../_components/controls/toast.tsx";
import { ConfirmDialog } from "../../../_components/dialogs/confirm-dialog.tsx";
import { ErrorState } from "../../../_components/lists/list-states.tsx";
import { useTRPC, useTRPCClient } from "../../../_trpc/client.tsx";
import { useTranslations } from "../../../_words/words.ts";
import type { Key } from "./answers.ts";
import { RevocationEffect } from "./key-effect.tsx";
import { REVOKE_KEY_DIALOG } from "./words.ts";

type Props = { apiKey: Key; onClose: () => void; onRevoked: () => void };

/** Ends a key at once, by typing its name. */
export function RevokeKeyDialog({ apiKey: { id, name, last_four }, onClose, onRevoked }: Props) {
  const t = useTranslations(REVOKE_KEY_DIALOG);
  const client = useTRPCClient();
  const toast = useToast();
  const trpc = useTRPC();
  const ends = useQuery(trpc.developers.revocation.queryOptions({ id }, { staleTime: 0 }));
  const others = ends.data?.filter((key) => key.id !== id) ?? [];
  return (
    <ConfirmDialog
      title={t.title(name)}
      description={t.means}
      typed={name}
      ready={ends.isSuccess}
      button={t.revokeKey}
      isDanger
      cancel={t.keepIt}
      mutation={() => client.developers.revokeKey.mutate({ id })}
      onDone={({ ended }) => {
        toast(t.keyRevoked, ended.length > 1 ? t.withOthers(name, ended.length - 1) : `${name}, …${last_four}`);
        onRevoked();
      }}
      onClose={onClose}
    >
      {ends.error && <ErrorState error={ends.error} compact onRetry={() => void ends.refetch()} />}
      <RevocationEffect id={id} />
      {others.length > 0 && (
        <section aria-label={t.alsoEnd}>
          <p className="field-label">{t.alsoEnd}</p>
          <ul>
            {others.map((key) => (
              <li key={key.id}>
                <span translate="no">{`${key.name}, …${key.last_four}`}</span>{" "}
                <span className="muted">{key.rotated_from === null ? t.madeWithIt : t.rotated}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </ConfirmDialog>
  );
}
