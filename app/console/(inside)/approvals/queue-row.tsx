import { BellOff, BellRing } from "lucide-react";
import { Digits, Money } from "../../_components/controls/values.tsx";
import { grouped } from "../../_format/amount.ts";
import type { Awaiting, Hint } from "./answers.ts";
import { DecidedAlready } from "./decided-already.tsx";
import { ApprovalCount, BeingReviewed } from "./policy.tsx";
import { RiskChips } from "./risk.tsx";
import { Waiting } from "./waiting.tsx";

type Props = {
  row: Awaiting;
  hints: readonly Hint[] | undefined;
  reviewer: string | undefined;
  chosen: boolean;
  leaving: boolean;
  /** null: nothing can be selected here. */
  selected: boolean | null;
  onSelect: () => void;
  /** `byKey`: with Enter, so that focus should follow. */
  onChoose: (byKey: boolean) => void;
  onHint: (kind: Hint["kind"]) => void;
};

/** What a decision turns on, in four lines. One row is a stop for Tab: the chosen one. */
export function QueueRow({ row, hints, reviewer, chosen, leaving, selected, onSelect, onChoose, onHint }: Props) {
  const { settlement, amounts, partner, preview } = row;
  const stop = chosen ? 0 : -1;
  return (
    <li className="queue-item" data-chosen={chosen || undefined}>
      {selected !== null && (
        <label className="queue-check">
          <input
            type="checkbox"
            checked={selected}
            onChange={onSelect}
            tabIndex={stop}
            aria-label={`Select ${settlement.external_merchant_id}, ${grouped(amounts.source)} ${settlement.source_currency}`}
          />
        </label>
      )}
      <button
        type="button"
        id={`row-${settlement.tx_id}`}
        className="queue-row"
        aria-current={chosen ? "true" : undefined}
        tabIndex={stop}
        onClick={(event) => onChoose(event.detail === 0)}
      >
        {leaving && <DecidedAlready txId={settlement.tx_id} />}
        <span className="queue-line">
          <span className="queue-who">
            {partner.name} · {settlement.external_merchant_id}
          </span>
          <Waiting since={settlement.created_at} />
        </span>
        <span className="queue-line">
          <strong>
            <Money amount={amounts.source} currency={settlement.source_currency} />
          </strong>
          <span className="muted small">{preview.times_maximum} × maximum</span>
        </span>
        <span className="queue-line">
          <span>
            <span className="muted">
              <Digits>{grouped(amounts.net)}</Digits>
            </span>{" "}
            →{" "}
            {preview.proposed ? (
              <Money amount={preview.proposed.destination_amount} currency={settlement.destination_currency} />
            ) : (
              <span className="muted">no price</span>
            )}
          </span>
          {preview.change && <span className="small">{preview.change.net.percent} %</span>}
        </span>
        <span className="queue-chips">
          <ApprovalCount preview={preview} />
          <BeingReviewed by={reviewer} />
          {hints && <RiskChips hints={hints} onOpen={onHint} />}
          <Callback url={preview.creation_callback_url} />
        </span>
      </button>
    </li>
  );
}

function Callback({ url }: { url: string | null }) {
  const Icon = url === null ? BellOff : BellRing;
  return (
    <span className="badge" data-tone="plain" title={url ?? "The partner has to poll"}>
      <Icon aria-hidden size={13} />
      {url === null ? "No callback" : "Callback"}
    </span>
  );
}
