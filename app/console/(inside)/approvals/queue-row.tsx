import { BellOff, ChevronRight } from "lucide-react";
import { Digits, Money } from "../../_components/controls/values.tsx";
import { Data, useTranslations } from "../../_words/words.ts";
import type { Awaiting, Hint } from "./answers.ts";
import { DecidedAlready } from "./decided-already.tsx";
import { ApprovalCount, BeingReviewed, TogetherChip } from "./policy.tsx";
import { RiskChips } from "./risk.tsx";
import { Waiting } from "./waiting.tsx";
import { QUEUE_ROW } from "./words.ts";

type Props = {
  row: Awaiting;
  hints: readonly Hint[] | undefined;
  reviewer: string | undefined;
  chosen: boolean;
  leaving: boolean;
  /** null: nothing can be selected here. */
  selected: boolean | null;
  onSelect: () => void;
  /** `byKey`: with Enter, so that the focus follows. */
  onChoose: (byKey: boolean) => void;
};

/** The amounts, the recipient and the warnings of a settlement, each on its own line. Only the selected row is a tab stop. */
export function QueueRow({ row, hints, reviewer, chosen, leaving, selected, onSelect, onChoose }: Props) {
  const t = useTranslations(QUEUE_ROW);
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
            aria-label={t.select(settlement.external_merchant_id, t.format.grouped(amounts.source), settlement.source_currency)}
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
        {leaving && <DecidedAlready txId={settlement.tx_id} quiet />}
        <span className="queue-line">
          <strong>
            <Money amount={amounts.source} currency={settlement.source_currency} />
          </strong>
          <Waiting since={settlement.created_at} />
          <ChevronRight className="queue-opens" aria-hidden size={16} />
        </span>
        <span className="queue-net">
          <Net row={row} />
        </span>
        <span className="queue-who">
          <Data>{partner.name}</Data> <span aria-hidden>→</span> <Data>{settlement.external_merchant_id}</Data>
        </span>
        <span className="queue-chips">
          <ApprovalCount preview={preview} />
          {preview.policy.waits_for_others && <span className="small muted">{t.waitsForOthers}</span>}
          <BeingReviewed by={reviewer} />
          {hints && <RiskChips hints={hints} />}
          <TogetherChip preview={preview} />
          {preview.creation_callback_url === null && <NoCallback />}
        </span>
      </button>
    </li>
  );
}

/** The destination amount; with an arrow only if an approval would change it. */
function Net({ row: { settlement, amounts, preview } }: { row: Awaiting }) {
  const t = useTranslations(QUEUE_ROW);
  const { proposed, change } = preview;
  const moved = change !== null && change.net.difference !== "0";
  return (
    <span>
      {moved && (
        <>
          <Digits>{t.format.grouped(amounts.net)}</Digits> →{" "}
        </>
      )}
      <Money amount={proposed?.destination_amount ?? amounts.net} currency={settlement.destination_currency} />
      {moved && ` ${change.net.percent} %`}
      {proposed === null && t.noPrice}
    </span>
  );
}

function NoCallback() {
  const t = useTranslations(QUEUE_ROW);
  return (
    <span className="badge" data-tone="plain" title={t.partnerMustPoll}>
      <BellOff aria-hidden size={13} />
      {t.noCallback}
    </span>
  );
}
