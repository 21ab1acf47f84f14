import { instant } from "#contract/primitives.ts";
import { OPERATOR_ROLES, type UserRole } from "#domain/access.ts";
import { type Decider, nearsTwoApprovals } from "#domain/approval.ts";
import { countsFor, type Elector } from "#domain/approval-policy.ts";
import { fiatAmount, tokenAmount } from "#domain/money.ts";
import { priceChange, timesOf } from "#domain/price-change.ts";
import type { RiskHint } from "#domain/risk-hint.ts";
import type { BulkOutcome } from "#server/services/settlements/approve-settlements.ts";
import type { WaitingBatch } from "#server/services/settlements/batches/list-pending-batches.ts";
import type { ApprovalPreview } from "#server/services/settlements/price-approvals.ts";
import { renderDemand } from "./approval-policy.ts";
import { renderExpectedTotal, renderTotals } from "./batch-rows.ts";
import { renderQuote, showSettlement } from "./settlement-rows.ts";

/** The present result of an approval. `asker`: the user whose own approval is marked, and whether one is needed at all. */
export function renderApprovalPreview(
  preview: ApprovalPreview,
  { driftToleranceBps, asker }: { driftToleranceBps: number; asker: { userId: string; role: UserRole } },
) {
  const { settlement, proposed, rule, demand, who } = preview;
  const { tokenDecimals, quote, sourceAmountMinor, sourceCurrency } = settlement;
  const given = preview.approvals.filter(({ counts }) => counts).length;
  const isAsker = ({ type, id }: Decider) => type === "user" && id === asker.userId;
  return {
    settlement: showSettlement(settlement),
    source_amount: fiatAmount(sourceAmountMinor, sourceCurrency),
    current: renderQuote(quote, tokenDecimals, true),
    proposed: proposed && renderQuote(proposed, tokenDecimals, true),
    change: proposed && priceChange(quote, proposed, tokenDecimals),
    /** Why it cannot be priced. */
    obstacle: preview.obstacle,
    /** The terms' threshold that applies, and the approvals so far. Amounts in units of the source currency. */
    policy: {
      maximum_source_amount: fiatAmount(rule.maximumSourceMinor, sourceCurrency),
      two_approvals_above_amount: rule.twoApprovalsAboveMinor === null ? null : fiatAmount(rule.twoApprovalsAboveMinor, sourceCurrency),
      /** From the approval policy at its quote; null: it asked for nothing. */
      demand: demand && renderDemand(demand),
      /** The user is one of the people whom it asks. */
      may_approve: countsFor(who, electorOf(asker)),
      approvals_needed: preview.needed,
      approvals_given: given,
      /** The user has approved, and others must too. If enough approvals count again, the user may complete it. */
      waits_for_others: given < preview.needed && preview.approvals.some(({ decider }) => isAsker(decider)),
      approvals: preview.approvals.map(({ decider, name, approvedAt, note, counts }) => ({
        by: decider.type === "user" ? (name ?? "somebody") : `an operator's key “${name ?? "unknown"}”`,
        is_mine: isAsker(decider),
        at: instant(approvedAt),
        note,
        /** False: its author has lost the role since, or is not one of the people whom it asks. */
        counts,
      })),
    },
    /** The source amount over the pair's maximum. */
    times_maximum: timesOf(sourceAmountMinor, rule.maximumSourceMinor),
    together: renderTogether(preview),
    cover: renderCover(preview),
    creation_callback_url: settlement.creationCallbackUrl,
    drift_tolerance_bps: driftToleranceBps,
  };
}

function electorOf({ userId, role: userRole }: { userId: string; role: UserRole }): Elector {
  const role = OPERATOR_ROLES.find((each) => each === userRole);
  return role === undefined ? null : { principal: userId, role };
}

