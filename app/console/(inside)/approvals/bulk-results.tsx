"use client";

import { Ban, Check, type LucideIcon, TrendingUp, UserCheck, Users } from "lucide-react";
import type { AwaitingApprovalWire } from "#contract/console/approval.ts";
import type { BulkOutcomeWire } from "#contract/console/approval-queue.ts";
import { Button } from "../../_components/controls/button.tsx";
import { Money } from "../../_components/controls/money.tsx";
import { Badge } from "../../_components/controls/status-badge.tsx";

const OUTCOMES: Record<BulkOutcomeWire["outcome"], { word: string; icon: LucideIcon; tone: string }> = {
  approved: { word: "Approved", icon: Check, tone: "approved" },
  price_moved: { word: "Price moved", icon: TrendingUp, tone: "pending" },
  decided: { word: "Decided already", icon: UserCheck, tone: "lapsed" },
  needs_two: { word: "Needs two approvals", icon: Users, tone: "pending" },
  refused: { word: "Not approved", icon: Ban, tone: "failed" },
};

type Props = { outcomes: readonly BulkOutcomeWire[]; rows: readonly AwaitingApprovalWire[]; onClose: () => void };

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
