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

/** The hints as chips. `onOpen`: hovering over a chip shows its evidence. */
export function RiskChips({ hints, onOpen }: { hints: readonly Hint[]; onOpen?: (kind: Kind) => void }) {
  const t = useTranslations(RISK);
  return hints.map(({ kind, sentence }) => (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: a shortcut for those who point; the keyboard finds the evidence next to the row
    <span
      key={kind}
      className="badge risk-chip"
      data-tone="undelivered"
      title={sentence}
      data-served="title"
      onClick={() => onOpen?.(kind)}
    >
      <TriangleAlert aria-hidden size={13} />
      {t.hints[kind]}
    </span>
  ));
}

type EvidenceProps = {
  hints: readonly Hint[] | undefined;
  opened: Kind | null;
  onToggle: (kind: Kind | null) => void;
  currency: string;
};

/** Each hint with its evidence. */
export function RiskEvidence({ hints, opened, onToggle, currency }: EvidenceProps) {
  const t = useTranslations(RISK);
  if (hints === undefined) return <p className="muted small">{t.checkingHints}</p>;
  if (hints.length === 0) return <p className="muted small">{t.noHints}</p>;
  return (
    <ul className="risk-list" aria-label={t.warnings}>
      {hints.map((hint) => (
        <li key={hint.kind}>
          <button
            type="button"
            className="risk-button badge"
            data-tone="undelivered"
            aria-expanded={opened === hint.kind}
            onClick={() => onToggle(opened === hint.kind ? null : hint.kind)}
          >
            <TriangleAlert aria-hidden size={14} />
            {t.hints[hint.kind]}
          </button>
          {opened === hint.kind && <Evidence hint={hint} currency={currency} />}
        </li>
      ))}
    </ul>
  );
}

function Evidence({ hint, currency }: { hint: Hint; currency: string }) {
  const t = useTranslations(RISK);
  return (
    <div className="risk-evidence">
      <p>
        <Served>{hint.sentence}</Served>
      </p>
      {hint.usual && (
        <p className="muted small">
          <Trans sentence={t.usualAmount(hint.usual.compared)} money={<Money amount={hint.usual.amount} currency={currency} />} />
        </p>
      )}
      {hint.evidence.length > 0 && (
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
      )}
    </div>
  );
}
