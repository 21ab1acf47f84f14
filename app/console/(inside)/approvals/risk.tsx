import { TriangleAlert } from "lucide-react";
import { Id, Money, Time } from "../../_components/controls/values.tsx";
import type { Hint } from "./answers.ts";

type Kind = Hint["kind"];

/** What each hint is called, and how much it weighs where the queue is sorted by risk: an order for eyes, no judgement. */
const HINTS: Record<Kind, { word: string; weight: number }> = {
  wallet_changed: { word: "Wallet changed", weight: 16 },
  just_under_maximum: { word: "Just under maximum", weight: 8 },
  far_above_usual: { word: "Far above usual", weight: 4 },
  repeated: { word: "Repeated", weight: 2 },
  first_wallet_use: { word: "First use of wallet", weight: 1 },
};

export function riskWeight(hints: readonly Hint[] | undefined): number {
  return (hints ?? []).reduce((sum, { kind }) => sum + HINTS[kind].weight, 0);
}

/** The hints in a word each. `onOpen`: a chip that is pointed at shows its evidence. */
export function RiskChips({ hints, onOpen }: { hints: readonly Hint[]; onOpen?: (kind: Kind) => void }) {
  return hints.map(({ kind, sentence }) => (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: a shortcut for those who point; the keyboard finds the evidence beside the row
    <span key={kind} className="badge risk-chip" data-tone="undelivered" title={sentence} onClick={() => onOpen?.(kind)}>
      <TriangleAlert aria-hidden size={13} />
      {HINTS[kind].word}
    </span>
  ));
}

type EvidenceProps = {
  hints: readonly Hint[] | undefined;
  opened: Kind | null;
  onToggle: (kind: Kind | null) => void;
  currency: string;
};

/** Each hint with what it rests on. */
export function RiskEvidence({ hints, opened, onToggle, currency }: EvidenceProps) {
  if (hints === undefined) return <p className="muted small">Looking for anything unusual…</p>;
  if (hints.length === 0) return <p className="muted small">Nothing unusual was found.</p>;
  return (
    <ul className="risk-list" aria-label="Why to look twice">
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
            {HINTS[hint.kind].word}
          </button>
          {opened === hint.kind && <Evidence hint={hint} currency={currency} />}
        </li>
      ))}
    </ul>
  );
}

function Evidence({ hint, currency }: { hint: Hint; currency: string }) {
  return (
    <div className="risk-evidence">
      <p>{hint.sentence}</p>
      {hint.usual && (
        <p className="muted small">
          95 of 100 stayed below <Money amount={hint.usual.amount} currency={currency} />; {hint.usual.compared} were compared.
        </p>
      )}
      {hint.evidence.length > 0 && (
        <ul>
          {hint.evidence.map((each) => (
            <li key={each.tx_id} className="risk-case">
              <Id value={each.tx_id} what="settlement" href={`/console/settlements/${each.tx_id}`} copy={false} />
              <Money amount={each.source_amount} currency={each.source_currency} />
              <Id value={each.wallet_address} what="wallet" copy={false} />
              <Time at={each.at} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
