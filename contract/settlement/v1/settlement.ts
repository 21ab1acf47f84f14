import { z } from "zod";
import { metadataShown, rateUnit, renderMetadata, renderRateUnit } from "#contract/metadata.ts";
import { EXACT, exactAmount, instant, instantOrNull, type Numbers, timestamp } from "#contract/primitives.ts";
import { chainShown, createdAt, cryptoShown, fiatShown, settlementId, updatedAt } from "#contract/shared-fields.ts";
import { toWire } from "#contract/wire.ts";
import type { Callback, CallbackAttempt } from "#domain/callback.ts";
import { SETTLEMENT_EVENTS } from "#domain/lifecycle.ts";
import { publishableAmount } from "#domain/money.ts";
import { APPROVAL_STATES, SETTLEMENT_STATUSES, type Settlement, updatedAtOf } from "#domain/settlement.ts";
import { WAITING_KINDS, type Waiting } from "#domain/transfer.ts";
import { knownCostSchema, renderCost, type ShownCost } from "./network-cost.ts";

export const callbackAttemptSchema = z.object({
  number: z
    .int()
    .min(1)
    .max(6)
    .nullable()
    .describe("The number of the attempt, 1 to 6. Null for an attempt that a person requested in addition to the six"),
  scheduled_at: timestamp.describe("When the attempt was due"),
  sent_at: timestamp.describe("When the attempt began"),
  duration_ms: z.int().nullable().describe("How long the attempt took, in milliseconds. Null while it is in progress"),
  response_status: z
    .int()
    .nullable()
    .describe("The HTTP status that your receiver answered. Null if no answer came, or the attempt is in progress"),
  error: z.string().nullable().describe("Why the attempt failed, in one sentence. Null if it succeeded or is in progress"),
});

const payloadSchema = z.record(z.string(), z.unknown());

/** The events in lists of a settlement's callbacks, a value set that does not change. Those of later kinds are in none of these lists. */
const LISTED_EVENTS = [...SETTLEMENT_EVENTS, "withdrawal.completed", "withdrawal.failed", "topup.completed", "topup.failed"] as const;

export function listedEvent({ event }: Callback): (typeof LISTED_EVENTS)[number] {
  const listed = LISTED_EVENTS.find((each) => each === event);
  if (listed === undefined) throw new Error(`a callback of ${event} is in no list of a settlement's`);
  return listed;
}

/** What a callback is, in every list of them. */
export const callbackFields = {
  id: z.string().describe("The callback's id. It begins with cb_. Every attempt sends it in the header webhook-id"),
  event: z.enum(LISTED_EVENTS).describe("The event that the callback reports"),
  callback_url: z.string().describe("The URL that the callback is sent to"),
  created_at: createdAt,
};

/** A callback that was given up after six attempts (contract, part 4). */
export const undeliveredCallbackSchema = z.object({
  ...callbackFields,
  undelivered_at: timestamp.describe("When the service stopped trying: the end of the sixth attempt"),
  attempts: z.array(callbackAttemptSchema).describe("The attempts since the callback was created or last resent"),
  payload: payloadSchema.describe("The body of the callback, exactly as it was sent"),
});

/** The settlement on the wire (specification, part 2; contract, part 2). */
export const settlementSchema = z.object({
  tx_id: settlementId,
  batch_id: z
    .string()
    .nullable()
    .describe(
      "The id of the batch that the settlement belongs to. It is confirmed, cancelled and decided with that batch. Null if it belongs to no batch",
    ),
  external_tx_id: z
    .string()
    .nullable()
    .describe("Your own reference. Null until you confirm the settlement. An item of a batch has it from the start"),
  status: z.enum(SETTLEMENT_STATUSES).describe("The settlement's status. executed, failed and cancelled are final"),
  approval_state: z
    .enum(APPROVAL_STATES)
    .nullable()
    .describe(
      "The state of the operator's approval. While it is pending, the settlement cannot be confirmed. Null if no approval is needed",
    ),
  source_amount: z.int().describe("The amount to settle, in minor units of source_currency: 1000000 is 10,000.00 KES"),
  source_currency: fiatShown.describe("The fiat currency that you collect, as an ISO 4217 code such as KES"),
  destination_currency: cryptoShown.describe("The symbol of the token that the wallet receives, such as USDT"),
  external_merchant_id: z.string().describe("Your own id for the merchant that is paid"),
  chain: chainShown,
  wallet_address: z.string().describe("The merchant's wallet on the chain. The crypto is sent to it"),
  destination_amount: exactAmount(
    "The net amount that the wallet receives, in units of destination_currency. platform_fee is already deducted, and the amount is rounded down",
  ),
  platform_fee: exactAmount("The fixed fee, in units of destination_currency. It is already deducted from destination_amount"),
  exchange_rate: exactAmount("Units of destination_currency for one major unit of source_currency, such as 0.0077 USDT for 1 KES"),
  rate_unit: rateUnit,
  expires_at: timestamp.describe("When the quote expires. Confirm before this instant. An approval sets a new one"),
  callback_url: z
    .string()
    .nullable()
    .describe(
      "The URL that callbacks are sent to: the one given at confirmation, or else the one given at creation. Null until you give one",
    ),
  metadata: metadataShown,
  created_at: createdAt,
  updated_at: updatedAt,
  confirmed_at: timestamp.nullable().describe("When it was confirmed. Null until then"),
  cancelled_at: timestamp.nullable().describe("When it was cancelled or rejected. Null if neither has happened"),
  approval_decided_at: timestamp
    .nullable()
    .describe("When an operator approved or rejected it. Null until then, and if no approval is needed"),
  rejection_reason: z.string().nullable().describe("The operator's reason for a rejection. Null if it was not rejected"),
  waiting_reason: z
    .enum(WAITING_KINDS)
    .nullable()
    .describe(
      "Why the payment of a processing settlement is waiting. treasury_funding: for funds. chain_unavailable: for the chain. review and hold: for the operator's people. Null if it is not waiting",
    ),
  waiting_since: timestamp.nullable().describe("When the payment began to wait for waiting_reason. Null if it is not waiting"),
  tx_hash: z
    .string()
    .optional()
    .describe(
      "The hash of the transaction that paid: 0x and 64 hex digits on EVM and Tempo, 64 hex digits on Tron, base 58 on Solana. One transaction may pay several settlements. Present only once the status is executed",
    ),
  executed_at: timestamp.optional().describe("When the payment became final on the chain. Present only once the status is executed"),
  failure_reason: z.string().optional().describe("Why nothing was paid, in one sentence. Present only once the status is failed"),
  failed_at: timestamp
    .optional()
    .describe("When it failed. Present only once the status is failed. Settlements that failed before this field existed do not have it"),
  network_cost: knownCostSchema
    .nullable()
    .optional()
    .describe(
      "What the payment would cost us, as far as we know it when you create the settlement. Null if it is not known then. Present only in the answer that creates it",
    ),
  undelivered_callbacks: z
    .array(undeliveredCallbackSchema)
    .describe("Callbacks that could not be delivered in six attempts. Usually empty"),
});
export type SettlementWire = z.infer<typeof settlementSchema>;

