import { useState } from "react";
import { Money } from "../../_components/controls/values.tsx";
import { DialogButtons } from "../../_components/dialogs/confirm-dialog.tsx";
import { Dialog } from "../../_components/dialogs/dialog.tsx";
import { Refused, useConfirmedMutation } from "../../_components/dialogs/use-confirmed-mutation.tsx";
import { Note } from "../../_components/frame/page-parts.tsx";
import { useTRPCClient } from "../../_trpc/client.tsx";
import { Trans, useTranslations, type WithShared } from "../../_words/words.ts";
import type { Awaiting, BulkOutcome, Hint } from "./answers.ts";
import { useRefreshDecisions } from "./approve-dialog.tsx";
import { BulkResults } from "./bulk-results.tsx";
import { Sums } from "./queue-bar.tsx";
import { RiskChips } from "./risk.tsx";
import { useLookAtDecision } from "./use-look.ts";
import { BULK_DIALOG } from "./words.ts";

type Translations = WithShared<typeof BULK_DIALOG>;

type Hints = ReadonlyMap<string, readonly Hint[]>;
type Props = {
  /** The selected settlements in their present state. */
  rows: readonly Awaiting[];
  hints: Hints;
  open: boolean;
  onClose: () => void;
  onDone: (approved: readonly string[]) => void;
};

/** Approves many at once: each in its own transaction, at the price shown. Unusual ones are left out. */
export function BulkDialog({ rows, hints, open, onClose, onDone }: Props) {
  const t = useTranslations(BULK_DIALOG);
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()} title={t.title} width="wide">
      {open && <Bulk rows={rows} hints={hints} onClose={onClose} onDone={onDone} />}
    </Dialog>
  );
}

function Bulk({ rows, hints, onClose, onDone }: Omit<Props, "open">) {
  const t = useTranslations(BULK_DIALOG);
  const { approvals } = useTRPCClient();
  const refresh = useRefreshDecisions();
  const [included, setIncluded] = useState<ReadonlySet<string>>(new Set());
  const [tried, setTried] = useState<readonly Awaiting[]>([]);
  const [outcomes, setOutcomes] = useState<readonly BulkOutcome[] | null>(null);
  const { run, pending, error } = useConfirmedMutation(t.nothingApproved);
  const look = useLookAtDecision();
  if (outcomes) return <BulkResults outcomes={outcomes} rows={tried} onClose={onClose} />;
  const judged = rows.map((row) => ({ row, hints: hints.get(row.settlement.tx_id), obstacle: obstacleOf(row, t) }));
  const isIn = ({ row, hints: found, obstacle }: (typeof judged)[number]) =>
    obstacle === null && (found?.length === 0 || included.has(row.settlement.tx_id));
  const chosen = judged.filter(isIn).map(({ row }) => row);
  const left = judged.length - chosen.length;
  const submit = () => {
    if (chosen.length === 0) return;
    setTried(chosen);
    void run(
      () => approvals.approveMany.mutate({ items: chosen.flatMap(itemOf) }).finally(refresh),
      ({ data }) => {
        setOutcomes(data);
        onDone(data.filter(isApproved).map(({ tx_id }) => tx_id));
      },
    );
  };
  const toggle = (id: string) =>
    setIncluded((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <p className="dialog-summary">
        <Trans sentence={t.summary} count={<strong>{chosen.length}</strong>} sums={<Sums rows={chosen} />} />
        {left > 0 && <span className="bulk-left muted"> {t.excluded(left)}</span>}
      </p>
      <ul className="bulk-list" aria-label={t.selectedSettlements}>
        {judged.map((each) => {
          const { settlement, amounts, preview } = each.row;
          const mayInclude = each.obstacle === null && each.hints !== undefined && each.hints.length > 0;
          return (
            <li key={settlement.tx_id} className="bulk-row" data-out={!isIn(each) || undefined}>
              <span className="queue-line">
                <span className="queue-who" translate="no">
                  {settlement.external_merchant_id}
                </span>
                <span>
                  <Money amount={amounts.source} currency={settlement.source_currency} /> →{" "}
                  <Money amount={preview.proposed?.destination_amount ?? amounts.net} currency={settlement.destination_currency} />
                </span>
              </span>
              {(each.obstacle !== null || each.hints?.length !== 0) && (
                <span className="queue-chips">
                  {each.obstacle && <span className="muted small">{each.obstacle}</span>}
                  {each.hints === undefined && <span className="muted small">{t.checkingHints}</span>}
                  {each.hints && <RiskChips hints={each.hints} />}
                  {mayInclude && (
                    <label className="check small">
                      <input type="checkbox" checked={included.has(settlement.tx_id)} onChange={() => toggle(settlement.tx_id)} />
                      {t.includeAnyway}
                    </label>
                  )}
                </span>
              )}
            </li>
          );
        })}
      </ul>
      <Note>{t.movesNoFunds}</Note>
      {error !== null && <Refused error={error} look={() => look(tried.map(({ settlement }) => settlement.tx_id))} />}
      <DialogButtons onCancel={onClose} cancel={t.close} pending={pending} ready={chosen.length > 0}>
        {t.approveCount(chosen.length)}
      </DialogButtons>
    </form>
  );
}

/** Why this one can never be approved in bulk. */
function obstacleOf({ preview }: Awaiting, t: Translations): string | null {
  const { approvals_needed: needed, may_approve } = preview.policy;
  if (needed > 1) return t.needsApprovals(needed);
  if (!may_approve) return t.needsSomeoneElse;
  return preview.proposed === null ? t.noPrice : null;
}

function itemOf({ settlement, preview }: Awaiting) {
  return preview.proposed ? [{ tx_id: settlement.tx_id, expected_exchange_rate: preview.proposed.exchange_rate }] : [];
}

function isApproved({ outcome }: BulkOutcome): boolean {
  return outcome === "approved";
}
