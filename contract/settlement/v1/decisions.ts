import { z } from "zod";
import { jsonDecimal } from "#contract/json-number.ts";
import { defineOperation } from "#contract/operation.ts";
import { plainText } from "#contract/primitives.ts";
import { decisionReason, settlementId } from "#contract/shared-fields.ts";
import { batchId, batchSchema, expectedTotal } from "./batches.ts";
import { settlementSchema } from "./settlement.ts";

/**
 * An operator's decisions on a settlement above the pair's maximum, or one that is held (contract, parts 6 and 10). They answer in the
 * partner surface's style.
 */

const decision = {
  method: "POST",
  scope: "settlements:write",
  caller: "operator",
  permission: "decide_settlement",
  kind: "write",
  params: z.strictObject({ tx_id: settlementId }),
  result: settlementSchema,
} as const;

export const approveSettlementOperation = defineOperation({
  ...decision,
  id: "approve_settlement",
  summary:
    "Approve a settlement: it gets a new price and can be confirmed. Above the second threshold it stays pending until a second approval. Where a passkey must sign, as in live mode by default, only a person in the console can approve",
  path: "/admins/settlements/{tx_id}/approve",
  body: z.strictObject({
    note: plainText(1, 1_000).optional().describe("The reason for the decision. It is kept in the audit log"),
    expected_exchange_rate: jsonDecimal
      .optional()
      .describe("The rate that you saw. If the rate has moved since, the request is refused with rate_moved"),
  }),
  bodyRequired: false,
  refusals: [
    "settlement_not_found",
    "batch_member",
    "invalid_state",
    "same_approver",
    "same_person",
    "step_up_required",
    "passkey_required",
    "rate_moved",
    "rate_unavailable",
    "unsupported_pair",
    "amount_too_small",
  ],
});

export const rejectSettlementOperation = defineOperation({
  ...decision,
  id: "reject_settlement",
  summary: "Reject a settlement: it is cancelled, and no callback is sent",
  path: "/admins/settlements/{tx_id}/reject",
  body: z.strictObject({ reason: plainText(8, 1_000).describe("The reason. The partner sees it as rejection_reason") }),
  refusals: ["settlement_not_found", "batch_member", "invalid_state", "step_up_required"],
});

const batchDecision = { ...decision, params: z.strictObject({ batch_id: batchId }), result: batchSchema } as const;

export const approveBatchOperation = defineOperation({
  ...batchDecision,
  id: "approve_batch",
  summary:
    "Approve all items of a batch: they get a new price and can be confirmed. Where two people must approve, the batch stays pending until the second approval",
  path: "/admins/settlement-batches/{batch_id}/approve",
  body: z.strictObject({
    note: plainText(1, 1_000).optional().describe("The reason for the decision. It is kept in the audit log"),
    expected_total: expectedTotal
      .optional()
      .describe(
        'The total that you saw in each destination currency, such as {"USDT": 153.5}. If the rate has moved since, the request is refused with rate_moved',
      ),
  }),
  bodyRequired: false,
  refusals: [
    "batch_not_found",
    "invalid_state",
    "same_approver",
    "same_person",
    "step_up_required",
    "passkey_required",
    "rate_moved",
    "rate_unavailable",
    "unsupported_pair",
    "unsupported_chain",
    "amount_too_small",
    "amount_too_large",
  ],
});

export const rejectBatchOperation = defineOperation({
  ...batchDecision,
  id: "reject_batch",
  summary: "Reject a batch: it is cancelled with all its items, and no callback is sent",
  path: "/admins/settlement-batches/{batch_id}/reject",
  body: z.strictObject({ reason: plainText(8, 1_000).describe("The reason. The partner sees it as rejection_reason of each item") }),
  refusals: ["batch_not_found", "invalid_state", "step_up_required"],
});

/** Only an administrator decides on a held settlement: it may be beyond what the operator is ready to lose. */
const heldDecision = {
  ...decision,
  permission: "administer",
  refusals: ["settlement_not_found", "not_found", "invalid_state", "step_up_required"],
} as const;

export const releaseSettlementOperation = defineOperation({
  ...heldDecision,
  id: "release_settlement",
  summary:
    "Release a held settlement, so that it is paid. It is not held for the same reason again. In live mode a second person must confirm the release, and no API key can release",
  path: "/admins/settlements/{tx_id}/release",
  body: z.strictObject({ reason: decisionReason }),
  refusals: [...heldDecision.refusals, "person_required", "conflict"],
});

export const refuseSettlementOperation = defineOperation({
  ...heldDecision,
  id: "refuse_settlement",
  summary: "Refuse a held settlement: nothing is paid, and it fails with the given reason",
  path: "/admins/settlements/{tx_id}/refuse",
  body: z.strictObject({ reason: plainText(8, 500).describe("The reason. The partner sees it in failure_reason") }),
});
