import { z } from "zod";
import { instant, timestamp } from "#contract/primitives.ts";
import type { Webhook } from "#contract/webhook.ts";
import type { BatchEvent } from "#domain/callback.ts";
import type { SettlementEvent } from "#domain/lifecycle.ts";
import type { Settlement } from "#domain/settlement.ts";
import type { TalliedBatch } from "#domain/settlement-batch.ts";
import { batchSchema, renderBatch } from "./batches.ts";
import { publishedAmounts, settlementSchema } from "./settlement.ts";

/** The bodies of a settlement's callbacks: the fields of specification part 6, no more. What renders them below is typed by these. */

const { tx_id, external_tx_id, chain, source_amount, destination_amount, platform_fee } = settlementSchema.shape;

const settlementApprovedSchema = z.object({
  tx_id,
  external_tx_id,
  event: z.literal("settlement.approved").describe("The event that the callback reports"),
  status: z.literal("approved").describe("The decision. The settlement's own status is still quoted until you confirm it"),
  chain,
  source_amount,
  destination_amount,
  platform_fee,
  expires_at: timestamp.describe("When the new quote expires. Confirm before this instant to get these amounts"),
});

const settlementExecutedSchema = z.object({
  tx_id,
  external_tx_id,
  status: z.literal("executed").describe("The settlement's status, which is final"),
  tx_hash: z.string().describe("The hash of the transaction that paid. It is final on the chain"),
  chain,
  destination_amount,
  platform_fee,
  executed_at: timestamp.describe("When the payment became final on the chain"),
});

const settlementFailedSchema = z.object({
  tx_id,
  external_tx_id,
  status: z.literal("failed").describe("The settlement's status, which is final"),
  chain,
  destination_amount,
  platform_fee,
  failure_reason: z.string().describe("Why nothing was paid, in one sentence"),
});

const batchCompletedSchema = batchSchema.extend({ event: z.literal("batch.completed").describe("The event that the callback reports") });

/** An event that is missing here does not compile. */
export const SETTLEMENT_CALLBACKS = {
  "settlement.approved": {
    summary:
      "A settlement that needed approval was approved, at a new price, and can be confirmed. The callback goes to the URL given at creation, if any",
    body: settlementApprovedSchema,
  },
  "settlement.executed": { summary: "A settlement was paid. The payment is final on the chain", body: settlementExecutedSchema },
  "settlement.failed": { summary: "A settlement failed. Nothing was paid, and nothing will be", body: settlementFailedSchema },
  "batch.completed": {
    summary: "Every item of a batch has ended. The callback goes to the batch's URL",
    body: batchCompletedSchema,
  },
} as const satisfies Record<SettlementEvent | BatchEvent, Webhook>;

/** The exact bytes of a batch's callback: the batch without its items. */
export function renderBatchCallback(batch: TalliedBatch): string {
  return JSON.stringify({ ...renderBatch(batch), event: "batch.completed" } satisfies z.infer<typeof batchCompletedSchema>);
}

/** The exact bytes of a settlement's callback. */
export function renderSettlementCallback(settlement: Settlement, event: SettlementEvent): string {
  return JSON.stringify(RENDER[event](settlement));
}

const RENDER = { "settlement.approved": approved, "settlement.executed": executed, "settlement.failed": failed };

function approved(settlement: Settlement): z.infer<typeof settlementApprovedSchema> {
  return {
    tx_id: settlement.id,
    external_tx_id: settlement.externalTxId,
    event: "settlement.approved",
    status: "approved",
    chain: settlement.chain,
    source_amount: Number(settlement.sourceAmountMinor),
    ...publishedAmounts(settlement),
    expires_at: instant(settlement.quote.expiresAt),
  };
}

function executed(settlement: Settlement): z.infer<typeof settlementExecutedSchema> {
  return {
    tx_id: settlement.id,
    external_tx_id: settlement.externalTxId,
    status: "executed",
    tx_hash: fact(settlement.txHash),
    chain: settlement.chain,
    ...publishedAmounts(settlement),
    executed_at: instant(fact(settlement.executedAt)),
  };
}

function failed(settlement: Settlement): z.infer<typeof settlementFailedSchema> {
  return {
    tx_id: settlement.id,
    external_tx_id: settlement.externalTxId,
    status: "failed",
    chain: settlement.chain,
    ...publishedAmounts(settlement),
    failure_reason: fact(settlement.failureReason),
  };
}

/** What the lifecycle, and the database behind it, give every settlement that has come so far. */
function fact<Value>(value: Value | null): Value {
  if (value === null) throw new Error("a callback reports an end that the settlement does not have");
  return value;
}
