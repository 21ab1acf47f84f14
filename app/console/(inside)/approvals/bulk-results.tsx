import { Ban, Check, type LucideIcon, TrendingUp, UserCheck, Users } from "lucide-react";
import { Button } from "../../_components/controls/button.tsx";
import { Badge, Money } from "../../_components/controls/values.tsx";
import type { Awaiting, BulkOutcome } from "./answers.ts";

const OUTCOMES: Record<BulkOutcome["outcome"], { word: string; icon: LucideIcon; tone: string }> = {
  approved: { word: "Approved", icon: Check, tone: "approved" },
  price_moved: { word: "Price moved", icon: TrendingUp, tone: "pending" },
  decided: { word: "Decided already", icon: UserCheck, tone: "lapsed" },
  needs_two: { word: "Needs two approvals", icon: Users, tone: "pending" },
  refused: { word: "Not approved", icon: Ban, tone: "failed" },
};

type Props = { outcomes: readonly BulkOutcome[]; rows: readonly Awaiting[]; onClose: () => void };

/** What came of each. */
export function BulkResults({ outcomes, rows, onClose }: Props) {
  const approved = outcomes.filter(({ outcome }) => outcome === "approved").length;
  return (
    <>
      <p className="dialog-summary" role="status">
        {approved} of {outcomes.length} approved{approved < outcomes.length ? "; the others are as they were." : "."}
      </p>
      <ul className="bulk-list" aria-label="Results">
        {outcomes.map(({ tx_id, outcome, net, detail }) => {
          const row = rows.find(({ settlement }) => settlement.tx_id === tx_id);
          return (
            <li key={tx_id} className="bulk-row">
              <span className="queue-line">
                <span className="queue-who">{row?.settlement.external_merchant_id ?? tx_id}</span>
                <span className="queue-chips">
                  {net && row && <Money amount={net} currency={row.settlement.destination_currency} />}
                  <Badge {...OUTCOMES[outcome]} />
                </span>
              </span>
              {detail && <span className="muted small">{detail}</span>}
            </li>
          );
        })}
      </ul>
      <div className="dialog-buttons">
        <Button look="primary" onClick={onClose}>
          Close
        </Button>
      </div>
    </>
  );
}
