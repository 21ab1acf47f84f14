import { ArrowLeft } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { Id, KeyValues, Money, Time, useHasPassed } from "../../_components/controls/values.tsx";
import { Note } from "../../_components/frame/page-parts.tsx";
import type { Awaiting, Hint } from "./answers.ts";
import { ApprovalCount, ApprovalsSoFar, BeingReviewed, DecisionFacts } from "./policy.tsx";
import { PriceChange } from "./price-change.tsx";
import { RiskEvidence } from "./risk.tsx";
import { Waiting } from "./waiting.tsx";

type Props = {
  row: Awaiting;
  hints: readonly Hint[] | undefined;
  /** The hint whose evidence was asked for in the list. */
  hint: Hint["kind"] | null;
  reviewer: string | undefined;
  mayDecide: boolean;
  leaving: boolean;
  onDecide: (what: "approve" | "reject") => void;
  onBack: () => void;
};

/** The chosen settlement with everything to decide it by. */
export function Review({ row, hints, hint, reviewer, mayDecide, leaving, onDecide, onBack }: Props) {
  const { settlement, amounts, partner, preview } = row;
  const [opened, setOpened] = useState(hint);
  const lapsed = useHasPassed(settlement.expires_at);
  const gaveFirst = preview.policy.approvals.some(({ is_mine }) => is_mine);
  return (
    <section className="review" aria-label="The chosen settlement">
      <div className="review-back">
        <Button look="quiet" icon={ArrowLeft} onClick={onBack}>
          Back to the list
        </Button>
      </div>
      <header className="review-header">
        <h2 id="review-heading" tabIndex={-1} className="amounts">
          <Money amount={amounts.source} currency={settlement.source_currency} size="large" />
        </h2>
        {mayDecide && (
          <div className="decide">
            <Button look="danger" onClick={() => onDecide("reject")} disabled={leaving} aria-keyshortcuts="r">
              Reject
            </Button>
            <Button
              look="primary"
              onClick={() => onDecide("approve")}
              disabled={leaving || gaveFirst || preview.proposed === null}
              aria-keyshortcuts="a"
            >
              Approve
            </Button>
          </div>
        )}
      </header>
      <p className="chips">
        <Waiting since={settlement.created_at} />
        <ApprovalCount preview={preview} />
        <BeingReviewed by={reviewer} />
        {lapsed && <span className="muted">Original quote lapsed; approving re-prices.</span>}
      </p>
      <ApprovalsSoFar preview={preview} />
      {preview.obstacle && <Note kind="danger">Pricing unavailable: {preview.obstacle.detail}</Note>}
      <PriceChange preview={preview} />
      <DecisionFacts preview={preview} />
      <div className="review-part">
        <h3>Why to look twice</h3>
        <RiskEvidence hints={hints} opened={opened} onToggle={setOpened} currency={settlement.source_currency} />
      </div>
      <div className="review-part">
        <h3>Settlement</h3>
        <KeyValues
          items={[
            { key: "Partner", value: partner.name },
            { key: "Merchant", value: settlement.external_merchant_id },
            { key: "Wallet", value: <Id value={settlement.wallet_address} what="wallet" full /> },
            { key: "Chain", value: settlement.chain },
            { key: "Waiting since", value: <Time at={settlement.created_at} form="absolute" /> },
            { key: "Settlement", value: <Id value={settlement.tx_id} what="settlement" /> },
          ]}
        />
        <p className="small">
          <Link href={`/console/settlements/${settlement.tx_id}`}>Everything about this settlement</Link>
        </p>
      </div>
    </section>
  );
}
