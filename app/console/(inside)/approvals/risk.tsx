import { TriangleAlert } from "lucide-react";
import { Id, Money, Time } from "../../_components/controls/values.tsx";
import { Served, Trans, useTranslations } from "../../_words/words.ts";
import type { Hint } from "./answers.ts";
import { RISK } from "./words.ts";

type Kind = Hint["kind"];

/** The weights for sorting the queue by risk: only an order, not a judgement. */
const WEIGHTS: Record<Kind, number> = { wallet_changed: 16, just_under_maximum: 8, far_above_usual: 4, repeated: 2, first_wallet_use: 1 };

export function riskWeight(hints: readonly Hint[] | undefined): number {
  return (hints ?? []).reduce((sum, { kind }) => sum + WEIGHTS[kind], 0);
}

/** The hints as chips. */
export function RiskChips({ hints }: { hints: readonly Hint[] }) {
  const t = useTranslations(RISK);
  return hints.map(({ kind, sentence }) => (
    <span key={kind} className="badge" data-tone="undelivered" title={sentence} data-served="title">
      <TriangleAlert aria-hidden size={13} />
      {t.hints[kind]}
    </span>
  ));
}

type TicksProps = {
  hints: readonly Hint[] | undefined;
  currency: string;
  ticked: readonly Kind[];
  /** null: nothing can be acknowledged here. */
  onTick: ((ticked: readonly Kind[]) => void) | null;
};

/** Each hint with its sentence and evidence, to be acknowledged one by one before an approval. */
export function HintTicks({ hints, currency, ticked, onTick }: TicksProps) {
  const t = useTranslations(RISK);
  if (hints === undefined) return <p className="muted small">{t.checkingHints}</p>;
  if (hints.length === 0) return <p className="muted small">{t.noneFound}</p>;
  const toggle = (kind: Kind) => onTick?.(ticked.includes(kind) ? ticked.filter((each) => each !== kind) : [...ticked, kind]);
  return (
    <ul className="hints" aria-label={t.warnings}>
      {hints.map((hint) => (
        <li key={hint.kind} className="hint">
          {onTick === null ? (
            <span className="hint-name">
              <TriangleAlert aria-hidden size={14} />
              {t.hints[hint.kind]}
            </span>
          ) : (
            <label className="check hint-name">
              <input type="checkbox" checked={ticked.includes(hint.kind)} onChange={() => toggle(hint.kind)} />
              {t.hints[hint.kind]}
            </label>
          )}
          <Evidence hint={hint} currency={currency} />
        </li>
      ))}
    </ul>
  );
}

/** The sentence; what it rests on opens on demand. */
function Evidence({ hint, currency }: { hint: Hint; currency: string }) {
  const t = useTranslations(RISK);
  return (
    <div className="hint-said small">
      <p>
        <Served>{hint.sentence}</Served>
      </p>
      {hint.usual && (
        <p className="muted">
          <Trans sentence={t.usualAmount(hint.usual.compared)} money={<Money amount={hint.usual.amount} currency={currency} />} />
        </p>
      )}
      {hint.evidence.length > 0 && (
        <details>
          <summary>{t.evidence(hint.evidence.length)}</summary>
          <ul>
            {hint.evidence.map((each) => (
              <li key={each.tx_id} className="risk-case">
                <Id value={each.tx_id} what={t.settlementNoun} href={`/console/settlements/${each.tx_id}`} copy={false} />
                <Money amount={each.source_amount} currency={each.source_currency} />
                <Id value={each.wallet_address} what={t.walletNoun} copy={false} />
                <Time at={each.at} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
