import { ArrowLeft } from "lucide-react";
import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { Link } from "../../_components/controls/link.tsx";
import { Id, KeyValues, Money, Time, useHasPassed } from "../../_components/controls/values.tsx";
import { Note } from "../../_components/frame/page-parts.tsx";
import { useTranslations } from "../../_words/words.ts";
import type { Awaiting, Hint } from "./answers.ts";
import { ApprovalCount, ApprovalsSoFar, BeingReviewed, DecisionFacts } from "./policy.tsx";
import { PriceChange } from "./price-change.tsx";
import { Recipient } from "./recipient.tsx";
import { RiskEvidence } from "./risk.tsx";
import { Waiting } from "./waiting.tsx";
import { REVIEW } from "./words.ts";

type Props = {
  row: Awaiting;
  hints: readonly Hint[] | undefined;
  /** The hint whose evidence was opened from the list. */
  hint: Hint["kind"] | null;
  reviewer: string | undefined;
  mayDecide: boolean;
  leaving: boolean;
  onDecide: (what: "approve" | "reject") => void;
  onBack: () => void;
};

/** The selected settlement with everything needed for the decision. */
export function Review({ row, hints, hint, reviewer, mayDecide, leaving, onDecide, onBack }: Props) {
  const t = useTranslations(REVIEW);
  const { settlement, amounts, partner, preview } = row;
  const [opened, setOpened] = useState(hint);
  const lapsed = useHasPassed(settlement.expires_at);
  return (
    <section className="review" aria-label={t.label}>
      <div className="review-back">
        <Button look="quiet" icon={ArrowLeft} onClick={onBack}>
          {t.backToList}
        </Button>
      </div>
      <header className="review-header">
        <h2 id="review-heading" tabIndex={-1} className="amounts">
          <Money amount={amounts.source} currency={settlement.source_currency} size="large" />
        </h2>
        {mayDecide && (
          <div className="decide">
            <Button look="danger" onClick={() => onDecide("reject")} disabled={leaving} aria-keyshortcuts="r">
              {t.reject}
            </Button>
            <Button
              look="primary"
              onClick={() => onDecide("approve")}
              disabled={leaving || preview.policy.waits_for_others || preview.proposed === null}
              aria-keyshortcuts="a"
            >
              {t.approve}
            </Button>
          </div>
        )}
      </header>
      <p className="chips">
        <Waiting since={settlement.created_at} />
        <ApprovalCount preview={preview} />
        <BeingReviewed by={reviewer} />
        {lapsed && <span className="muted">{t.quoteLapsed}</span>}
      </p>
      <Recipient
        partner={partner.name}
        merchant={settlement.external_merchant_id}
        wallet={settlement.wallet_address}
        chain={settlement.chain}
        hints={hints}
      />
      <ApprovalsSoFar preview={preview} />
      {preview.obstacle && <Note kind="danger">{t.pricingUnavailable(preview.obstacle.detail)}</Note>}
      <PriceChange preview={preview} />
      <DecisionFacts preview={preview} />
      <div className="review-part">
        <h3>{t.warnings}</h3>
        <RiskEvidence hints={hints} opened={opened} onToggle={setOpened} currency={settlement.source_currency} />
      </div>
      <div className="review-part">
        <h3>{t.settlement}</h3>
        <KeyValues
          items={[
            { key: t.waitingSince, value: <Time at={settlement.created_at} form="absolute" /> },
            { key: t.settlement, value: <Id value={settlement.tx_id} what={t.settlementNoun} /> },
          ]}
        />
        <p className="small">
          <Link href={`/console/settlements/${settlement.tx_id}`}>{t.openSettlement}</Link>
        </p>
      </div>
    </section>
  );
}
