"use client";

import Link from "next/link";
import type { AwaitingApprovalWire } from "#server/contract/console/approval.ts";
import { Button } from "../../_components/button.tsx";
import { Id } from "../../_components/id.tsx";
import { KeyValues } from "../../_components/key-values.tsx";
import { Money } from "../../_components/money.tsx";
import { Time, useHasPassed } from "../../_components/time.tsx";
import { grouped } from "../../_format/amount.ts";
import { CallbackTarget, PriceChange } from "./price-change.tsx";

type Props = { row: AwaitingApprovalWire; mayDecide: boolean; leaving: boolean; onDecide: (what: "approve" | "reject") => void };

/** The chosen settlement with everything to decide it by. */
export function Review({ row, mayDecide, leaving, onDecide }: Props) {
  const { settlement, amounts, partner, preview } = row;
  const lapsed = useHasPassed(settlement.expires_at);
  return (
    <section className="review" aria-label="The chosen settlement">
      <header className="review-header">
        <h2 className="amounts">
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
              disabled={leaving || preview.proposed === null}
              aria-keyshortcuts="a"
            >
              Approve
            </Button>
          </div>
        )}
      </header>
      {preview.maximum_source_amount && (
        <p>
          {preview.times_maximum} × the pair's maximum of {grouped(preview.maximum_source_amount)} {settlement.source_currency}.
        </p>
      )}
      {lapsed && <p className="muted">Original quote lapsed; approving re-prices.</p>}
      {preview.obstacle && (
        <p className="note" data-kind="danger">
          Pricing unavailable: {preview.obstacle.detail}
        </p>
      )}
      <PriceChange preview={preview} />
      <CallbackTarget url={preview.creation_callback_url} />
      <KeyValues
        items={[
          { key: "Partner", value: partner.name },
          { key: "Merchant", value: settlement.external_merchant_id },
          { key: "Wallet", value: <Id value={settlement.wallet_address} what="wallet" full /> },
          { key: "Chain", value: settlement.chain },
          { key: "Waiting since", value: <Time at={settlement.created_at} form="absolute" /> },
          { key: "Settlement", value: <Id value={settlement.tx_id} what="settlement" href={`/console/settlements/${settlement.tx_id}`} /> },
        ]}
      />
      <p className="small">
        <Link href={`/console/settlements/${settlement.tx_id}`}>Everything about this settlement</Link>
      </p>
    </section>
  );
}
