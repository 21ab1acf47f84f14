import { useQuery } from "@tanstack/react-query";
import { ArrowLeft } from "lucide-react";
import { type KeyboardEvent, useEffect } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { lazyComponent } from "../../_components/controls/lazy-component.tsx";
import { Link } from "../../_components/controls/link.tsx";
import { Id, Money, Time, useHasPassed } from "../../_components/controls/values.tsx";
import { Note } from "../../_components/frame/page-parts.tsx";
import { useShortcut } from "../../_components/frame/shortcuts.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import { Trans, useTranslations } from "../../_words/words.ts";
import { NetworkCost } from "../settlements/[tx_id]/network-cost.tsx";
import type { Awaiting, Hint } from "./answers.ts";
import { DecidedAlready } from "./decided-already.tsx";
import { focusPanel } from "./focus-panel.ts";
import type { Outcome, What } from "./foot-parts.tsx";
import { Past } from "./past-strip.tsx";
import { ApprovalCount, ApprovalsSoFar, BeingReviewed, DecisionFacts, Together } from "./policy.tsx";
import { Price } from "./price-change.tsx";
import { Recipient } from "./recipient.tsx";
import { HintTicks } from "./risk.tsx";
import { useDraft } from "./use-draft.ts";
import { FRESH_MS, useOpenDecision } from "./use-open-decision.ts";
import { Waiting } from "./waiting.tsx";
import { PANEL } from "./words.ts";

const ApproveFoot = lazyComponent(() => import("./approve-foot.tsx").then(({ ApproveFoot: Loaded }) => Loaded));
const RejectFoot = lazyComponent(() => import("./reject-foot.tsx").then(({ RejectFoot: Loaded }) => Loaded));

/** What a decision is about, in the queue and on the settlement's own page. */
export type Decidable = Pick<Awaiting, "settlement" | "preview"> & { partner: { name: string }; amounts: { source: string; net: string } };

type Props = {
  row: Decidable;
  hints: readonly Hint[] | undefined;
  reviewer?: string | undefined;
  mayDecide: boolean;
  /** Somebody has decided it. */
  leaving?: boolean;
  /** The decision that is open in it; null: none yet. */
  deciding: What | null;
  onDecide: (what: What | null) => void;
  /** `hasLeft`: another settlement is in the panel by now. */
  onDecided: (outcome: Outcome, hasLeft: boolean) => void;
  onBack?: () => void;
};

/**
 * The decision: on top who is paid, then how much, what is unusual, and the price. At the foot it is approved or rejected, in two acts: no
 * single press decides.
 */
