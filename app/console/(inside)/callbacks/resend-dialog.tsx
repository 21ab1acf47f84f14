import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useToast } from "../../_components/controls/toast.tsx";
import { DeedForm } from "../../_components/dialogs/deed-dialog.tsx";
import { Dialog } from "../../_components/dialogs/dialog.tsx";
import { Note } from "../../_components/frame/page-parts.tsx";
import { Skeleton, Trouble } from "../../_components/lists/list-states.tsx";
import { useRefresh, useTRPC, useTRPCClient } from "../../_trpc/client.tsx";
import { Told } from "../../_words/told.tsx";
import { useWords } from "../../_words/words.ts";
import { RESEND_DIALOG } from "./resend-words.ts";

type Says = typeof RESEND_DIALOG;

/** Which undelivered callbacks are meant, in wire names. */
export type Selection = { callback_ids: string[] } | { partner_id?: string; cause?: string; origin?: string; since?: string };

/** What one must know before callbacks go out again. */
export function ResendFacts() {
  const says = useWords(RESEND_DIALOG);
  return (
    <>
      <p>{says.eachStartsIts}</p>
      <Note kind="warning">
        <Told sentence={says.receiversMustDe} code={<code>{says.webhookId}</code>} />
      </Note>
    </>
  );
}

type ResendDialogProps = { open: boolean; selection: Selection | null; onClose: () => void };

/** Asks before many are resent: how many, to whom. It then leads to the job, which goes on without the page. */
export function ResendDialog({ open, selection, onClose }: ResendDialogProps) {
  const says = useWords(RESEND_DIALOG);
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()} title={says.resendCallbacks}>
      {selection && <Asking selection={selection} onClose={onClose} />}
    </Dialog>
  );
}

function Asking({ selection, onClose }: { selection: Selection; onClose: () => void }) {
  const says = useWords(RESEND_DIALOG);
  const trpc = useTRPC();
  const { callbacks } = useTRPCClient();
  const refresh = useRefresh(trpc.callbacks.pathKey());
  const router = useRouter();
  const toast = useToast();
  const preview = useQuery(trpc.callbacks.previewResend.queryOptions(selection, { staleTime: 0 }));
  if (preview.isPending) return <Skeleton rows={2} />;
  if (!preview.data) return <Trouble error={preview.error} onRetry={() => void preview.refetch()} compact />;
  const { count, receivers } = preview.data;
  return (
    <DeedForm
      ready={count > 0}
      button={says.resendAll(count.toLocaleString("en"))}
      onCancel={onClose}
      deed={() => callbacks.resendMany.mutate(selection)}
      onDone={({ id, count: queued, forbidden_origins: left }, hasLeft) => {
        toast(says.queued, says.resent(counted(queued, says), left.length, left.join(", ")));
        refresh();
        if (!hasLeft) router.push(`/console/callbacks/resends/${id}`);
      }}
    >
      {count === 0 ? <p>{says.noneTheseCallbacks}</p> : <Receivers receivers={receivers} />}
      {count > 0 && <ResendFacts />}
    </DeedForm>
  );
}

function Receivers({ receivers }: { receivers: readonly { origin: string; count: number }[] }) {
  const says = useWords(RESEND_DIALOG);
  return (
    <ul className="receivers">
      {receivers.map(({ origin, count }) => (
        <li key={origin}>
          <Told sentence={says.to(counted(count, says))} origin={<code>{origin}</code>} />
        </li>
      ))}
    </ul>
  );
}

export function counted(count: number, says: Says): string {
  return count === 1 ? says.so1Callback : says.callbacks(count.toLocaleString("en"));
}
