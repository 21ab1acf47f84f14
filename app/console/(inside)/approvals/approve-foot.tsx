import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import { TextField } from "../../_components/controls/field.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { shortened, Time } from "../../_components/controls/values.tsx";
import { DialogButtons } from "../../_components/dialogs/confirm-dialog.tsx";
import { Refused, useConfirmedMutation } from "../../_components/dialogs/use-confirmed-mutation.tsx";
import { ErrorState, Skeleton } from "../../_components/lists/list-states.tsx";
import { useTRPCClient } from "../../_trpc/client.tsx";
import { refusalOf } from "../../_trpc/refusal.ts";
import { Trans, useTranslations } from "../../_words/words.ts";
import { isSameAmount } from "./amounts.ts";
import type { Hint, Preview } from "./answers.ts";
import { DecidedAlready } from "./decided-already.tsx";
import { FootForm, type FootProps, Freshness, useRefreshDecisions } from "./foot-parts.tsx";
import { APPROVE_FOOT } from "./foot-words.ts";
import { useLookAtDecision } from "./use-look.ts";

type Props = FootProps & {
  preview: UseQueryResult<Preview, object>;
  hints: readonly Hint[] | undefined;
  /** How many hints are not acknowledged yet; null: they are not read yet. */
  missing: number | null;
};

/**
 * Approves at the price shown, with the hints that were acknowledged. The command carries both: if the rate has moved beyond the tolerance,
 * or a hint is missing, nothing is approved.
 */
export function ApproveFoot({ id, draft, change, isDecided, onClose, onDecided, preview, hints, missing }: Props) {
  const t = useTranslations(APPROVE_FOOT);
  const look = useLookAtDecision();
  /** The price that the user read and ticked after a refusal. */
  const [acceptedAt, setAcceptedAt] = useState<string | null>(null);
  const [failedAt, setFailedAt] = useState(0);
  const onFailed = () => {
    setAcceptedAt(null);
    setFailedAt(Date.now());
    void preview.refetch();
  };
  const approve = useApprove({ id, onDecided, onFailed });
  const shown = preview.data;
  const refusal = refusalOf(approve.error) ?? refusalOf(preview.error);
  if (refusal?.code === "invalid_state" || (isDecided && !approve.pending)) {
    return <DecidedAlready txId={id} typed={draft.note} onClose={onClose} />;
  }
  if (preview.isPending) return <Skeleton rows={2} label={t.pricing} />;
  if (!shown) return <ErrorState error={preview.error} onRetry={() => void preview.refetch()} compact />;
  const { settlement, proposed, policy } = shown;
  const { approvals_needed: needed, approvals_given: given } = policy;
  const wantsMore = needed > 1;
  const isLast = given + 1 >= needed;
  const hasMoved = refusal?.code === "rate_moved";
  const price = proposed?.destination_amount ?? null;
  const isProven = !wantsMore || isSameAmount(t.format.plain(draft.amount), shown.source_amount);
  const mayDecide = !policy.waits_for_others && policy.may_approve && proposed !== null;
  const mayCommit = mayDecide && missing === 0 && isProven && (!hasMoved || acceptedAt === price);
  const submit = () => {
    if (proposed === null || hints === undefined) return;
    const note = draft.note.trim();
    const acknowledged_hints = hints.map(({ kind }) => kind).filter((kind) => draft.ticked.includes(kind));
    approve.send({ tx_id: id, expected_exchange_rate: proposed.exchange_rate, acknowledged_hints, ...(note && { note }) });
  };
  const whileTyping = { onFocus: () => change({ isTyping: true }), onBlur: () => change({ isTyping: false }) };
  return (
    <FootForm label={t.title} mayCommit={mayCommit} onSubmit={submit}>
      {wantsMore && (
        <TextField
          label={t.typeAmount(t.format.grouped(shown.source_amount), settlement.source_currency)}
          inputMode="decimal"
          value={draft.amount}
          onChange={({ target }) => change({ amount: target.value })}
          {...whileTyping}
        />
      )}
      <TextField
        label={t.note}
        hideLabel
        placeholder={t.note}
        maxLength={1_000}
        value={draft.note}
        onChange={({ target }) => change({ note: target.value })}
        {...whileTyping}
      />
      <Says preview={shown} readAt={preview.dataUpdatedAt} isHeld={draft.isTyping} isLast={isLast} />
      {approve.error !== null && (
        <Refused error={approve.error} look={() => look([id])}>
          {hasMoved ? (
            <>
              <p className="state-title">
                <Trans sentence={t.nothingApprovedAt} time={<Time at={new Date(failedAt).toISOString()} form="absolute" />} />
              </p>
              <p>{t.priceMoved(refusal.detail, shown.drift_tolerance_bps)}</p>
            </>
          ) : undefined}
        </Refused>
      )}
      {hasMoved && price !== null && preview.dataUpdatedAt > failedAt && (
        <label className="check">
          <input type="checkbox" checked={acceptedAt === price} onChange={({ target }) => setAcceptedAt(target.checked ? price : null)} />
          <span>
            <Trans sentence={t.newPriceRead} price={<strong>{`${t.format.grouped(price)} ${settlement.destination_currency}`}</strong>} />
          </span>
        </label>
      )}
      {missing !== 0 && <p className="small foot-missing">{missing === null ? t.checkingHints : t.toAcknowledge(missing)}</p>}
      <DialogButtons onCancel={onClose} cancel={t.close} pending={approve.pending} ready={mayCommit}>
        {proposed === null
          ? t.noPrice
          : t.approve(
              wantsMore ? t.ofNeeded(Math.min(given + 1, needed), needed) : null,
              t.format.grouped(proposed.destination_amount),
              settlement.destination_currency,
              shortened(settlement.wallet_address, 4, 3),
            )}
      </DialogButtons>
    </FootForm>
  );
}

type SaysProps = { preview: Preview; readAt: number; isHeld: boolean; isLast: boolean };

/** What an approval does and does not do, at a price of which age. */
function Says({ preview: { proposed }, readAt, isHeld, isLast }: SaysProps) {
  const t = useTranslations(APPROVE_FOOT);
  return (
    <div className="small muted foot-says">
      {proposed && <Freshness readAt={readAt} isHeld={isHeld} />}
      <span>
        {t.movesNoFunds}{" "}
        {proposed &&
          (isLast ? <Trans sentence={t.confirmBy} time={<Time at={proposed.expires_at} form="absolute" />} /> : t.partnerNotNotified)}
      </span>
    </div>
  );
}

type ApproveWork = Pick<FootProps, "id" | "onDecided"> & { onFailed: () => void };
type Approval = { tx_id: string; expected_exchange_rate: string; acknowledged_hints: Hint["kind"][]; note?: string };

/** The approval itself. If something else is in the panel by then, a toast reports the outcome. */
function useApprove({ id, onDecided, onFailed }: ApproveWork) {
  const t = useTranslations(APPROVE_FOOT);
  const { approvals } = useTRPCClient();
  const refresh = useRefreshDecisions(id);
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
        onDecided(isLast ? "approved" : "recorded", hasLeft);
      },
    );
  return { send, error, pending };
}
