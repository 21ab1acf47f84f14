"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useRef, useState } from "react";
import { shortened } from "../../_components/controls/id.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { Dialog } from "../../_components/dialogs/dialog.tsx";
import { Refused } from "../../_components/dialogs/refused.tsx";
import { useStepUp } from "../../_components/dialogs/step-up.tsx";
import { Skeleton, Trouble } from "../../_components/lists/list-states.tsx";
import { grouped } from "../../_format/amount.ts";
import { useTRPC } from "../../_trpc/client.ts";
import { fateOf, sentenceOf } from "../../_trpc/no-answer.ts";
import { refusalOf } from "../../_trpc/refusal.ts";
import { ApproveForm, FRESH_MS } from "./approve-form.tsx";
import { DecidedAlready } from "./decided-already.tsx";
import { useLeft, useLookAtDecision } from "./use-look.ts";

/** What came of a dialog. `recorded`: the first of two approvals, it still waits. */
export type Outcome = "approved" | "recorded" | "rejected";

type Props = {
  txId: string;
  open: boolean;
  onClose: () => void;
  onDecided?: ((outcome: Outcome) => void) | undefined;
  returnFocus?: RefObject<HTMLElement | null> | (() => HTMLElement | null);
};

/**
 * Approving, with the price that it gives in sight. What is submitted is that price: when the rate has moved further than the
 * tolerance meanwhile, nothing is approved and the new price is shown.
 */
export function ApproveDialog({ txId, open, onClose, onDecided, returnFocus }: Props) {
  const [busy, setBusy] = useState(false);
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title="Approve settlement"
      width="wide"
      busy={busy}
      {...(returnFocus && { returnFocus })}
    >
      {open && <Approve txId={txId} onClose={onClose} onBusy={setBusy} onDecided={onDecided} />}
    </Dialog>
  );
}

type ApproveProps = {
  txId: string;
  onClose: () => void;
  onBusy: (busy: boolean) => void;
  onDecided: ((outcome: Outcome) => void) | undefined;
};

function Approve({ txId, onClose, onBusy, onDecided }: ApproveProps) {
  const trpc = useTRPC();
  const [isTyping, setIsTyping] = useState(false);
  const preview = useQuery(
    trpc.approvals.preview.queryOptions({ tx_id: txId }, { staleTime: 0, gcTime: 0, refetchInterval: isTyping ? false : FRESH_MS }),
  );
  const look = useLookAtDecision();
  /** Which price was looked at and ticked after a refusal. */
  const [acceptedAt, setAcceptedAt] = useState<string | null>(null);
  const onFailed = () => {
    setAcceptedAt(null);
    void preview.refetch();
  };
  const approve = useApprove({ txId, onDecided, onClose, onFailed });
  useEffect(() => onBusy(approve.isPending), [approve.isPending, onBusy]);
  const shown = preview.data;
  const refusal = refusalOf(approve.error) ?? refusalOf(preview.error);
  if (refusal?.code === "invalid_state") return <DecidedAlready txId={txId} />;
  if (preview.isPending) return <Skeleton rows={5} label="Pricing" />;
  if (!shown) return <Trouble error={preview.error} onRetry={() => void preview.refetch()} compact />;
  const submit = (note: string) => {
    if (shown.proposed === null) return;
    approve.send({ tx_id: txId, expected_exchange_rate: shown.proposed.exchange_rate, ...(note && { note }) });
  };
  const hasMoved = refusal?.code === "rate_moved";
  const price = shown.proposed?.destination_amount ?? null;
  const refused = approve.error && (
    <>
      <Refused error={approve.error} look={() => look([txId])}>
        {hasMoved && (
          <>
            <p className="state-title">Nothing was approved</p>
            <p>
              {refusal.detail} The tolerance is {shown.drift_tolerance_bps} bps.
            </p>
          </>
        )}
      </Refused>
      {hasMoved && price !== null && (
        <NewPrice
          price={`${grouped(price)} ${shown.settlement.destination_currency}`}
          accepted={acceptedAt === price}
          onAccept={(accept) => setAcceptedAt(accept ? price : null)}
        />
      )}
    </>
  );
  return (
    <ApproveForm
      preview={shown}
      readAt={preview.dataUpdatedAt}
      pending={approve.isPending}
      isHeld={isTyping}
      onTyping={setIsTyping}
      onSubmit={submit}
      onClose={onClose}
      refused={refused}
      mayCommit={!hasMoved || acceptedAt === price}
    />
  );
}

type ApproveWork = Pick<ApproveProps, "txId" | "onDecided" | "onClose"> & { onFailed: () => void };

/** The approval itself. Who has closed the dialog meanwhile is told in passing what came of it. */
function useApprove({ txId, onDecided, onClose, onFailed }: ApproveWork) {
  const trpc = useTRPC();
  const guarded = useStepUp();
  const refresh = useRefreshDecisions(txId);
  const toast = useToast();
  const left = useLeft();
  // Two clicks within one rendering are one.
  const isSent = useRef(false);
  const { mutateAsync } = useMutation(trpc.approvals.approve.mutationOptions());
  const { mutate, error, isPending } = useMutation({
    mutationFn: (input: Parameters<typeof mutateAsync>[0]) => guarded(() => mutateAsync(input)),
    onSuccess: ({ tx_id, approval_state }) => {
      const isLast = approval_state === "approved";
      if (isLast) toast("Approved", `${shortened(tx_id)} may be confirmed by the partner.`);
      else toast("First approval recorded", `${shortened(tx_id)} waits for a second person.`);
      if (left.current) return;
      onDecided?.(isLast ? "approved" : "recorded");
      onClose();
    },
    onError: (refused) => {
      if (!left.current) return onFailed();
      if (fateOf(refused) === "refused") toast("Nothing was approved", sentenceOf(refused));
    },
    onSettled: () => {
      isSent.current = false;
      refresh();
    },
  });
  const send = (input: Parameters<typeof mutateAsync>[0]) => {
    if (isSent.current) return;
    isSent.current = true;
    mutate(input);
  };
  return { send, error, isPending };
}

type NewPriceProps = { price: string; accepted: boolean; onAccept: (accept: boolean) => void };

/** A price that came in place of the one that was pressed is taken by an act of its own; each that follows it, again. */
function NewPrice({ price, accepted, onAccept }: NewPriceProps) {
  return (
    <label className="check">
      <input type="checkbox" checked={accepted} onChange={({ target }) => onAccept(target.checked)} />
      <span>
        I have read the new price: <strong>{price}</strong>
      </span>
    </label>
  );
}

/** What shows settlements that a decision has changed is read anew. */
export function useRefreshDecisions(txId?: string): () => void {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return () => {
    for (const queryKey of [
      trpc.approvals.list.queryKey(),
      trpc.approvals.counts.queryKey(),
      trpc.approvals.decided.queryKey(),
      trpc.settlements.tiles.queryKey(),
      ...(txId === undefined ? [] : [trpc.settlements.byId.queryKey({ tx_id: txId })]),
    ]) {
      void queries.invalidateQueries({ queryKey });
    }
  };
}