/** `destination_amount` and `platform_fee` as exact decimals. */
export function publishedAmounts(
  { quote, tokenDecimals }: Settlement,
  numbers: Numbers = EXACT,
): { destination_amount: number; platform_fee: number } {
  return {
    destination_amount: numbers.of(publishableAmount(quote.destinationAmountBase, tokenDecimals)),
    platform_fee: numbers.of(publishableAmount(quote.platformFeeBase, tokenDecimals)),
  };
}

/**
 * A settlement with its undelivered callbacks, as in every answer of the settlement surface. `waiting`: why its payment makes no progress;
 * omitted unless it is `processing`.
 */
export function renderSettlement(
  settlement: Settlement,
  undelivered: readonly Callback[],
  waiting: Waiting | null = null,
  numbers: Numbers = EXACT,
): SettlementWire {
  return {
    tx_id: settlement.id,
    ...toWire(settlement, "batchId", "externalTxId", "status", "approvalState"),
    source_amount: Number(settlement.sourceAmountMinor),
    ...toWire(settlement, "sourceCurrency", "destinationCurrency", "externalMerchantId", "chain", "walletAddress"),
    ...publishedAmounts(settlement, numbers),
    exchange_rate: numbers.of(settlement.quote.exchangeRate),
    rate_unit: renderRateUnit(settlement.destinationCurrency, settlement.sourceCurrency),
    expires_at: instant(settlement.quote.expiresAt),
    callback_url: settlement.callbackUrl ?? settlement.creationCallbackUrl,
    metadata: renderMetadata(settlement.metadata),
    updated_at: instant(updatedAtOf(settlement)),
    ...toWire(settlement, "createdAt", "confirmedAt", "cancelledAt", "approvalDecidedAt", "rejectionReason"),
    waiting_reason: waiting?.kind ?? null,
    waiting_since: instantOrNull(waiting?.since ?? null),
    ...(settlement.txHash === null ? {} : { tx_hash: settlement.txHash }),
    ...(settlement.executedAt === null ? {} : { executed_at: instant(settlement.executedAt) }),
    ...(settlement.failureReason === null ? {} : { failure_reason: settlement.failureReason }),
    ...(settlement.failedAt === null ? {} : { failed_at: instant(settlement.failedAt) }),
    undelivered_callbacks: undelivered.flatMap((callback) => renderUndelivered(callback, numbers)),
  };
}

/** A settlement that was just made, with what its payment would cost; null: that is not known. */
export function renderCreated(settlement: Settlement, cost: ShownCost | null): SettlementWire {
  return { ...renderSettlement(settlement, []), network_cost: renderCost(cost) };
}

export function renderAttempt(attempt: CallbackAttempt): z.infer<typeof callbackAttemptSchema> {
  return toWire(attempt, "number", "scheduledAt", "sentAt", "durationMs", "responseStatus", "error");
}

/** The frozen body as an object, each number with the very digits that were sent. */
export function renderPayload(body: string, numbers: Numbers = EXACT): Record<string, unknown> {
  return payloadSchema.parse(numbers.read(body));
}

function renderUndelivered(callback: Callback, numbers: Numbers): z.infer<typeof undeliveredCallbackSchema>[] {
  if (callback.undeliveredAt === null) return [];
  return [
    {
      id: callback.id,
      event: listedEvent(callback),
      callback_url: callback.url,
      created_at: instant(callback.createdAt),
      undelivered_at: instant(callback.undeliveredAt),
      attempts: callback.attempts.filter((attempt) => attempt.series === callback.series).map(renderAttempt),
      payload: renderPayload(callback.body, numbers),
    },
  ];
}
