import { useEffect, useRef, useState } from "react";
import { Progress } from "../../_components/controls/progress.tsx";
import { Money } from "../../_components/controls/values.tsx";
import { DialogButtons } from "../../_components/dialogs/confirm-dialog.tsx";
import { Refused, useConfirmedMutation } from "../../_components/dialogs/use-confirmed-mutation.tsx";
import { useTRPCClient } from "../../_trpc/client.tsx";
import { useTranslations, type WithShared } from "../../_words/words.ts";
import type { Awaiting, BulkOutcome, Hint } from "./answers.ts";
import { BulkResults } from "./bulk-results.tsx";
import { FootForm, useRefreshDecisions } from "./foot-parts.tsx";
import { BULK_PANEL } from "./foot-words.ts";
import { inParts, PART } from "./in-parts.ts";
import { keys } from "./panel.tsx";
import { Sums } from "./queue-bar.tsx";
import { RiskChips } from "./risk.tsx";
import { useLookAtDecision } from "./use-look.ts";

type Translations = WithShared<typeof BULK_PANEL>;

type Hints = ReadonlyMap<string, readonly Hint[]>;
type Props = {
  /** The selected settlements in their present state. */
  rows: readonly Awaiting[];
  hints: Hints;
  onClose: () => void;
  onDone: (approved: readonly string[]) => void;
};

/** Approves many at once: each in its own transaction, at the price shown. Unusual ones are left out until somebody includes them. */
export function BulkPanel({ rows, hints, onClose, onDone }: Props) {
  const t = useTranslations(BULK_PANEL);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className="review" aria-label={t.title} onKeyDown={(event) => keys(event, onClose)}>
      <h2 ref={heading} id="review-heading" tabIndex={-1}>
        {t.title}
      </h2>
      <Bulk rows={rows} hints={hints} onClose={onClose} onDone={onDone} />
    </section>
  );
}

function Bulk({ rows, hints, onClose, onDone }: Props) {
  const t = useTranslations(BULK_PANEL);
  const { approvals } = useTRPCClient();
  const refresh = useRefreshDecisions();
  const [included, setIncluded] = useState<ReadonlySet<string>>(new Set());
  const [tried, setTried] = useState<readonly Awaiting[]>([]);
  const [outcomes, setOutcomes] = useState<readonly BulkOutcome[] | null>(null);
  const [reached, setReached] = useState(0);
  const isCancelled = useRef(false);
  const [isEnding, setEnding] = useState(false);
  const { run, pending, error } = useConfirmedMutation(t.nothingApproved);
  const look = useLookAtDecision();
  if (outcomes) return <BulkResults outcomes={outcomes} rows={tried} onClose={onClose} />;
  const judged = rows.map((row) => ({ row, hints: hints.get(row.settlement.tx_id), obstacle: obstacleOf(row, t) }));
  const isIn = ({ row, hints: found, obstacle }: (typeof judged)[number]) =>
    obstacle === null && (found?.length === 0 || included.has(row.settlement.tx_id));
  const chosen = judged.filter(isIn).map(({ row }) => row);
  const left = judged.length - chosen.length;
  const submit = () => {
    setTried(chosen);
    isCancelled.current = false;
    setEnding(false);
    const items = chosen.flatMap((row) => itemOf(row, hints));
    const answers: BulkOutcome[] = [];
    const send = async (part: Readonly<typeof items>) => (await approvals.approveMany.mutate({ items: [...part] })).data;
    void run(
      () => inParts(items, answers, send, setReached, () => isCancelled.current).finally(refresh),
      (data) => {
        setOutcomes(data);
        onDone(data.filter(isApproved).map(({ tx_id }) => tx_id));
      },
    );
  };
  /** What is on its way is still decided; nothing after it is sent. */
  const cancel = () => {
    isCancelled.current = true;
    setEnding(true);
  };
  const toggle = (id: string) =>
    setIncluded((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  return (
    <FootForm label={t.title} mayCommit={chosen.length > 0} onSubmit={submit}>
      <p className="decision-amount">
        <Sums rows={chosen} />
      </p>
      <p>
        {t.summary(chosen.length)}
        {left > 0 && <span className="muted"> {t.excluded(left)}</span>}
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
      <div className="review-foot">
        <p className="small muted">{t.movesNoFunds}</p>
        {pending && tried.length > PART && (
          <Progress done={reached} of={tried.length} what={t.decided} {...(!isEnding && { onCancel: cancel })} />
        )}
        {error !== null && <Refused error={error} look={() => look(tried.map(({ settlement }) => settlement.tx_id))} />}
        <DialogButtons onCancel={onClose} cancel={t.close} pending={pending} ready={chosen.length > 0}>
          {t.approveCount(chosen.length)}
        </DialogButtons>
      </div>
    </FootForm>
  );
}

/** Why this one can never be approved in bulk. */
function obstacleOf({ preview }: Awaiting, t: Translations): string | null {
  const { approvals_needed: needed, may_approve } = preview.policy;
  if (needed > 1) return t.needsApprovals(needed);
  if (!may_approve) return t.needsSomeoneElse;
  return preview.proposed === null ? t.noPrice : null;
}

/** An included one carries its hints as acknowledged: its tick says so. */
function itemOf({ settlement: { tx_id }, preview }: Awaiting, hints: Hints) {
  if (preview.proposed === null) return [];
  const acknowledged_hints = (hints.get(tx_id) ?? []).map(({ kind }) => kind);
  return [{ tx_id, expected_exchange_rate: preview.proposed.exchange_rate, acknowledged_hints }];
}

function isApproved({ outcome }: BulkOutcome): boolean {
  return outcome === "approved";
}
