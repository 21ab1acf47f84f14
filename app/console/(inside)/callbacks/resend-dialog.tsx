import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useToast } from "../../_components/controls/toast.tsx";
import { DeedForm } from "../../_components/dialogs/deed-dialog.tsx";
import { Dialog } from "../../_components/dialogs/dialog.tsx";
import { Note } from "../../_components/frame/page-parts.tsx";
import { Skeleton, Trouble } from "../../_components/lists/list-states.tsx";
import { useRefresh, useTRPC, useTRPCClient } from "../../_trpc/client.tsx";

/** Which undelivered callbacks are meant, in wire names. */
export type Selection = { callback_ids: string[] } | { partner_id?: string; cause?: string; origin?: string; since?: string };

/** What one must know before callbacks go out again. */
export function ResendFacts() {
  return (
    <>
      <p>Each starts its six attempts anew, with the same id and the same body.</p>
      <Note kind="warning">
        Receivers must de-duplicate on the callback's id (<code>webhook-id</code>): one that was received and not acknowledged comes again.
      </Note>
    </>
  );
}

type ResendDialogProps = { selection: Selection | null; onClose: () => void };

/** Asks before many are resent: how many, to whom. It then leads to the job, which goes on without the page. */
export function ResendDialog({ selection, onClose }: ResendDialogProps) {
  return (
    <Dialog open={selection !== null} onOpenChange={(open) => !open && onClose()} title="Resend callbacks">
      {selection && <Asking selection={selection} onClose={onClose} />}
    </Dialog>
  );
}

function Asking({ selection, onClose }: { selection: Selection; onClose: () => void }) {
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
      button={`Resend all (${count.toLocaleString("en")})`}
      onCancel={onClose}
      deed={() => callbacks.resendMany.mutate(selection)}
      onDone={({ id, count: queued, forbidden_origins: left }, hasLeft) => {
        toast("Queued", `${counted(queued)} to be resent${left.length > 0 ? `; left alone: ${left.join(", ")}` : ""}.`);
        refresh();
        if (!hasLeft) router.push(`/console/callbacks/resends/${id}`);
      }}
    >
      {count === 0 ? <p>None of these callbacks is undelivered now.</p> : <Receivers receivers={receivers} />}
      {count > 0 && <ResendFacts />}
    </DeedForm>
  );
}

function Receivers({ receivers }: { receivers: readonly { origin: string; count: number }[] }) {
  return (
    <ul className="receivers">
      {receivers.map(({ origin, count }) => (
        <li key={origin}>
          {counted(count)} to <code>{origin}</code>
        </li>
      ))}
    </ul>
  );
}

export function counted(count: number): string {
  return count === 1 ? "1 callback" : `${count.toLocaleString("en")} callbacks`;
}
