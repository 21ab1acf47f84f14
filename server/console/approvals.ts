import { z } from "zod";
import { instant, plainText } from "#contract/primitives.ts";
import { MOST_APPROVED_AT_ONCE } from "#domain/approval.ts";
import { MOST_ITEMS } from "#domain/batch-size.ts";
import { decimal } from "#domain/decimal.ts";
import { RISK_HINT_KINDS, type RiskHintKind } from "#domain/risk-hint.ts";
import { operatorProcedure, router } from "#server/console/trpc/init.ts";
import { joinTrace } from "#server/observe/trace.ts";
import { reportTime } from "#server/services/maintenance/clock.ts";
import { approveSettlement } from "#server/services/settlements/approve-settlement.ts";
import { approveSettlements } from "#server/services/settlements/approve-settlements.ts";
import { approveBatch, rejectBatch } from "#server/services/settlements/batches/decide-batch.ts";
import { listItemsOf, listPendingBatches } from "#server/services/settlements/batches/list-pending-batches.ts";
import { readRows } from "#server/services/settlements/browse-settlements.ts";
import { claimReview, leaveReview, listReviews } from "#server/services/settlements/claim-review.ts";
import { countApprovalQueue, listApprovals, listLapsedApprovals, listOwnDecisions } from "#server/services/settlements/list-approvals.ts";
import { previewApproval } from "#server/services/settlements/preview-approval.ts";
import { readPast } from "#server/services/settlements/read-past.ts";
import { listRiskHints } from "#server/services/settlements/read-risk-hints.ts";
import { rejectSettlement } from "#server/services/settlements/reject-settlement.ts";
import { renderApprovalPreview, renderBulkOutcome, renderRiskHint, renderWaitingBatch } from "./approval-rows.ts";
import { renderPast } from "./past-rows.ts";
import { renderSettlementRow, showSettlement } from "./settlement-rows.ts";

const txId = plainText(1, 64);
const plainDecimal = z.string().regex(/^\d{1,30}(\.\d{1,30})?$/, { error: "must be a plain decimal" });
const oneBatch = z.strictObject({ batch_id: plainText(1, 64) });
const oneSettlement = z.strictObject({ tx_id: txId });
const hintKind = z.enum(RISK_HINT_KINDS);
/** A settlement, the hints that were acknowledged, and the price that was seen, a decimal as a text: the console does no arithmetic with floating point. */
const seen = z.strictObject({
  tx_id: txId,
  expected_exchange_rate: plainDecimal,
  acknowledged_hints: z.array(hintKind).max(RISK_HINT_KINDS.length),
});
const oneOfEach = (kinds: readonly RiskHintKind[]) => new Map(kinds.map((kind) => [kind, 1]));

const look = operatorProcedure();
const decide = operatorProcedure("decide_settlement");

