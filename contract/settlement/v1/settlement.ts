import { z } from "zod";
import { EXACT, exactAmount, instant, instantOrNull, type Numbers, timestamp } from "#contract/primitives.ts";
import { chainShown, createdAt, cryptoShown, fiatShown, settlementId } from "#contract/shared-fields.ts";
import { toWire } from "#contract/wire.ts";
import type { Callback, CallbackAttempt } from "#domain/callback.ts";
import { SETTLEMENT_EVENTS } from "#domain/lifecycle.ts";
import { publishableAmount } from "#domain/money.ts";
import { APPROVAL_STATES, SETTLEMENT_STATUSES, type Settlement } from "#domain/settlement.ts";
import { TOPUP_EVENTS } from "#domain/topup.ts";
import { WAITING_KINDS, type Waiting } from "#domain/transfer.ts";
import { WITHDRAWAL_EVENTS } from "#domain/withdrawal.ts";

export const callbackAttemptSchema = z.object({
  number: z.int().min(1).max(6).nullable().describe("1 to 6; null: a manual attempt, besides the six"),
  scheduled_at: timestamp.describe("When it was due"),
  sent_at: timestamp.describe("When it began"),
  duration_ms: z.int().nullable().describe("How long it took, in milliseconds; null while it is under way"),
  response_status: z.int().nullable().describe("HTTP status that the receiver answered; null: no answer came, or none yet"),
  error: z.string().nullable().describe("Why it did not deliver, in a sentence; null: it did, or it is under way"),
});

const payloadSchema = z.record(z.string(), z.unknown());

/** The events in lists of callbacks, a value set that does not change. No list has a batch's. */
const LISTED_EVENTS = [...SETTLEMENT_EVENTS, ...WITHDRAWAL_EVENTS, ...TOPUP_EVENTS] as const;

export function listedEvent({ event }: Callback): (typeof LISTED_EVENTS)[number] {
  if (event === "batch.completed") throw new Error("a batch's callback is in no list");
  return event;
}

/** What a callback is, in every list of them. */
export const callbackFields = {
  id: z.string().describe("The callback's id, cb_…; the header webhook-id of every attempt"),
  event: z.enum(LISTED_EVENTS).describe("What has happened"),
  callback_url: z.string().describe("Where it is sent"),
  created_at: createdAt,
};

/** A callback that was given up after six attempts (contract, part 4). */
export const undeliveredCallbackSchema = z.object({
  ...callbackFields,
  undelivered_at: timestamp.describe("When it was given up: the end of the sixth attempt"),
  attempts: z.array(callbackAttemptSchema).describe("Those since it was created or last resent"),
  payload: payloadSchema.describe("The body that was sent, as it was sent"),
});

/** The settlement on the wire (specification, part 2; contract, part 2). */
export const settlementSchema = z.object({
  tx_id: settlementId,
  batch_id: z.string().nullable().describe("Its batch, with which it is confirmed and decided; null: it is on its own"),
  external_tx_id: z.string().nullable().describe("The partner's reference; null until confirmation, but for an item of a batch"),
  status: z.enum(SETTLEMENT_STATUSES).describe("How far it has come; executed, failed and cancelled are final"),
  approval_state: z
    .enum(APPROVAL_STATES)
    .nullable()
    .describe("An operator's approval: while pending it cannot be confirmed; null: it needs none"),
  source_amount: z.int().describe("Minor units of the source currency"),
  source_currency: fiatShown.describe("Fiat that the partner takes in, ISO 4217"),
  destination_currency: cryptoShown.describe("Symbol of the token that is paid out"),
  external_merchant_id: z.string().describe("The partner's own name for the merchant who is paid"),
  chain: chainShown,
  wallet_address: z.string().describe("The merchant's wallet on the chain, where the crypto goes"),
  destination_amount: exactAmount(
    "Net amount that the wallet gets, in units of the destination currency: after platform_fee, rounded down",
  ),
  platform_fee: exactAmount("Fixed fee, in units of the destination currency"),
  exchange_rate: exactAmount("Destination units per one major unit of the source currency, such as 0.0077 USDT per KES"),
  expires_at: timestamp.describe("Before this instant the quote can be confirmed; approval sets a new one"),
  callback_url: z
    .string()
    .nullable()
    .describe("Where callbacks go: as given at confirmation, before that at creation; null until one is given"),
  created_at: createdAt,
  confirmed_at: timestamp.nullable().describe("When it was confirmed; null until then"),
  cancelled_at: timestamp.nullable().describe("When it was cancelled or rejected; null: it was neither"),
  approval_decided_at: timestamp.nullable().describe("When it was approved or rejected; null: neither yet, or it needs no approval"),
  rejection_reason: z.string().nullable().describe("Why it was rejected, in words; null: it was not"),
  waiting_reason: z
    .enum(WAITING_KINDS)
    .nullable()
    .describe("Why a payment that is processing does not move; null: it moves, or nothing is to be paid"),
  waiting_since: timestamp.nullable().describe("Since when it waits for that; null where waiting_reason is"),
  tx_hash: z.string().optional().describe("The transaction that paid; present when executed"),
  executed_at: timestamp.optional().describe("When the payment was final on the chain; present when executed"),
  failure_reason: z.string().optional().describe("Why nothing was paid, in a sentence; present when failed"),
  undelivered_callbacks: z.array(undeliveredCallbackSchema).describe("Callbacks that were given up after six attempts; usually empty"),
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
    expires_at: instant(settlement.quote.expiresAt),
    callback_url: settlement.callbackUrl ?? settlement.creationCallbackUrl,
    ...toWire(settlement, "createdAt", "confirmedAt", "cancelledAt", "approvalDecidedAt", "rejectionReason"),
    waiting_reason: waiting?.kind ?? null,
    waiting_since: instantOrNull(waiting?.since ?? null),
    ...(settlement.txHash === null ? {} : { tx_hash: settlement.txHash }),
    ...(settlement.executedAt === null ? {} : { executed_at: instant(settlement.executedAt) }),
    ...(settlement.failureReason === null ? {} : { failure_reason: settlement.failureReason }),
    undelivered_callbacks: undelivered.flatMap((callback) => renderUndelivered(callback, numbers)),
  };
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