export function DecisionPanel({ row, hints, reviewer, mayDecide, leaving = false, deciding, onDecide, onDecided, onBack }: Props) {
  const t = useTranslations(PANEL);
  const { settlement, amounts, partner } = row;
  const id = settlement.tx_id;
  const trpc = useTRPC();
  const { draft, change, forget } = useDraft(id);
  const isApproving = deciding === "approve";
  const fresh = useQuery(
    trpc.approvals.preview.queryOptions(
      { tx_id: id },
      { staleTime: 0, gcTime: 0, enabled: isApproving, refetchInterval: draft.isTyping ? false : FRESH_MS },
    ),
  );
  const preview = (isApproving && fresh.data) || row.preview;
  const past = useQuery(
    trpc.approvals.past.queryOptions({ tx_id: id }, { staleTime: Number.POSITIVE_INFINITY, meta: { still: true } }),
  ).data;
  const isDecided = useOpenDecision(id) || leaving;
  const lapsed = useHasPassed(settlement.expires_at);
  useEffect(() => {
    if (deciding !== null) focusPanel();
  }, [deciding]);
  // The button that was pressed may have taken the focus with it.
  useShortcut("Escape", t.closeDecision, () => onDecide(null), deciding !== null);
  const decided = (outcome: Outcome, hasLeft: boolean) => {
    forget();
    onDecided(outcome, hasLeft);
  };
  const close = () => onDecide(null);
  const shared = { id, draft, change, isDecided, onClose: close, onDecided: decided };
  return (
    <section
      className="review"
      aria-label={t.label}
      data-about={settlement.external_merchant_id}
      onKeyDown={(event) => keys(event, deciding === null ? null : close)}
    >
      {onBack && (
        <div className="review-back">
          <Button look="quiet" icon={ArrowLeft} onClick={onBack}>
            {t.backToList}
          </Button>
        </div>
      )}
      <div className="review-body">
        <p className="chips">
          <Waiting since={settlement.created_at} />
          <ApprovalCount preview={preview} />
          <BeingReviewed by={reviewer} />
        </p>
        <Recipient
          partner={partner.name}
          merchant={settlement.external_merchant_id}
          wallet={settlement.wallet_address}
          chain={settlement.chain}
          past={past}
        />
        <p className="decision-amount">
          <Money amount={amounts.source} currency={settlement.source_currency} />{" "}
          <span className="decision-net">
            <span aria-hidden>→</span>{" "}
            <Money amount={(preview.proposed ?? preview.current).destination_amount} currency={settlement.destination_currency} />
          </span>
        </p>
        <HintTicks
          hints={hints}
          currency={settlement.source_currency}
          ticked={draft.ticked}
          onTick={mayDecide && !isDecided ? (ticked) => change({ ticked }) : null}
        />
        <Together preview={preview} />
        <Past past={past} />
        <ApprovalsSoFar preview={preview} />
        {preview.obstacle && <Note kind="danger">{t.pricingUnavailable(preview.obstacle.detail)}</Note>}
        <Price preview={preview} lapsed={lapsed} />
        <NetworkCost txId={id} />
        <DecisionFacts preview={preview} />
        <p className="review-about small muted">
          <span>
            <Trans sentence={t.waitingSince} time={<Time at={settlement.created_at} form="absolute" />} />
          </span>
          <Id value={id} what={t.settlementNoun} />
          <Link href={`/console/settlements/${id}`}>{t.openSettlement}</Link>
        </p>
      </div>
      {mayDecide && (
        <div className="review-foot">
          {deciding === null && !isDecided && (
            <AtRest preview={preview} source={amounts.source} missing={missingOf(hints, draft.ticked)} onDecide={onDecide} />
          )}
          {deciding === null && isDecided && <DecidedAlready txId={id} quiet />}
          {isApproving && <ApproveFoot {...shared} preview={fresh} hints={hints} missing={missingOf(hints, draft.ticked)} />}
          {deciding === "reject" && <RejectFoot {...shared} />}
        </div>
      )}
    </section>
  );
}

type AtRestProps = { preview: Decidable["preview"]; source: string; missing: number | null; onDecide: (what: What) => void };

function AtRest({ preview, source, missing, onDecide }: AtRestProps) {
  const t = useTranslations(PANEL);
  return (
    <div className="foot-decide">
      <span className="muted small">{missing === null ? t.checkingHints : missing > 0 && t.toAcknowledge(missing)}</span>
      <Button look="danger" onClick={() => onDecide("reject")} aria-keyshortcuts="r">
        {t.reject}
      </Button>
      <Button
        look="primary"
        onClick={() => onDecide("approve")}
        disabled={preview.policy.waits_for_others || preview.proposed === null}
        aria-keyshortcuts="a"
      >
        {`${t.approve} ${t.format.grouped(source)} ${preview.settlement.source_currency}`}
      </Button>
    </div>
  );
}

/** How many hints are not acknowledged yet; null: they are not read yet. */
function missingOf(hints: readonly Hint[] | undefined, ticked: readonly Hint["kind"][]): number | null {
  return hints === undefined ? null : hints.filter(({ kind }) => !ticked.includes(kind)).length;
}

/** Ctrl or ⌘ with Enter presses the button that commits, and Escape closes the open decision, wherever in the panel the focus is. */
export function keys(event: KeyboardEvent<HTMLElement>, close: (() => void) | null): void {
  if (event.repeat || event.defaultPrevented) return;
  if (event.key === "Escape" && close !== null) {
    event.preventDefault();
    close();
  }
  if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey)) return;
  const button = event.currentTarget.querySelector<HTMLButtonElement>('button[aria-keyshortcuts~="Control+Enter"]');
  if (button === null) return;
  event.preventDefault();
  button.click();
}
