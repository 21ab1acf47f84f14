import { useToast } from "../../_components/controls/toast.tsx";
import { DeedDialog } from "../../_components/dialogs/deed-dialog.tsx";
import { useRefresh, useTRPC, useTRPCClient } from "../../_trpc/client.tsx";
import { Told } from "../../_words/told.tsx";
import { useWords } from "../../_words/words.ts";
import { ResendFacts } from "./resend-dialog.tsx";
import { RESEND_ONE } from "./words.ts";

type Props = { callback: { id: string; callback_url: string }; onClose: () => void };

/** Asks before one callback's attempts begin anew. */
export function ResendOneDialog({ callback, onClose }: Props) {
  const says = useWords(RESEND_ONE);
  const trpc = useTRPC();
  const client = useTRPCClient();
  const toast = useToast();
  const refresh = useRefresh(trpc.callbacks.pathKey(), trpc.settlements.byId.queryKey());
  return (
    <DeedDialog
      title={says.resendCallback}
      button={says.resend}
      deed={() => client.callbacks.resend.mutate({ id: callback.id }).finally(refresh)}
      onDone={() => toast(says.queued, says.firstAttemptFollows)}
      onClose={onClose}
    >
      <p>
        <Told sentence={says.to} url={<code className="url">{callback.callback_url}</code>} />
      </p>
      <ResendFacts />
    </DeedDialog>
  );
}
