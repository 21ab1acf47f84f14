import { useQuery } from "@tanstack/react-query";
import { type RefObject, useState } from "react";
import { useToast } from "../../_components/controls/toast.tsx";
import { shortened, Time } from "../../_components/controls/values.tsx";
import { Dialog } from "../../_components/dialogs/dialog.tsx";
import { Refused, useConfirmedMutation } from "../../_components/dialogs/use-confirmed-mutation.tsx";
import { ErrorState, Skeleton } from "../../_components/lists/list-states.tsx";
import { grouped } from "../../_format/amount.ts";
import { useRefresh, useTRPC, useTRPCClient } from "../../_trpc/client.tsx";
import { refusalOf } from "../../_trpc/refusal.ts";
import { Trans, useTranslations } from "../../_words/words.ts";
import { ApproveForm, FRESH_MS } from "./approve-form.tsx";
import { DecidedAlready } from "./decided-already.tsx";
import { useLookAtDecision } from "./use-look.ts";
import { useOpenDecision } from "./use-open-decision.ts";
import { useRiskHints } from "./use-risk-hints.ts";
import { APPROVE_DIALOG } from "./words.ts";

/** The outcome of a dialog. `recorded`: more approvals are needed, it still waits. */
export type Outcome = "approved" | "recorded" | "rejected";

type Props = {
  txId: string;
  open: boolean;
  onClose: () => void;
  onDecided?: ((outcome: Outcome) => void) | undefined;
  returnFocus?: RefObject<HTMLElement | null> | (() => HTMLElement | null);
};

/**
 * Approves at the price shown. The command carries that price: if the rate has moved beyond the tolerance, nothing is approved and the new
 * price is shown.
 */
export function ApproveDialog({ txId, open, onClose, onDecided, returnFocus }: Props) {
  const t = useTranslations(APPROVE_DIALOG);
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()} title={t.title} width="wide" {...(returnFocus && { returnFocus })}>
      {open && <Approve txId={txId} onClose={onClose} onDecided={onDecided} />}
    </Dialog>
  );
}

type ApproveProps = {
  txId: string;
  onClose: () => void;
  onDecided: ((outcome: Outcome) => void) | undefined;
};

function Approve({ txId, onClose, onDecided }: ApproveProps) {
  const t = useTranslations(APPROVE_DIALOG);
  const trpc = useTRPC();
  const [isTyping, setIsTyping] = useState(false);
  const preview = useQuery(
    trpc.approvals.preview.queryOptions({ tx_id: txId }, { staleTime: 0, gcTime: 0, refetchInterval: isTyping ? false : FRESH_MS }),
  );
  const look = useLookAtDecision();
  /** The price that the user read and ticked after a refusal. */
  const [acceptedAt, setAcceptedAt] = useState<string | null>(null);
  const [failedAt, setFailedAt] = useState(0);
  const [note, setNote] = useState("");
  const { partner, isDecided } = useOpenDecision(txId);
  const hints = useRiskHints([txId]).get(txId);
  const onFailed = () => {
    setAcceptedAt(null);
    setFailedAt(Date.now());
    void preview.refetch();
  };
  const approve = useApprove({ txId, onDecided, onClose, onFailed });
  const shown = preview.data;
  const refusal = refusalOf(approve.error) ?? refusalOf(preview.error);
  if (refusal?.code === "invalid_state" || (isDecided && !approve.pending)) return <DecidedAlready txId={txId} typed={note} />;
  if (preview.isPending) return <Skeleton rows={5} label={t.pricing} />;
  if (!shown) return <ErrorState error={preview.error} onRetry={() => void preview.refetch()} compact />;
  const submit = () => {
    if (shown.proposed === null) return;
    const trimmed = note.trim();
    approve.send({ tx_id: txId, expected_exchange_rate: shown.proposed.exchange_rate, ...(trimmed && { note: trimmed }) });
  };
  const hasMoved = refusal?.code === "rate_moved";
  const price = shown.proposed?.destination_amount ?? null;
  const refused = approve.error !== null && (
    <>
      <Refused error={approve.error} look={() => look([txId])}>
        {hasMoved ? (
          <>
            <p className="state-title">
              <Trans sentence={t.nothingApprovedAt} time={<Time at={new Date(failedAt).toISOString()} form="absolute" />} />
            </p>
            <p>{t.priceMoved(refusal.detail, shown.drift_tolerance_bps)}</p>
          </>
        ) : undefined}
      </Refused>
      {hasMoved && price !== null && preview.dataUpdatedAt > failedAt && (
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
      partner={partner}
      hints={hints}
      note={note}
      onNote={setNote}
      readAt={preview.dataUpdatedAt}
      pending={approve.pending}
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
type Approval = { tx_id: string; expected_exchange_rate: string; note?: string };

/** The approval itself. If the dialog was closed meanwhile, a toast reports the outcome. */
function useApprove({ txId, onDecided, onClose, onFailed }: ApproveWork) {
  const t = useTranslations(APPROVE_DIALOG);
  const { approvals } = useTRPCClient();
  const refresh = useRefreshDecisions(txId);
  const toast = useToast();
  const { run, pending, error } = useConfirmedMutation(t.nothingApproved);
  const approve = async (input: Approval) => {
    try {
      return await approvals.approve.mutate(input);
    } catch (refused) {
      onFailed();
      throw refused;
    } finally {
      refresh();
    }
  };
  const send = (input: Approval) =>
    void run(
      () => approve(input),
      ({ tx_id, approval_state }, hasLeft) => {
        const isLast = approval_state === "approved";
        if (isLast) toast(t.approved, t.partnerCanConfirm(shortened(tx_id)));
        else toast(t.approvalRecorded, t.awaitsSecond(shortened(tx_id)));
        if (hasLeft) return;
        onDecided?.(isLast ? "approved" : "recorded");
        onClose();
      },
    );
  return { send, error, pending };
}

type NewPriceProps = { price: string; accepted: boolean; onAccept: (accept: boolean) => void };

/** A price that replaced the submitted one must be accepted separately, and so must each later one. */
function NewPrice({ price, accepted, onAccept }: NewPriceProps) {
  const t = useTranslations(APPROVE_DIALOG);
  return (
    <label className="check">
      <input type="checkbox" checked={accepted} onChange={({ target }) => onAccept(target.checked)} />
      <span>
        <Trans sentence={t.newPriceRead} price={<strong>{price}</strong>} />
      </span>
    </label>
  );
}

/** Refetches everything that shows the decided settlements. */
export function useRefreshDecisions(txId?: string): () => void {
  const { approvals, settlements } = useTRPC();
  const one = txId === undefined ? [] : [settlements.byId.queryKey({ tx_id: txId })];
  return useRefresh(
    approvals.list.queryKey(),
    approvals.counts.queryKey(),
    approvals.decided.queryKey(),
    settlements.tiles.queryKey(),
    ...one,
  );
}
