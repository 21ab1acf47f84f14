import { useQuery } from "@tanstack/react-query";
import { ArrowLeft } from "lucide-react";
import { useEffect } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { TextArea, TextField } from "../../_components/controls/field.tsx";
import { Id } from "../../_components/controls/values.tsx";
import { DialogButtons } from "../../_components/dialogs/confirm-dialog.tsx";
import { useAnswer } from "../../_components/dialogs/use-answer.ts";
import { Refused, useConfirmedMutation } from "../../_components/dialogs/use-confirmed-mutation.tsx";
import { Note, Scroll } from "../../_components/frame/page-parts.tsx";
import { useShortcut } from "../../_components/frame/shortcuts.tsx";
import { QueryBoundary } from "../../_components/lists/list-states.tsx";
import { moneyColumn, Short, Table } from "../../_components/lists/table.tsx";
import { useTRPC, useTRPCClient } from "../../_trpc/client.tsx";
import { Data, useTranslations } from "../../_words/words.ts";
import { compareAmounts } from "./amounts.ts";
import type { Hint, Row, WaitingBatch } from "./answers.ts";
import { Totals } from "./batch-totals.tsx";
import { BATCH_PANEL } from "./batch-words.ts";
import { focusPanel } from "./focus-panel.ts";
import { FootForm, type What } from "./foot-parts.tsx";
import { keys } from "./panel.tsx";
import { RiskChips, riskWeight } from "./risk.tsx";
import { useDraft } from "./use-draft.ts";
import { useRiskHints } from "./use-risk-hints.ts";
import { Waiting } from "./waiting.tsx";
import { RISK } from "./words.ts";

const LEAST_REASON = 8;

type Props = {
  batch: WaitingBatch;
  mayDecide: boolean;
  /** It no longer waits: somebody else has decided it, or its partner has cancelled it. */
  isDecided: boolean;
  deciding: What | null;
  onDecide: (what: What | null) => void;
  /** With what was done, in words. `hasLeft`: another batch is in the panel by now. */
  onDecided: (what: string, hasLeft: boolean) => void;
  onBack: () => void;
};

/** The decision on a batch: its sums, what stands out, all of its items, and at the foot one approval or rejection of all of them. */
export function BatchPanel({ batch, mayDecide, isDecided, deciding, onDecide, onDecided, onBack }: Props) {
  const t = useTranslations(BATCH_PANEL);
  const id = batch.batch_id;
  const { draft, change, forget } = useDraft(id);
  const answer = useAnswer(useQuery(useTRPC().approvals.batchItems.queryOptions({ batch_id: id })));
  const items = answer.data?.data ?? [];
  const hints = useRiskHints(items.map(({ settlement }) => settlement.tx_id));
  const counts = answer.data && hints.size >= items.length ? countsOf(hints) : null;
  useEffect(() => {
    if (deciding !== null) focusPanel();
  }, [deciding]);
  const missing = counts === null ? null : [...counts.keys()].filter((kind) => !draft.ticked.includes(kind)).length;
  const close = () => onDecide(null);
  useShortcut("Escape", t.closeDecision, close, deciding !== null);
  const done = (what: string, hasLeft: boolean) => {
    forget();
    onDecided(what, hasLeft);
  };
  const foot = { batch, isDecided, draft, change, onClose: close, onDecided: done };
  return (
    <section
      className="review"
      aria-label={t.label}
      data-about={batch.external_batch_id}
      onKeyDown={(event) => keys(event, deciding === null ? null : close)}
    >
      <div className="review-back">
        <Button look="quiet" icon={ArrowLeft} onClick={onBack}>
          {t.backToList}
        </Button>
      </div>
      <div className="review-body">
        <h2 id="review-heading" tabIndex={-1} className="recipient-who">
          <Data>{batch.partner.name}</Data> <span aria-hidden>→</span> <Data>{batch.external_batch_id}</Data>
        </h2>
        <p className="decision-amount">
          <Totals of={batch} />
        </p>
        <p className="chips">
          <Waiting since={batch.created_at} />
          <span>{t.about(batch.item_count, batch.approvals_given, batch.approvals_needed)}</span>
        </p>
        <QueryBoundary of={answer}>
          {({ data }) => (
            <>
              <StandOut
                counts={counts}
                checked={hints.size}
                items={data.length}
                ticked={draft.ticked}
                onTick={mayDecide && !isDecided ? (ticked) => change({ ticked }) : null}
              />
              <ItemTable rows={data} hints={hints} caption={t.items} />
            </>
          )}
        </QueryBoundary>
        {batch.obstacle && <Note kind="danger">{batch.obstacle}</Note>}
        {batch.waits_for_others && <Note>{t.waitsForOthers}</Note>}
      </div>
      {mayDecide && (
        <div className="review-foot">
          {deciding === null && (
            <div className="foot-decide">
              <span className="muted small">{isDecided ? t.isDecided : missing !== null && missing > 0 && t.toAcknowledge(missing)}</span>
              <Button look="danger" onClick={() => onDecide("reject")} disabled={isDecided} aria-keyshortcuts="r">
                {t.reject}
              </Button>
              <Button
                look="primary"
                onClick={() => onDecide("approve")}
                disabled={isDecided || batch.waits_for_others || batch.expected_total === null}
                aria-keyshortcuts="a"
              >
                {t.approve}
              </Button>
            </div>
          )}
          {deciding !== null && <BatchFoot key={deciding} what={deciding} counts={counts} missing={missing} {...foot} />}
        </div>
      )}
    </section>
  );
}

