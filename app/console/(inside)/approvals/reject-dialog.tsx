"use client";

import { useMutation } from "@tanstack/react-query";
import { type RefObject, useRef, useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "../../_components/controls/button.tsx";
import { TextArea } from "../../_components/controls/field.tsx";
import { shortened } from "../../_components/controls/id.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { Dialog } from "../../_components/dialogs/dialog.tsx";
import { Refused } from "../../_components/dialogs/refused.tsx";
import { useStepUp } from "../../_components/dialogs/step-up.tsx";
import { useTRPC } from "../../_trpc/client.ts";
import { fateOf, sentenceOf } from "../../_trpc/no-answer.ts";
import { refusalOf } from "../../_trpc/refusal.ts";
import type { Row } from "./answers.ts";
import { type Outcome, useRefreshDecisions } from "./approve-dialog.tsx";
import { DialogSummary } from "./approve-form.tsx";
import { DecidedAlready } from "./decided-already.tsx";
import { useLeft, useLookAtDecision } from "./use-look.ts";

const LEAST = 8;
const REASONS = [
  "The merchant could not be verified.",
  "The amount does not fit the merchant's business.",
  "The wallet is not known for this merchant.",
  "The partner asked us to reject it.",
];

type Props = {
  row: Row;
  open: boolean;
  onClose: () => void;
  onDecided?: ((outcome: Outcome) => void) | undefined;
  returnFocus?: RefObject<HTMLElement | null> | (() => HTMLElement | null);
};

/** Rejecting: with a reason that the partner reads. */
export function RejectDialog({ row, open, onClose, onDecided, returnFocus }: Props) {
  const [busy, setBusy] = useState(false);
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title="Reject settlement"
      busy={busy}
      {...(returnFocus && { returnFocus })}
    >
      {open && <Reject row={row} onClose={onClose} onBusy={setBusy} onDecided={onDecided} />}
    </Dialog>
  );
}

type RejectProps = { row: Row; onClose: () => void; onBusy: (busy: boolean) => void; onDecided: Props["onDecided"] };

function Reject({ row: { settlement, amounts }, onClose, onBusy, onDecided }: RejectProps) {
  const trpc = useTRPC();
  const guarded = useStepUp();
  const refresh = useRefreshDecisions(settlement.tx_id);
  const toast = useToast();
  const { register, handleSubmit, watch, setValue } = useForm({ defaultValues: { reason: "" } });
  const reason = watch("reason").trim();
  // Two clicks within one rendering are one.
  const isSent = useRef(false);
  const left = useLeft();
  const look = useLookAtDecision();
  const { mutateAsync } = useMutation(trpc.approvals.reject.mutationOptions());
  const reject = useMutation({
    mutationFn: (input: Parameters<typeof mutateAsync>[0]) => guarded(() => mutateAsync(input)),
    onMutate: () => onBusy(true),
    onSuccess: () => {
      toast("Rejected", `${shortened(settlement.tx_id)} is cancelled.`);
      if (left.current) return;
      onDecided?.("rejected");
      onClose();
    },
    onError: (error) => left.current && fateOf(error) === "refused" && toast("Not rejected", sentenceOf(error)),
    onSettled: () => {
      isSent.current = false;
      onBusy(false);
      refresh();
    },
  });
  if (refusalOf(reject.error)?.code === "invalid_state") return <DecidedAlready txId={settlement.tx_id} />;
  const submit = handleSubmit(() => {
    if (isSent.current) return;
    isSent.current = true;
    reject.mutate({ tx_id: settlement.tx_id, reason });
  });
  return (
    <form className="form" onSubmit={(event) => void submit(event)}>
      <DialogSummary
        source={{ amount: amounts.source, currency: settlement.source_currency }}
        net={{ amount: amounts.net, currency: settlement.destination_currency }}
        merchant={settlement.external_merchant_id}
      />
      <fieldset className="chips reasons">
        <legend className="field-label">Common reasons</legend>
        {REASONS.map((text) => (
          <button key={text} type="button" className="chip" aria-pressed={reason === text} onClick={() => setValue("reason", text)}>
            {text}
          </button>
        ))}
      </fieldset>
      <TextArea label="Reason" hint={`The partner reads it; at least ${LEAST} characters.`} maxLength={1_000} {...register("reason")} />
      <p className="note">
        Cancels the settlement. No callback is sent; the partner sees <code>approval_state: rejected</code>.
      </p>
      {reject.error && <Refused error={reject.error} look={() => look([settlement.tx_id])} />}
      <div className="dialog-buttons">
        <Button onClick={onClose}>Keep waiting</Button>
        <Button
          type="submit"
          look="danger"
          pending={reject.isPending}
          disabled={[...reason].length < LEAST}
          aria-keyshortcuts="Control+Enter Meta+Enter"
        >
          Reject settlement
        </Button>
      </div>
    </form>
  );
}