/** What waits for the merchant together, where more than this one does. */
function renderTogether({ settlement, together, rule, needed }: ApprovalPreview) {
  return (
    together && {
      others: together.count - 1,
      source_amount: fiatAmount(together.sumMinor, settlement.sourceCurrency),
      /** One approval is enough for this one; the sum is near the amount that needs two, or above it. */
      is_near_two_approvals: needed === 1 && nearsTwoApprovals(together.sumMinor, rule),
    }
  );
}

/** The largest known balance of a wallet that may pay it; null: unknown. */
function renderCover({ settlement, proposed, largestBalanceBase }: ApprovalPreview) {
  if (largestBalanceBase === null) return null;
  const due = (proposed ?? settlement.quote).destinationAmountBase;
  return {
    wallet_amount: tokenAmount(largestBalanceBase, settlement.tokenDecimals),
    times: largestBalanceBase > 100n * due ? "over 100" : timesOf(largestBalanceBase, due),
    is_enough: largestBalanceBase >= due,
  };
}

/** A batch, with what its pairs come to as quoted and now; amounts are exact decimals as texts. */
export function renderWaitingBatch({ batch, partner, proposed, obstacle, needed, approvals }: WaitingBatch, asker: string) {
  return {
    batch_id: batch.id,
    external_batch_id: batch.externalBatchId,
    created_at: instant(batch.createdAt),
    item_count: batch.itemCount,
    partner,
    totals: renderTotals(batch.totals).map((total, index) => ({
      ...total,
      proposed_amount: proposed && (renderTotals(proposed)[index] ?? total).destination_amount,
    })),
    /** To be sent with an approval; null: it cannot be priced now. */
    expected_total: proposed && renderExpectedTotal(proposed),
    obstacle: obstacle?.message ?? null,
    approvals_needed: needed,
    approvals_given: approvals.length,
    /** The user has approved, and somebody else must too. */
    waits_for_others: approvals.length < needed && approvals.some(({ decider }) => decider.type === "user" && decider.id === asker),
  };
}

/** Why a person might look twice. Amounts in units of the settlement's source currency. */
export function renderRiskHint(hint: RiskHint, sourceCurrency: string) {
  const figure = (name: string) => hint.figures.find((each) => each.name === name)?.value;
  const [usual, compared] = [figure("p95"), figure("compared")];
  return {
    kind: hint.kind,
    sentence: hint.sentence,
    /** 95 of 100 of the merchant's settlements stayed below that, among this many compared; null: too few to say. */
    usual: usual === undefined ? null : { amount: fiatAmount(BigInt(usual), sourceCurrency), compared: compared ?? "0" },
    evidence: hint.evidence.map(({ id, at, sourceAmountMinor, sourceCurrency: currency, walletAddress }) => ({
      tx_id: id,
      at: instant(at),
      source_amount: fiatAmount(sourceAmountMinor, currency),
      source_currency: currency,
      wallet_address: walletAddress,
    })),
  };
}

/** What came of one of many that were to be approved: what is paid now where it was, and a sentence where that does not say all. */
export function renderBulkOutcome(result: BulkOutcome) {
  const { id, outcome } = result;
  const base = { tx_id: id, outcome, net: null, detail: null };
  if (result.outcome === "approved") {
    const { quote, tokenDecimals } = result.settlement;
    return { ...base, net: tokenAmount(quote.destinationAmountBase, tokenDecimals) };
  }
  const decision = result.outcome === "decided" ? result.decision : null;
  return { ...base, detail: decision ? decidedBy(decision) : (result.refusal?.message ?? null) };
}

type Decision = NonNullable<Extract<BulkOutcome, { outcome: "decided" }>["decision"]>;

function decidedBy({ action, actorType, actorName }: Decision): string {
  const verb = action === "settlement.approved" ? "approved" : "rejected";
  const who =
    actorType === "system" ? "the service" : actorType === "user" ? (actorName ?? "somebody") : `an operator's key “${actorName}”`;
  return `Already ${verb} by ${who}.`;
}