type Counts = ReadonlyMap<Hint["kind"], number>;

function countsOf(hints: ReadonlyMap<string, readonly Hint[]>): Counts {
  const counts = new Map<Hint["kind"], number>();
  for (const found of hints.values()) for (const { kind } of found) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

type StandOutProps = {
  /** How many items each kind of hint holds for; null: not all are checked yet. */
  counts: Counts | null;
  checked: number;
  items: number;
  ticked: readonly Hint["kind"][];
  onTick: ((ticked: readonly Hint["kind"][]) => void) | null;
};

/** Each kind of hint with its number of items, to be acknowledged one by one. */
function StandOut({ counts, checked, items, ticked, onTick }: StandOutProps) {
  const [t, names] = [useTranslations(BATCH_PANEL), useTranslations(RISK)];
  if (counts === null) {
    return (
      <p className="muted small" role="status">
        {t.checking(checked, items)}
      </p>
    );
  }
  if (counts.size === 0) return <p className="muted small">{t.nothingUnusual}</p>;
  const toggle = (kind: Hint["kind"]) => onTick?.(ticked.includes(kind) ? ticked.filter((each) => each !== kind) : [...ticked, kind]);
  return (
    <ul className="hints" aria-label={names.warnings}>
      {[...counts].map(([kind, count]) => (
        <li key={kind} className="hint">
          {onTick === null ? (
            <span className="hint-name">{t.kindOf(names.hints[kind], count)}</span>
          ) : (
            <label className="check hint-name">
              <input type="checkbox" checked={ticked.includes(kind)} onChange={() => toggle(kind)} />
              {t.kindOf(names.hints[kind], count)}
            </label>
          )}
        </li>
      ))}
    </ul>
  );
}

type BatchFootProps = Pick<ReturnType<typeof useDraft>, "draft" | "change"> & {
  batch: WaitingBatch;
  what: What;
  counts: Counts | null;
  missing: number | null;
  isDecided: boolean;
  onClose: () => void;
  onDecided: (what: string, hasLeft: boolean) => void;
};

function BatchFoot({ batch, what, counts, missing, isDecided, draft, change, onClose, onDecided }: BatchFootProps) {
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

type ItemTableProps = { rows: readonly Row[]; hints: ReadonlyMap<string, readonly Hint[]>; caption: string };

/** All items: those with warnings first, then the largest. */
function ItemTable({ rows, hints, caption }: ItemTableProps) {
  const t = useTranslations(BATCH_PANEL);
  const weight = ({ settlement }: Row) => riskWeight(hints.get(settlement.tx_id));
  const sorted = rows.toSorted((one, other) => weight(other) - weight(one) || compareAmounts(other.amounts.net, one.amounts.net));
  return (
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
  );
}
