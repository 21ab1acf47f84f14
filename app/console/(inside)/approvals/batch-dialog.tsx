import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { TextArea, TextField } from "../../_components/controls/field.tsx";
import { Id } from "../../_components/controls/values.tsx";
import { DialogButtons } from "../../_components/dialogs/confirm-dialog.tsx";
import { Dialog } from "../../_components/dialogs/dialog.tsx";
import { useAnswer } from "../../_components/dialogs/use-answer.ts";
import { Refused, useConfirmedMutation } from "../../_components/dialogs/use-confirmed-mutation.tsx";
import { Note, Scroll } from "../../_components/frame/page-parts.tsx";
import { QueryBoundary } from "../../_components/lists/list-states.tsx";
import { moneyColumn, Short, Table } from "../../_components/lists/table.tsx";
import { useTRPC, useTRPCClient } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import { compareAmounts } from "./amounts.ts";
import type { Row, WaitingBatch } from "./answers.ts";
import { Totals } from "./batch-totals.tsx";
import { BATCH_DIALOG } from "./batch-words.ts";
import { RiskChips, riskWeight } from "./risk.tsx";
import { useRiskHints } from "./use-risk-hints.ts";

const LEAST_REASON = 8;

type Props = {
  batch: WaitingBatch;
  /** It no longer waits: somebody else has decided it, or its partner has cancelled it. */
  isDecided: boolean;
  onClose: () => void;
  /** With what was done, in words. */
  onDecided: (what: string) => void;
};

/** The decision on a batch: its sums, all of its items, those that stand out first, and one approval or rejection of all of them. */
export function BatchDialog(props: Props) {
  const t = useTranslations(BATCH_DIALOG);
  return (
    <Dialog open onOpenChange={(open) => !open && props.onClose()} title={t.title(props.batch.external_batch_id)} width="wide">
      <Decision {...props} />
    </Dialog>
  );
}

function Decision({ batch, isDecided, onClose, onDecided }: Props) {
  const t = useTranslations(BATCH_DIALOG);
  const { approvals } = useTRPCClient();
  const { run, pending, error } = useConfirmedMutation(t.notDecided);
  const [isRejecting, setRejecting] = useState(false);
  const [text, setText] = useState("");
  const [typed, setTyped] = useState("");
  const { batch_id, expected_total: expected, approvals_given: given, approvals_needed: needed } = batch;
  const reason = text.trim();
  const done = (what: string) => (_: unknown, hasLeft: boolean) => {
    onDecided(what);
    if (!hasLeft) onClose();
  };
  const approve = () =>
    expected &&
    run(() => approvals.approveBatch.mutate({ batch_id, expected_total: expected, ...(reason && { note: reason }) }), done(t.approved));
  const reject = () => run(() => approvals.rejectBatch.mutate({ batch_id, reason }), done(t.rejected));
  const isProven = needed < 2 || typed.trim() === batch.external_batch_id;
  const isOver = isDecided && !pending;
  const mayCommit = isRejecting ? [...reason].length >= LEAST_REASON : expected !== null && isProven && !batch.waits_for_others;
  const isReady = mayCommit && !isOver;
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) void (isRejecting ? reject() : approve());
      }}
    >
      <p className="dialog-summary">
        <Totals of={batch} />
      </p>
      <p>{t.about(batch.item_count, batch.partner.name, given, needed)}</p>
      <Items batch={batch} />
      {batch.obstacle && <Note kind="danger">{batch.obstacle}</Note>}
      {batch.waits_for_others && <Note>{t.waitsForOthers}</Note>}
      {isOver ? <Note kind="warning">{t.isDecided}</Note> : <Note>{isRejecting ? t.rejects : t.approves}</Note>}
      {isRejecting ? (
        <TextArea
          label={t.reason}
          hint={t.reasonHint(LEAST_REASON)}
          maxLength={1_000}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      ) : (
        <>
          {needed > 1 && (
            <TextField label={t.typeReference(batch.external_batch_id)} value={typed} onChange={({ target }) => setTyped(target.value)} />
          )}
          <TextField label={t.note} maxLength={1_000} value={text} onChange={({ target }) => setText(target.value)} />
        </>
      )}
      {error !== null && <Refused error={error} />}
      {!isRejecting && <Button onClick={() => setRejecting(true)}>{t.rejectInstead}</Button>}
      <DialogButtons onCancel={onClose} cancel={t.close} isDanger={isRejecting} pending={pending} ready={isReady}>
        {isRejecting ? t.reject(batch.item_count) : t.approve(batch.item_count)}
      </DialogButtons>
    </form>
  );
}

/** All items: those with warnings first, then the largest. */
function Items({ batch }: { batch: WaitingBatch }) {
  const t = useTranslations(BATCH_DIALOG);
  const answer = useAnswer(useQuery(useTRPC().approvals.batchItems.queryOptions({ batch_id: batch.batch_id })));
  return <QueryBoundary of={answer}>{({ data }) => <ItemTable rows={data} caption={t.items} />}</QueryBoundary>;
}

function ItemTable({ rows, caption }: { rows: readonly Row[]; caption: string }) {
  const t = useTranslations(BATCH_DIALOG);
  const hints = useRiskHints(rows.map(({ settlement }) => settlement.tx_id));
  const weight = ({ settlement }: Row) => riskWeight(hints.get(settlement.tx_id));
  const sorted = rows.toSorted((one, other) => weight(other) - weight(one) || compareAmounts(other.amounts.net, one.amounts.net));
  const standOut = rows.filter((row) => weight(row) > 0).length;
  return (
    <>
      <p className="muted small" role="status">
        {hints.size < rows.length ? t.checking(hints.size, rows.length) : t.standOut(standOut)}
      </p>
      <Scroll label={caption}>
        <Table
          caption={caption}
          keyOf={({ settlement }) => settlement.tx_id}
          rows={sorted}
          columns={[
            {
              id: "merchant",
              header: t.merchant,
              card: 1.1,
              cell: ({ settlement }: Row) => <Short text={settlement.external_merchant_id} />,
            },
            {
              id: "wallet",
              header: t.wallet,
              card: 2.1,
              cell: ({ settlement }: Row) => <Id value={settlement.wallet_address} what={t.wallet} copy={false} />,
            },
            moneyColumn<Row>("source", t.amount, ({ amounts, settlement }) => [amounts.source, settlement.source_currency], { card: 1.2 }),
            {
              id: "hints",
              header: t.warnings,
              card: 3.1,
              cell: ({ settlement }: Row) => <RiskChips hints={hints.get(settlement.tx_id) ?? []} />,
            },
          ]}
        />
      </Scroll>
    </>
  );
}
