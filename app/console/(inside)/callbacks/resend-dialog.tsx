import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useToast } from "../../_components/controls/toast.tsx";
import { ConfirmForm } from "../../_components/dialogs/confirm-dialog.tsx";
import { Dialog } from "../../_components/dialogs/dialog.tsx";
import { Note } from "../../_components/frame/page-parts.tsx";
import { ErrorState, Skeleton } from "../../_components/lists/list-states.tsx";
import { useRefresh, useTRPC, useTRPCClient } from "../../_trpc/client.tsx";
import { Trans, useTranslations, type WithShared } from "../../_words/words.ts";
import { RESEND_DIALOG } from "./resend-words.ts";

type Translations = WithShared<typeof RESEND_DIALOG>;

/** The selected undelivered callbacks, in wire names. */
export type Selection = { callback_ids: string[] } | { partner_id?: string; cause?: string; origin?: string; since?: string };

/** What to know before a resend. */
export function ResendFacts() {
  const t = useTranslations(RESEND_DIALOG);
  return (
    <>
      <p>{t.means}</p>
      <Note kind="warning">
        <Trans sentence={t.receiversDeduplicate} code={<code>{t.webhookId}</code>} />
      </Note>
    </>
  );
}

type ResendDialogProps = { open: boolean; selection: Selection | null; onClose: () => void };

/** Confirms a bulk resend: how many, to which receivers. It then opens the job, which runs independently of the page. */
export function ResendDialog({ open, selection, onClose }: ResendDialogProps) {
  const t = useTranslations(RESEND_DIALOG);
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()} title={t.resendCallbacks}>
      {selection && <Asking selection={selection} onClose={onClose} />}
    </Dialog>
  );
}

function Asking({ selection, onClose }: { selection: Selection; onClose: () => void }) {
  const t = useTranslations(RESEND_DIALOG);
  const trpc = useTRPC();
  const { callbacks } = useTRPCClient();
  const refresh = useRefresh(trpc.callbacks.pathKey());
  const router = useRouter();
  const toast = useToast();
  const preview = useQuery(trpc.callbacks.previewResend.queryOptions(selection, { staleTime: 0 }));
  if (preview.isPending) return <Skeleton rows={2} />;
  if (!preview.data) return <ErrorState error={preview.error} onRetry={() => void preview.refetch()} compact />;
  const { count, receivers } = preview.data;
  return (
    <ConfirmForm
      ready={count > 0}
      button={t.resendAll(t.format.count(count))}
      onCancel={onClose}
      mutation={() => callbacks.resendMany.mutate(selection)}
      onDone={({ id, count: queued, forbidden_origins: left }, hasLeft) => {
        toast(t.queued, t.resent(counted(queued, t), left.length, left.join(", ")));
        refresh();
        if (!hasLeft) router.push(`/console/callbacks/resends/${id}`);
      }}
    >
      {count === 0 ? <p>{t.noneUndelivered}</p> : <Receivers receivers={receivers} />}
      {count > 0 && <ResendFacts />}
    </ConfirmForm>
  );
}

function Receivers({ receivers }: { receivers: readonly { origin: string; count: number }[] }) {
  const t = useTranslations(RESEND_DIALOG);
  return (
    <ul className="receivers">
      {receivers.map(({ origin, count }) => (
        <li key={origin}>
          <Trans sentence={t.to(counted(count, t))} origin={<code>{origin}</code>} />
        </li>
      ))}
    </ul>
  );
}

export function counted(count: number, t: Translations): string {
  return count === 1 ? t.oneCallback : t.callbacks(t.format.count(count));
}
