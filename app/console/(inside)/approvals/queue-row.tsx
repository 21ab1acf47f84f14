"use client";

import type { AwaitingApprovalWire } from "#server/contract/console/approval.ts";
import { Money } from "../../_components/money.tsx";
import { Time } from "../../_components/time.tsx";
import { DecidedAlready } from "./decided-already.tsx";

type Props = { row: AwaitingApprovalWire; chosen: boolean; leaving: boolean; onChoose: () => void };

/** What a decision turns on, in three lines. */
export function QueueRow({ row, chosen, leaving, onChoose }: Props) {
  const { settlement, amounts, partner, preview } = row;
  return (
    <li>
      <button
        type="button"
        id={`row-${settlement.tx_id}`}
        className="queue-row"
        aria-current={chosen ? "true" : undefined}
        onClick={onChoose}
        onFocus={onChoose}
      >
        {leaving && <DecidedAlready txId={settlement.tx_id} />}
        <span className="queue-line">
          <Money amount={amounts.source} currency={settlement.source_currency} />
          <Time at={settlement.created_at} />
        </span>
        <span className="queue-line">
          <span>
            → <Money amount={preview.proposed?.destination_amount ?? amounts.net} currency={settlement.destination_currency} />
          </span>
          <span className="muted">{preview.change ? `${preview.change.percent} %` : "no price"}</span>
        </span>
        <span className="queue-line muted small">
          <span className="short">
            {partner.name}, {settlement.external_merchant_id}
          </span>
          {preview.times_maximum && <span>{preview.times_maximum}× maximum</span>}
        </span>
      </button>
    </li>
  );
}
