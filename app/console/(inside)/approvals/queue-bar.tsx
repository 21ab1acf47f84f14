import { Button } from "../../_components/controls/button.tsx";
import { Money } from "../../_components/controls/values.tsx";
import { useTranslations } from "../../_words/words.ts";
import { sumsOf } from "./amounts.ts";
import { QUEUE_SORTS, type QueueSort } from "./search-params.ts";
import type { Selection } from "./use-selection.ts";
import { QUEUE_BAR } from "./words.ts";

type Props = {
  sort: QueueSort;
  onSort: (sort: QueueSort) => void;
  /** null: nothing can be selected here. */
  selection: Selection | null;
  listed: number;
  onApprove: () => void;
};

/** Above the list: its order, and the selection with one sum per currency. */
export function QueueBar({ sort, onSort, selection, listed, onApprove }: Props) {
  const t = useTranslations(QUEUE_BAR);
  const count = selection?.rows.length ?? 0;
  return (
    <div className="queue-bar">
      <div className="queue-bar-line">
        {selection && (
          <label className="check queue-all">
            <input
              type="checkbox"
              checked={count > 0 && count === listed}
              ref={(box) => {
                if (box) box.indeterminate = count > 0 && count < listed;
              }}
              onChange={() => (count > 0 ? selection.clear() : selection.all())}
            />
            {count > 0 ? t.selected(count) : t.selectAll}
          </label>
        )}
        <label className="queue-sort">
          <span className="muted small">{t.order}</span>
          <select
            className="input"
            value={sort}
            onChange={({ target }) => onSort(QUEUE_SORTS.find((each) => each === target.value) ?? "waiting")}
          >
            {QUEUE_SORTS.map((each) => (
              <option key={each} value={each}>
                {t.sorts[each]}
              </option>
            ))}
          </select>
        </label>
      </div>
      {selection && count > 0 && (
        <div className="queue-bar-line queue-selected">
          <Sums rows={selection.rows} />
          <Button look="primary" onClick={onApprove}>
            {t.approveSelected}
          </Button>
        </div>
      )}
    </div>
  );
}

/** One sum per currency. */
export function Sums({ rows }: { rows: Selection["rows"] }) {
  const sums = sumsOf(rows.map(({ amounts, settlement }) => ({ amount: amounts.source, currency: settlement.source_currency })));
  return (
    <span className="sums">
      {sums.map(({ amount, currency }) => (
        <Money key={currency} amount={amount} currency={currency} />
      ))}
    </span>
  );
}
