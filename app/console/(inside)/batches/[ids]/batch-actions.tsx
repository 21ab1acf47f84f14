import { useState } from "react";
import { Button } from "../../../_components/controls/button.tsx";
import { useNow } from "../../../_components/controls/clock.tsx";
import { useToast } from "../../../_components/controls/toast.tsx";
import { ConfirmDialog } from "../../../_components/dialogs/confirm-dialog.tsx";
import { Refused, useConfirmedMutation } from "../../../_components/dialogs/use-confirmed-mutation.tsx";
import { Note } from "../../../_components/frame/page-parts.tsx";
import { useRefresh, useTRPC, useTRPCClient } from "../../../_trpc/client.tsx";
import { useTranslations } from "../../../_words/words.ts";
import { type ShownBatch as Batch, BatchTotals } from "../batch-signs.tsx";
import { sumTotals } from "../new/sum-totals.ts";
import { BATCH_PAGE } from "./words.ts";

/** What an owner may do with batches that are quoted: confirm all, get new quotes, or cancel all. */
export function BatchActions({ batches }: { batches: readonly Batch[] }) {
  const t = useTranslations(BATCH_PAGE);
  const client = useTRPCClient().batches;
  const { run, pending, error } = useConfirmedMutation();
  const refresh = useRefresh(useTRPC().batches.pathKey());
  const [asks, setAsks] = useState<"confirm" | "cancel" | null>(null);
  const now = useNow(1_000);
  const quoted = batches.filter(({ status }) => status === "quoted");
  const lapsed = quoted.filter(({ expires_at }) => new Date(expires_at).getTime() <= now);
  const obstacle = quoted.find((batch) => batch.obstacle !== null)?.obstacle ?? null;
  const isPending = quoted.some(({ approval_state }) => approval_state === "pending");
  if (quoted.length === 0) return null;
  const count = quoted.reduce((sum, { item_count }) => sum + item_count, 0);
  const requote = () =>
    run(async () => {
      for (const { batch_id } of lapsed) await client.requote.mutate({ batch_id });
    }, refresh);
  return (
    <section className="upload-foot" aria-label={t.confirmTitle}>
      {isPending && <Note>{t.awaitsApproval}</Note>}
      {obstacle !== null && <Note>{obstacle === "made_by_you" ? t.youMadeIt : t.programMadeIt}</Note>}
      {!isPending && lapsed.length > 0 && <Note kind="warning">{t.lapsed}</Note>}
      {error !== null && <Refused error={error} />}
      {!isPending && lapsed.length > 0 && (
        <Button look="primary" pending={pending} onClick={() => void requote()}>
          {t.requote}
        </Button>
      )}
      {!isPending && lapsed.length === 0 && obstacle === null && (
        <Button look="primary" onClick={() => setAsks("confirm")}>
          {t.confirm(count)}
        </Button>
      )}
      <Button onClick={() => setAsks("cancel")}>{t.cancelAll}</Button>
      {asks !== null && <Asked what={asks} batches={quoted} count={count} onClose={() => setAsks(null)} onDone={refresh} />}
    </section>
  );
}

type AskedProps = { what: "confirm" | "cancel"; batches: readonly Batch[]; count: number; onClose: () => void; onDone: () => void };

/** The sums at the moment that the dialog opened: a batch that comes to another sum by then is refused. */
function Asked({ what, batches, count, onClose, onDone }: AskedProps) {
  const t = useTranslations(BATCH_PAGE);
  const client = useTRPCClient().batches;
  const toast = useToast();
  const [seen] = useState(batches);
  const [done, setDone] = useState<number | null>(null);
  const isConfirm = what === "confirm";
  const change = async () => {
    try {
      let changed = 0;
      for (const { batch_id, expected_total, item_count } of seen) {
        setDone(changed);
        await (isConfirm ? client.confirm.mutate({ batch_id, expected_total }) : client.cancel.mutate({ batch_id }));
        changed += item_count;
      }
    } finally {
      setDone(null);
      onDone();
    }
  };
  return (
    <ConfirmDialog
      title={isConfirm ? t.confirmTitle : t.cancelTitle}
      description={isConfirm ? t.confirmExplained : t.cancelExplained(count)}
      mutation={change}
      onDone={() => toast(isConfirm ? t.confirmed : t.cancelDone)}
      onClose={onClose}
      isDanger={!isConfirm}
      {...(!isConfirm && { cancel: t.keepIt })}
      button={isConfirm ? t.confirmButton(count) : t.cancelButton}
    >
      <p className="dialog-summary">
        <BatchTotals of={sumTotals(seen.flatMap(({ totals }) => totals))} />
      </p>
      {done !== null && seen.length > 1 && (
        <section className="job" aria-label={t.progress}>
          <progress className="job-bar" max={count} value={done} aria-label={t.progress} />
          <p className="job-line" role="status">
            {isConfirm ? t.confirming(done, count) : t.cancelling(done, count)}
          </p>
        </section>
      )}
    </ConfirmDialog>
  );
}
