import { renderApprovalPreview } from "#server/contract/console/approval.ts";
import { approveInput, oneSettlement, rejectInput } from "#server/contract/console/requests.ts";
import { renderSettlementRow } from "#server/contract/console/settlement.ts";
import { instant } from "#server/contract/primitives.ts";
import { renderSettlement } from "#server/contract/settlement/v1/settlement.ts";
import { decimal } from "#server/domain/decimal.ts";
import { approveSettlement } from "#server/services/settlements/approve-settlement.ts";
import { listApprovals } from "#server/services/settlements/list-approvals.ts";
import { previewApproval } from "#server/services/settlements/preview-approval.ts";
import { rejectSettlement } from "#server/services/settlements/reject-settlement.ts";
import { tellTime } from "#server/services/upkeep/tell-time.ts";
import { operatorProcedure, router } from "../init.ts";

const decide = operatorProcedure("decide_settlement");

/** What awaits an operator's decision, and the decisions. The services are those of the REST operations. */
export const approvalsRouter = router({
  list: operatorProcedure().query(async ({ ctx: { services } }) => {
    const { items, more } = await listApprovals(services);
    return {
      data: items.map((item) => {
        const row = renderSettlementRow(item, []);
        return { ...row, preview: renderApprovalPreview(item.preview, row.settlement, services.policy.driftToleranceBps) };
      }),
      more,
      now: instant(await tellTime(services)),
    };
  }),

  preview: operatorProcedure()
    .input(oneSettlement)
    .query(async ({ ctx: { services }, input }) => {
      const preview = await previewApproval(services, input.tx_id);
      return renderApprovalPreview(preview, renderSettlement(preview.settlement, []), services.policy.driftToleranceBps);
    }),

  approve: decide.input(approveInput).mutation(async ({ ctx: { services, by }, input }) => {
    const approved = await approveSettlement(services, {
      by,
      id: input.tx_id,
      note: input.note ?? null,
      expectedExchangeRate: decimal(input.expected_exchange_rate),
    });
    return renderSettlement(approved, []);
  }),

  reject: decide.input(rejectInput).mutation(async ({ ctx: { services, by }, input }) => {
    return renderSettlement(await rejectSettlement(services, { by, id: input.tx_id, reason: input.reason }), []);
  }),
});