/** What awaits an operator's decision, and the decisions. The services are those of the REST operations. */
export const approvalsRouter = router({
  list: look.query(async ({ ctx: { services, holder } }) => {
    const { items, more } = await listApprovals(services);
    const shown = { driftToleranceBps: services.policy.driftToleranceBps, asker: holder };
    return {
      data: items.map((item) => ({ ...renderSettlementRow(item), preview: renderApprovalPreview(item.preview, shown) })),
      more,
      now: instant(await reportTime(services)),
    };
  }),

  /** The number of each kind, and how long the decisions of the last 24 hours took. */
  counts: look.query(async ({ ctx: { services, holder } }) => {
    const { medianSeconds, ...counts } = await countApprovalQueue(services, holder.userId);
    return { ...counts, median_seconds: medianSeconds };
  }),

  decided: look.query(async ({ ctx: { services, holder } }) => {
    const items = await listOwnDecisions(services, holder.userId);
    return {
      data: items.map(({ decision, ...item }) => ({
        ...renderSettlementRow(item),
        decision: { action: decision.action, at: instant(decision.at), reason: decision.reason },
      })),
    };
  }),

  lapsed: look.query(async ({ ctx: { services } }) => ({
    data: (await listLapsedApprovals(services)).map((item) => renderSettlementRow(item)),
  })),

  preview: look.input(oneSettlement).query(async ({ ctx: { services, holder }, input }) => {
    const preview = await previewApproval(services, input.tx_id);
    const shown = { driftToleranceBps: services.policy.driftToleranceBps, asker: holder };
    return renderApprovalPreview(preview, shown);
  }),

  /** Why one might look twice at each of them, with the evidence. Asked for after the list: it may take a moment. */
  risk: look.input(z.strictObject({ tx_ids: z.array(txId).min(1).max(25) })).query(async ({ ctx: { services }, input }) => {
    const settlements = (await readRows(services, { ids: input.tx_ids })).map(({ settlement }) => settlement);
    const hints = await listRiskHints(services, settlements);
    return {
      data: settlements.map(({ id, sourceCurrency }) => ({
        tx_id: id,
        hints: (hints.get(id) ?? []).map((hint) => renderRiskHint(hint, sourceCurrency)),
      })),
    };
  }),

  /** The merchant's and the wallet's amounts before this one, as a drawing and in words. */
  past: look.input(oneSettlement).query(async ({ ctx: { services }, input }) => renderPast(await readPast(services, input.tx_id))),

  /** Who is reviewing which settlement now. */
  reviews: look.query(async ({ ctx: { services, holder } }) => {
    const claims = await listReviews(services);
    return {
      data: claims.map(({ settlementId, userId, userName }) => ({ tx_id: settlementId, by: userName, is_mine: userId === holder.userId })),
    };
  }),

  claim: decide
    .meta({ stepUp: false })
    .input(oneSettlement)
    .mutation(async ({ ctx: { services, holder }, input }) => {
      await claimReview(services, { settlementId: input.tx_id, userId: holder.userId });
      return {};
    }),

  leave: decide.meta({ stepUp: false }).mutation(async ({ ctx: { services, holder } }) => {
    await leaveReview(services, holder.userId);
    return {};
  }),

  /** Answers the settlement: still pending after the first of two approvals. */
  approve: decide.input(seen.extend({ note: plainText(1, 1_000).optional() })).mutation(async ({ ctx: { services, by }, input }) => {
    const expectedExchangeRate = decimal(input.expected_exchange_rate);
    const acknowledgedHints = oneOfEach(input.acknowledged_hints);
    const seenAs = { note: input.note ?? null, expectedExchangeRate, acknowledgedHints };
    const approved = await approveSettlement(services, { by, id: input.tx_id, ...seenAs });
    joinTrace(approved.trace, "settlement.approve");
    return showSettlement(approved);
  }),

  approveMany: decide
    .input(z.strictObject({ items: z.array(seen).min(1).max(MOST_APPROVED_AT_ONCE) }))
    .mutation(async ({ ctx: { services, by }, input }) => {
      const items = input.items.map(({ tx_id, expected_exchange_rate, acknowledged_hints }) => ({
        id: tx_id,
        expectedExchangeRate: decimal(expected_exchange_rate),
        acknowledgedHints: oneOfEach(acknowledged_hints),
      }));
      const outcomes = await approveSettlements(services, { by, items });
      for (const each of outcomes) if (each.outcome === "approved") joinTrace(each.settlement.trace, "settlement.approve");
      return { data: outcomes.map(renderBulkOutcome) };
    }),

  /** Batches that await a decision: their items are decided together (contract, part 11). */
  batches: look.query(async ({ ctx: { services, holder } }) => {
    const found = await listPendingBatches(services);
    return { data: found.map((one) => renderWaitingBatch(one, holder.userId)) };
  }),

  batchItems: look.input(oneBatch).query(async ({ ctx: { services }, input }) => ({
    data: (await listItemsOf(services, input.batch_id)).map((item) => renderSettlementRow(item)),
  })),

  /**
   * `expected_total`: the net amounts that were seen, by currency. `acknowledged_hints`: for how many items each was acknowledged. Answers
   * what is left to approve.
   */
  approveBatch: decide
    .input(
      oneBatch.extend({
        expected_total: z.record(plainText(1, 16), plainDecimal),
        acknowledged_hints: z.partialRecord(hintKind, z.int().min(0).max(MOST_ITEMS)),
        note: plainText(1, 1_000).optional(),
      }),
    )
    .mutation(async ({ ctx: { services, by }, input }) => {
      const expectedTotal = new Map(Object.entries(input.expected_total).map(([currency, amount]) => [currency, decimal(amount)]));
      const acknowledgedHints = new Map(RISK_HINT_KINDS.map((kind) => [kind, input.acknowledged_hints[kind] ?? 0]));
      const seenAs = { note: input.note ?? null, expectedTotal, acknowledgedHints };
      const batch = await approveBatch(services, { by, id: input.batch_id, ...seenAs });
      return { approval_state: batch.approvalState };
    }),

  rejectBatch: decide.input(oneBatch.extend({ reason: plainText(8, 1_000) })).mutation(async ({ ctx: { services, by }, input }) => {
    await rejectBatch(services, { by, id: input.batch_id, reason: input.reason });
    return {};
  }),

  reject: decide.input(z.strictObject({ tx_id: txId, reason: plainText(8, 1_000) })).mutation(async ({ ctx: { services, by }, input }) => {
    const rejected = await rejectSettlement(services, { by, id: input.tx_id, reason: input.reason });
    joinTrace(rejected.trace, "settlement.reject");
    return showSettlement(rejected);
  }),
});
