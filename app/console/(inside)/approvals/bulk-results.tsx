import { Ban, Check, CircleSlash, type LucideIcon, TrendingUp, UserCheck, Users } from "lucide-react";
import { Button } from "../../_components/controls/button.tsx";
import { Badge, Money } from "../../_components/controls/values.tsx";
import { Served, useTranslations, type WithShared } from "../../_words/words.ts";
import type { Awaiting, BulkOutcome } from "./answers.ts";
import { BULK_RESULTS } from "./foot-words.ts";

type Translations = WithShared<typeof BULK_RESULTS>;

const outcomesOf = (t: Translations): Record<BulkOutcome["outcome"] | "not_sent", { word: string; icon: LucideIcon; tone: string }> => ({
  approved: { word: t.approved, icon: Check, tone: "approved" },
  price_moved: { word: t.priceMoved, icon: TrendingUp, tone: "pending" },
  decided: { word: t.decidedAlready, icon: UserCheck, tone: "lapsed" },
  needs_two: { word: t.needsTwoApprovals, icon: Users, tone: "pending" },
  not_sent: { word: t.notSent, icon: CircleSlash, tone: "lapsed" },
  refused: { word: t.notApproved, icon: Ban, tone: "failed" },
});

type Props = {
  outcomes: readonly BulkOutcome[];
  /** All that were to be approved. Those without an outcome were not sent, because somebody cancelled. */
  rows: readonly Awaiting[];
  onClose: () => void;
};

/** The outcome of each. */
export function BulkResults({ outcomes, rows, onClose }: Props) {
  const t = useTranslations(BULK_RESULTS);
  const approved = outcomes.filter(({ outcome }) => outcome === "approved").length;
  return (
    <>
      <p className="dialog-summary" role="status">
        {t.summary(approved, rows.length)}
      </p>
      <ul className="bulk-list" aria-label={t.results}>
        {rows.map(({ settlement }) => {
          const found = outcomes.find(({ tx_id }) => tx_id === settlement.tx_id);
          return (
            <li key={settlement.tx_id} className="bulk-row">
              <span className="queue-line">
                <span className="queue-who" translate="no">
                  {settlement.external_merchant_id}
                </span>
                <span className="queue-chips">
                  {found?.net && <Money amount={found.net} currency={settlement.destination_currency} />}
                  <Badge {...outcomesOf(t)[found?.outcome ?? "not_sent"]} />
                </span>
              </span>
              {found?.detail && (
                <span className="muted small">
                  <Served>{found.detail}</Served>
                </span>
              )}
            </li>
          );
        })}
      </ul>
      <div className="dialog-buttons">
        <Button look="primary" onClick={onClose}>
          {t.close}
        </Button>
      </div>
    </>
  );
}
