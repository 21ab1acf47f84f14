"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useId, useState } from "react";
import type { ApprovalPreviewWire } from "#server/contract/console/approval.ts";
import { Button } from "../../_components/button.tsx";
import { Dialog } from "../../_components/dialog.tsx";
import { TextField } from "../../_components/field.tsx";
import { shortened } from "../../_components/id.tsx";
import { Skeleton, Trouble } from "../../_components/list-states.tsx";
import { Money } from "../../_components/money.tsx";
import { Time, useHasPassed } from "../../_components/time.tsx";
import { useToast } from "../../_components/toast.tsx";
import { grouped } from "../../_format/amount.ts";
import { useTRPC } from "../../_trpc/client.ts";
import { refusalOf } from "../../_trpc/refusal.ts";
import { DecidedAlready } from "./decided-already.tsx";
import { CallbackTarget, PriceChange } from "./price-change.tsx";

const FRESH_MS = 15_000;

type Props = {
  txId: string;
  open: boolean;
  onClose: () => void;
  /** Told once it is approved. */
  onDecided?: (() => void) | undefined;
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

type ApproveProps = { txId: string; onClose: () => void; onBusy: (busy: boolean) => void; onDecided: (() => void) | undefined };

function Approve({ txId, onClose, onBusy, onDecided }: ApproveProps) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const toast = useToast();
  const [isTyping, setIsTyping] = useState(false);
  const preview = useQuery(
    trpc.approvals.preview.queryOptions({ tx_id: txId }, { staleTime: 0, gcTime: 0, refetchInterval: isTyping ? false : FRESH_MS }),
  );
  const approve = useMutation(
    trpc.approvals.approve.mutationOptions({
      onSuccess: (settlement) => {
        toast("Approved", `${shortened(settlement.tx_id)} may be confirmed by the partner.`);
        onDecided?.();
        onClose();
      },
      onError: () => void preview.refetch(),
      onSettled: () => {
        onBusy(false);
        void queries.invalidateQueries({ queryKey: trpc.approvals.list.queryKey() });
        void queries.invalidateQueries({ queryKey: trpc.settlements.byId.queryKey({ tx_id: txId }) });
        void queries.invalidateQueries({ queryKey: trpc.settlements.tiles.queryKey() });
      },
    }),
  );
  useEffect(() => onBusy(approve.isPending), [approve.isPending, onBusy]);
  const shown = preview.data;
  const refusal = refusalOf(approve.error) ?? refusalOf(preview.error);
  if (refusal?.code === "invalid_state") return <DecidedAlready txId={txId} />;
  if (preview.isPending) return <Skeleton rows={5} label="Pricing" />;
  if (!shown) return <Trouble error={preview.error} onRetry={() => void preview.refetch()} compact />;
  const submit = (note: string) => {
    if (shown.proposed === null || approve.isPending) return;
    approve.mutate({ tx_id: txId, expected_exchange_rate: shown.proposed.exchange_rate, ...(note && { note }) });
  };
  return (
    <>
      {refusal?.code === "rate_moved" && (
        <p className="note" data-kind="danger" role="alert">
          Nothing was approved: the rate moved beyond {shown.drift_tolerance_bps} bps since it was shown. This is the price now.
        </p>
      )}
      {approve.error && refusal?.code !== "rate_moved" && <Trouble error={approve.error} compact />}
      <ApproveForm
        preview={shown}
        readAt={preview.dataUpdatedAt}
        pending={approve.isPending}
        onTyping={setIsTyping}
        onSubmit={submit}
        onClose={onClose}
      />
    </>
  );
}

type FormProps = {
  preview: ApprovalPreviewWire;
  readAt: number;
  pending: boolean;
  onTyping: (typing: boolean) => void;
  onSubmit: (note: string) => void;
  onClose: () => void;
};

function ApproveForm({ preview, readAt, pending, onTyping, onSubmit, onClose }: FormProps) {
  const [note, setNote] = useState("");
  const form = useId();
  const { settlement, proposed, obstacle } = preview;
  const lapsed = useHasPassed(settlement.expires_at);
  return (
    <form
      id={form}
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(note.trim());
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) event.currentTarget.requestSubmit();
      }}
    >
      {lapsed && <p className="muted">Original quote lapsed; approving re-prices.</p>}
      <PriceChange preview={preview} />
      {proposed && <Freshness readAt={readAt} />}
      {obstacle && (
        <p className="note" data-kind="danger">
          It cannot be approved now: {obstacle.detail}
        </p>
      )}
      <CallbackTarget url={preview.creation_callback_url} />
      <p className="note">
        Approving moves no funds.{" "}
        {proposed && (
          <>
            The partner must confirm by <Time at={proposed.expires_at} form="absolute" />.
          </>
        )}
      </p>
      <TextField
        label="Note (optional, for the audit log)"
        maxLength={1_000}
        value={note}
        onChange={({ target }) => setNote(target.value)}
        onFocus={() => onTyping(true)}
        onBlur={() => onTyping(false)}
      />
      <div className="dialog-buttons">
        <Button onClick={onClose} disabled={pending}>
          Keep waiting
        </Button>
        <Button type="submit" look="primary" pending={pending} disabled={proposed === null} aria-keyshortcuts="Control+Enter Meta+Enter">
          Approve {proposed ? grouped(proposed.destination_amount) : ""} {settlement.destination_currency} to{" "}
          {shortened(settlement.wallet_address, 4, 3)}
        </Button>
      </div>
    </form>
  );
}

/** How old the shown price is: it is read again by itself, except while a note is being written. */
function Freshness({ readAt }: { readAt: number }) {
  const [age, setAge] = useState(0);
  useEffect(() => {
    const count = () => setAge(Math.min(FRESH_MS, Date.now() - readAt));
    count();
    const timer = setInterval(count, 1_000);
    return () => clearInterval(timer);
  }, [readAt]);
  const left = Math.max(0, Math.ceil((FRESH_MS - age) / 1_000));
  return (
    <p className="freshness small muted">
      <progress max={FRESH_MS} value={FRESH_MS - age} aria-label="Freshness of the price" />
      Price {left === 0 ? "is being held" : `refreshes in ${left} s`}
    </p>
  );
}

export function DialogSummary({
  source,
  net,
  merchant,
}: {
  source: { amount: string; currency: string };
  net: { amount: string; currency: string };
  merchant: string;
}) {
  return (
    <p className="dialog-summary">
      <Money {...source} /> → <Money {...net} /> <span className="muted">for {merchant}</span>
    </p>
  );
}
