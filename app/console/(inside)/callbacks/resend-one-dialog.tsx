import { useToast } from "../../_components/controls/toast.tsx";
import { ConfirmDialog } from "../../_components/dialogs/confirm-dialog.tsx";
import { useRefresh, useTRPC, useTRPCClient } from "../../_trpc/client.tsx";
import { Trans, useTranslations } from "../../_words/words.ts";
import { ResendFacts } from "./resend-dialog.tsx";
import { RESEND_ONE } from "./words.ts";

type Props = { callback: { id: string; callback_url: string }; onClose: () => void };

/** Confirms the resend of one callback. */
export function ResendOneDialog({ callback, onClose }: Props) {
  const t = useTranslations(RESEND_ONE);
  const trpc = useTRPC();
  const client = useTRPCClient();
  const toast = useToast();
  const refresh = useRefresh(trpc.callbacks.pathKey(), trpc.settlements.byId.queryKey());
  return (
    <ConfirmDialog
      title={t.title}
      button={t.resend}
      mutation={() => client.callbacks.resend.mutate({ id: callback.id }).finally(refresh)}
      onDone={() => toast(t.queued, t.firstAttemptFollows)}
      onClose={onClose}
    >
      <p>
        <Trans sentence={t.to} url={<code className="url">{callback.callback_url}</code>} />
      </p>
      <ResendFacts />
    </ConfirmDialog>
  );
}
