import { TextArea, TextField } from "../../_components/controls/field.tsx";
import { DialogButtons } from "../../_components/dialogs/confirm-dialog.tsx";
import { Refused, useConfirmedMutation } from "../../_components/dialogs/use-confirmed-mutation.tsx";
import { Note } from "../../_components/frame/page-parts.tsx";
import { useTRPCClient } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import type { WaitingBatch } from "./answers.ts";
import type { Counts } from "./batch-items.tsx";
import { BATCH_PANEL } from "./batch-words.ts";
import { FootForm, type What } from "./foot-parts.tsx";
import type { useDraft } from "./use-draft.ts";

const LEAST_REASON = 8;

type BatchFootProps = Pick<ReturnType<typeof useDraft>, "draft" | "change"> & {
  batch: WaitingBatch;
  what: What;
  counts: Counts | null;
  missing: number | null;
  isDecided: boolean;
  onClose: () => void;
  onDecided: (what: string, hasLeft: boolean) => void;
};

/** One approval or rejection of all items of a batch, at the sums and with the warnings that were seen. */
export function BatchFoot({ batch, what, counts, missing, isDecided, draft, change, onClose, onDecided }: BatchFootProps) {
  const t = useTranslations(BATCH_PANEL);
  const { approvals } = useTRPCClient();
  const { run, pending, error } = useConfirmedMutation(t.notDecided);
  const { batch_id, expected_total: expected, approvals_needed: needed } = batch;
  const isRejecting = what === "reject";
  const [reason, note] = [draft.reason.trim(), draft.note.trim()];
  const done = (title: string) => (_: unknown, hasLeft: boolean) => onDecided(title, hasLeft);
  const approve = () => {
    if (expected === null || counts === null) return;
    const acknowledged_hints = Object.fromEntries([...counts].filter(([kind]) => draft.ticked.includes(kind)));
    const command = { batch_id, expected_total: expected, acknowledged_hints, ...(note && { note }) };
    void run(() => approvals.approveBatch.mutate(command), done(t.approved));
  };
  const reject = () => void run(() => approvals.rejectBatch.mutate({ batch_id, reason }), done(t.rejected));
  const isProven = needed < 2 || draft.amount.trim() === batch.external_batch_id;
  const isOver = isDecided && !pending;
  const mayApprove = expected !== null && missing === 0 && isProven && !batch.waits_for_others;
  const isReady = !isOver && (isRejecting ? [...reason].length >= LEAST_REASON : mayApprove);
  const count = batch.item_count;
  return (
    <FootForm label={isRejecting ? t.reject : t.approve} mayCommit={isReady} onSubmit={isRejecting ? reject : approve}>
      {isRejecting ? (
        <TextArea
          label={t.reason}
          hint={t.reasonHint(LEAST_REASON)}
          rows={2}
          maxLength={1_000}
          value={draft.reason}
          onChange={({ target }) => change({ reason: target.value })}
        />
      ) : (
        <>
          {needed > 1 && (
            <TextField
              label={t.typeReference(batch.external_batch_id)}
              value={draft.amount}
              onChange={({ target }) => change({ amount: target.value })}
            />
          )}
          <TextField
            label={t.note}
            hideLabel
            placeholder={t.note}
            maxLength={1_000}
            value={draft.note}
            onChange={({ target }) => change({ note: target.value })}
          />
        </>
      )}
      {isOver ? <Note kind="warning">{t.isDecided}</Note> : <p className="small muted">{isRejecting ? t.rejects : t.approves}</p>}
      {error !== null && <Refused error={error} />}
      {!isRejecting && missing !== null && missing > 0 && <p className="small foot-missing">{t.toAcknowledge(missing)}</p>}
      <DialogButtons onCancel={onClose} cancel={t.close} isDanger={isRejecting} pending={pending} ready={isReady}>
        {isRejecting ? t.rejectAll(count) : t.approveAll(count)}
      </DialogButtons>
    </FootForm>
  );
}
