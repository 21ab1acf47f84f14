import { Id } from "../../_components/controls/values.tsx";
import { Scroll } from "../../_components/frame/page-parts.tsx";
import { moneyColumn, Short, Table } from "../../_components/lists/table.tsx";
import { useTranslations } from "../../_words/words.ts";
import { compareAmounts } from "./amounts.ts";
import type { Hint, Row } from "./answers.ts";
import { BATCH_PANEL } from "./batch-words.ts";
import { RiskChips, riskWeight } from "./risk.tsx";
import { RISK } from "./words.ts";

/** How many items each kind of hint holds for. */
export type Counts = ReadonlyMap<Hint["kind"], number>;

export function countsOf(hints: ReadonlyMap<string, readonly Hint[]>): Counts {
  const counts = new Map<Hint["kind"], number>();
  for (const found of hints.values()) for (const { kind } of found) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

type BatchHintsProps = {
  /** How many items each kind of hint holds for; null: not all are checked yet. */
  counts: Counts | null;
  checked: number;
  items: number;
  ticked: readonly Hint["kind"][];
  onTick: ((ticked: readonly Hint["kind"][]) => void) | null;
};

/** Each kind of hint with its number of items, to be acknowledged one by one. */
export function BatchHints({ counts, checked, items, ticked, onTick }: BatchHintsProps) {
  const [t, names] = [useTranslations(BATCH_PANEL), useTranslations(RISK)];
  if (counts === null) {
    return (
      <p className="muted small" role="status">
        {t.checking(checked, items)}
      </p>
    );
  }
  if (counts.size === 0) return <p className="muted small">{t.nothingUnusual}</p>;
  const toggle = (kind: Hint["kind"]) => onTick?.(ticked.includes(kind) ? ticked.filter((each) => each !== kind) : [...ticked, kind]);
  return (
    <ul className="hints" aria-label={names.warnings}>
      {[...counts].map(([kind, count]) => (
        <li key={kind} className="hint">
          {onTick === null ? (
            <span className="hint-name">{t.kindOf(names.hints[kind], count)}</span>
          ) : (
            <label className="check hint-name">
              <input type="checkbox" checked={ticked.includes(kind)} onChange={() => toggle(kind)} />
              {t.kindOf(names.hints[kind], count)}
            </label>
          )}
        </li>
      ))}
    </ul>
  );
}

type ItemTableProps = { rows: readonly Row[]; hints: ReadonlyMap<string, readonly Hint[]>; caption: string };

/** All items: those with warnings first, then the largest. */
export function ItemTable({ rows, hints, caption }: ItemTableProps) {
  const t = useTranslations(BATCH_PANEL);
  const weight = ({ settlement }: Row) => riskWeight(hints.get(settlement.tx_id));
  const sorted = rows.toSorted((one, other) => weight(other) - weight(one) || compareAmounts(other.amounts.net, one.amounts.net));
  return (
    <Scroll label={caption}>
      <Table
        caption={caption}
        keyOf={({ settlement }) => settlement.tx_id}
        rows={sorted}
        columns={[
          {
            id: "merchant",
            header: t.merchant,
            card: 1.1,
            cell: ({ settlement }: Row) => <Short text={settlement.external_merchant_id} />,
          },
          {
            id: "wallet",
            header: t.wallet,
            card: 2.1,
            cell: ({ settlement }: Row) => <Id value={settlement.wallet_address} what={t.wallet} copy={false} />,
          },
          moneyColumn<Row>("source", t.amount, ({ amounts, settlement }) => [amounts.source, settlement.source_currency], { card: 1.2 }),
          {
            id: "hints",
            header: t.warnings,
            card: 3.1,
            cell: ({ settlement }: Row) => (
              <span className="queue-chips">
                <RiskChips hints={hints.get(settlement.tx_id) ?? []} />
              </span>
            ),
          },
        ]}
      />
    </Scroll>
  );
}
