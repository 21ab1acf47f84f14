import { z } from "zod";
import { EXACT, instant, instantOrNull, type Numbers, timestamp } from "#contract/primitives.ts";
import { CALLBACK_EVENTS, type Callback, type CallbackAttempt } from "#domain/callback.ts";
import { publishableAmount } from "#domain/money.ts";
import { APPROVAL_STATES, SETTLEMENT_STATUSES, type Settlement } from "#domain/settlement.ts";
import { WAITING_KINDS, type Waiting } from "#domain/transfer.ts";

export const callbackAttemptSchema = z.object({
  number: z.int().min(1).max(6).nullable().describe("Null: one beside the six, asked for by hand"),
  scheduled_at: timestamp,
  sent_at: timestamp,
  duration_ms: z.int().nullable(),
  response_status: z.int().nullable(),
  error: z.string().nullable(),
});

const payloadSchema = z.record(z.string(), z.unknown());

/** A callback that was given up after six attempts (contract, part 4). */
export const undeliveredCallbackSchema = z.object({
  id: z.string(),
  event: z.enum(CALLBACK_EVENTS),
  callback_url: z.string(),
  created_at: timestamp,
  undelivered_at: timestamp,
  attempts: z.array(callbackAttemptSchema),
  payload: payloadSchema.describe("The body that was sent, as it was sent"),
});

/** The settlement on the wire (specification, part 2; contract, part 2). */
export const settlementSchema = z.object({
  tx_id: z.string(),
  external_tx_id: z.string().nullable().describe("The partner's reference; null until confirmation"),
  status: z.enum(SETTLEMENT_STATUSES),
  approval_state: z.enum(APPROVAL_STATES).nullable(),
  source_amount: z.int().describe("Minor units of the source currency"),
  source_currency: z.string(),
  destination_currency: z.string(),
  external_merchant_id: z.string(),
  chain: z.string().describe("CAIP-2"),
  wallet_address: z.string(),
  destination_amount: z.number().describe("Net amount delivered, after platform_fee"),
  platform_fee: z.number().describe("In the destination currency"),
  exchange_rate: z.number().describe("Destination units per one major unit of the source currency"),
  expires_at: timestamp,
  callback_url: z.string().nullable(),
  created_at: timestamp,
  confirmed_at: timestamp.nullable(),
  cancelled_at: timestamp.nullable(),
  approval_decided_at: timestamp.nullable(),
  rejection_reason: z.string().nullable(),
  waiting_reason: z
    .enum(WAITING_KINDS)
    .nullable()
    .describe("Why a payment that is processing does not move; null: it moves, or nothing is to be paid"),
  waiting_since: timestamp.nullable().describe("Since when it waits for that"),
  tx_hash: z.string().optional().describe("Present when executed"),
  executed_at: timestamp.optional().describe("Present when executed"),
  failure_reason: z.string().optional().describe("Present when failed"),
  undelivered_callbacks: z.array(undeliveredCallbackSchema),
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
 * A settlement with its undelivered callbacks, as every answer of the settlement surface shows it. `waiting`: why its payment does not
 * move; left out for one that is not `processing`.
 */
export function renderSettlement(
  settlement: Settlement,
  undelivered: readonly Callback[],
  waiting: Waiting | null = null,
  numbers: Numbers = EXACT,
): SettlementWire {
  return {
    tx_id: settlement.id,
    external_tx_id: settlement.externalTxId,
    status: settlement.status,
    approval_state: settlement.approvalState,
    source_amount: Number(settlement.sourceAmountMinor),
    source_currency: settlement.sourceCurrency,
    destination_currency: settlement.destinationCurrency,
    external_merchant_id: settlement.externalMerchantId,
    chain: settlement.chain,
    wallet_address: settlement.walletAddress,
    ...publishedAmounts(settlement, numbers),
    exchange_rate: numbers.of(settlement.quote.exchangeRate),
    expires_at: instant(settlement.quote.expiresAt),
    callback_url: settlement.callbackUrl ?? settlement.creationCallbackUrl,
    created_at: instant(settlement.createdAt),
    confirmed_at: instantOrNull(settlement.confirmedAt),
    cancelled_at: instantOrNull(settlement.cancelledAt),
    approval_decided_at: instantOrNull(settlement.approvalDecidedAt),
    rejection_reason: settlement.rejectionReason,
    waiting_reason: waiting?.kind ?? null,
    waiting_since: instantOrNull(waiting?.since ?? null),
    ...(settlement.txHash === null ? {} : { tx_hash: settlement.txHash }),
    ...(settlement.executedAt === null ? {} : { executed_at: instant(settlement.executedAt) }),
    ...(settlement.failureReason === null ? {} : { failure_reason: settlement.failureReason }),
    undelivered_callbacks: undelivered.flatMap((callback) => renderUndelivered(callback, numbers)),
  };
}

export function renderAttempt(attempt: CallbackAttempt): z.infer<typeof callbackAttemptSchema> {
  return {
    number: attempt.number,
    scheduled_at: instant(attempt.scheduledAt),
    sent_at: instant(attempt.sentAt),
    duration_ms: attempt.durationMs,
    response_status: attempt.responseStatus,
    error: attempt.error,
  };
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
      event: callback.event,
      callback_url: callback.url,
      created_at: instant(callback.createdAt),
      undelivered_at: instant(callback.undeliveredAt),
      attempts: callback.attempts.filter((attempt) => attempt.series === callback.series).map(renderAttempt),
      payload: renderPayload(callback.body, numbers),
    },
  ];
}
