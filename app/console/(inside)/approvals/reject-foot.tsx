import { TextArea } from "../../_components/controls/field.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { shortened } from "../../_components/controls/values.tsx";
import { DialogButtons } from "../../_components/dialogs/confirm-dialog.tsx";
import { Refused, useConfirmedMutation } from "../../_components/dialogs/use-confirmed-mutation.tsx";
import { useTRPCClient } from "../../_trpc/client.tsx";
import { refusalOf } from "../../_trpc/refusal.ts";
import { Trans, useTranslations, type WithShared } from "../../_words/words.ts";
import { DecidedAlready } from "./decided-already.tsx";
import { FootForm, type FootProps, useRefreshDecisions } from "./foot-parts.tsx";
import { REJECT_FOOT } from "./foot-words.ts";
import { useLookAtDecision } from "./use-look.ts";

type Translations = WithShared<typeof REJECT_FOOT>;

const LEAST = 8;
const reasonsOf = (t: Translations) => [t.merchantUnverified, t.amountDoesNotFit, t.walletUnknown, t.partnerAsked];

/** Rejects with a reason that the partner can read. */
export function RejectFoot({ id, draft, change, isDecided, onClose, onDecided }: FootProps) {
  const t = useTranslations(REJECT_FOOT);
  const { approvals } = useTRPCClient();
  const { run, pending, error } = useConfirmedMutation(t.notRejected);
  const refresh = useRefreshDecisions(id);
  const toast = useToast();
  const reason = draft.reason.trim();
  const look = useLookAtDecision();
  if (refusalOf(error)?.code === "invalid_state" || (isDecided && !pending)) {
    return <DecidedAlready txId={id} typed={reason} onClose={onClose} />;
  }
  const isReady = [...reason].length >= LEAST;
  const reject = () =>
    void run(
      () => approvals.reject.mutate({ tx_id: id, reason }).finally(refresh),
      (_, hasLeft) => {
        toast(t.rejected, t.cancelled(shortened(id)));
        onDecided("rejected", hasLeft);
      },
    );
  return (
    <FootForm label={t.rejectSettlement} mayCommit={isReady} onSubmit={reject}>
      <fieldset className="chips reasons">
        <legend className="field-label">{t.commonReasons}</legend>
        {reasonsOf(t).map((common) => (
          <button key={common} type="button" className="chip" aria-pressed={reason === common} onClick={() => change({ reason: common })}>
            {common}
          </button>
        ))}
      </fieldset>
      <TextArea
        label={t.reason}
        hint={t.reasonHint(LEAST)}
        rows={2}
        maxLength={1_000}
        value={draft.reason}
        onChange={({ target }) => change({ reason: target.value })}
      />
      <p className="small muted">
        <Trans sentence={t.consequence} state={<code>approval_state: rejected</code>} />
      </p>
      {error !== null && <Refused error={error} look={() => look([id])} />}
      <DialogButtons onCancel={onClose} cancel={t.close} isDanger pending={pending} ready={isReady}>
        {t.rejectSettlement}
      </DialogButtons>
    </FootForm>
  );
}
