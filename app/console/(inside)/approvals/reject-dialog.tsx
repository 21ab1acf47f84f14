import { type RefObject, useState } from "react";
import { TextArea } from "../../_components/controls/field.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { shortened } from "../../_components/controls/values.tsx";
import { DialogButtons } from "../../_components/dialogs/confirm-dialog.tsx";
import { Dialog } from "../../_components/dialogs/dialog.tsx";
import { Refused, useConfirmedMutation } from "../../_components/dialogs/use-confirmed-mutation.tsx";
import { Note } from "../../_components/frame/page-parts.tsx";
import { useTRPCClient } from "../../_trpc/client.tsx";
import { refusalOf } from "../../_trpc/refusal.ts";
import { Trans, useTranslations, type WithShared } from "../../_words/words.ts";
import type { Row } from "./answers.ts";
import { type Outcome, useRefreshDecisions } from "./approve-dialog.tsx";
import { DialogSummary } from "./approve-form.tsx";
import { DecidedAlready } from "./decided-already.tsx";
import { Recipient } from "./recipient.tsx";
import { useLookAtDecision } from "./use-look.ts";
import { useOpenDecision } from "./use-open-decision.ts";
import { useRiskHints } from "./use-risk-hints.ts";
import { REJECT_DIALOG } from "./words.ts";

type Translations = WithShared<typeof REJECT_DIALOG>;

const LEAST = 8;
const reasonsOf = (t: Translations) => [t.merchantUnverified, t.amountDoesNotFit, t.walletUnknown, t.partnerAsked];

type Props = {
  row: Row;
  open: boolean;
  onClose: () => void;
  onDecided?: ((outcome: Outcome) => void) | undefined;
  returnFocus?: RefObject<HTMLElement | null> | (() => HTMLElement | null);
};

/** Rejects with a reason that the partner can read. */
export function RejectDialog({ row, open, onClose, onDecided, returnFocus }: Props) {
  const t = useTranslations(REJECT_DIALOG);
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()} title={t.rejectSettlement} {...(returnFocus && { returnFocus })}>
      {open && <Reject row={row} onClose={onClose} onDecided={onDecided} />}
    </Dialog>
  );
}

type RejectProps = { row: Row; onClose: () => void; onDecided: Props["onDecided"] };

function Reject({ row: { settlement, amounts }, onClose, onDecided }: RejectProps) {
  const t = useTranslations(REJECT_DIALOG);
  const { approvals } = useTRPCClient();
  const { run, pending, error } = useConfirmedMutation(t.notRejected);
  const refresh = useRefreshDecisions(settlement.tx_id);
  const toast = useToast();
  const [text, setText] = useState("");
  const reason = text.trim();
  const look = useLookAtDecision();
  const { partner, isDecided } = useOpenDecision(settlement.tx_id);
  const hints = useRiskHints([settlement.tx_id]).get(settlement.tx_id);
  if (refusalOf(error)?.code === "invalid_state" || (isDecided && !pending))
    return <DecidedAlready txId={settlement.tx_id} typed={reason} />;
  const reject = () =>
    run(
      () => approvals.reject.mutate({ tx_id: settlement.tx_id, reason }).finally(refresh),
      (_, hasLeft) => {
        toast(t.rejected, t.cancelled(shortened(settlement.tx_id)));
        if (hasLeft) return;
        onDecided?.("rejected");
        onClose();
      },
    );
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        void reject();
      }}
    >
      <DialogSummary
        source={{ amount: amounts.source, currency: settlement.source_currency }}
        net={{ amount: amounts.net, currency: settlement.destination_currency }}
      />
      <Recipient
        partner={partner}
        merchant={settlement.external_merchant_id}
        wallet={settlement.wallet_address}
        chain={settlement.chain}
        hints={hints}
      />
      <fieldset className="chips reasons">
        <legend className="field-label">{t.commonReasons}</legend>
        {reasonsOf(t).map((common) => (
          <button key={common} type="button" className="chip" aria-pressed={reason === common} onClick={() => setText(common)}>
            {common}
          </button>
        ))}
      </fieldset>
      <TextArea
        label={t.reason}
        hint={t.reasonHint(LEAST)}
        maxLength={1_000}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <Note>
        <Trans sentence={t.consequence} state={<code>approval_state: rejected</code>} />
      </Note>
      {error !== null && <Refused error={error} look={() => look([settlement.tx_id])} />}
      <DialogButtons onCancel={onClose} cancel={t.close} isDanger pending={pending} ready={[...reason].length >= LEAST}>
        {t.rejectSettlement}
      </DialogButtons>
    </form>
  );
}
