import recorded from "#contract/openapi-examples.json" with { type: "json" };
import { FIAT_CALLBACKS } from "#contract/partner/fiat-callbacks.ts";
import { SETTLEMENT_CALLBACKS } from "#contract/settlement/v1/callback-body.ts";
import type { Webhook } from "#contract/webhook.ts";
import { CALLBACK_EVENTS, type CallbackEvent } from "#domain/callback.ts";
import { webhookSignature } from "#domain/signing.ts";

/** Every event with its schema and a recorded payload. */

const WEBHOOKS: Record<CallbackEvent, Webhook> = { ...SETTLEMENT_CALLBACKS, ...FIAT_CALLBACKS };
const PAYLOADS: Readonly<Record<string, unknown>> = { ...recorded.settlement.webhooks, ...recorded.partner.webhooks };

export const EVENTS = CALLBACK_EVENTS.map((event) => ({ event, ...WEBHOOKS[event], payload: PAYLOADS[event] }));

/** Where a callback goes, and how to recognise its event. */
export const GOES_TO: Record<CallbackEvent, { url: string; known: string }> = {
  "settlement.approved": { url: "callback_url of the creation, if there was one", known: "event" },
  "settlement.executed": { url: "callback_url of the confirmation, or else of the creation", known: "status executed" },
  "settlement.failed": { url: "callback_url of the confirmation, or else of the creation", known: "status failed" },
  "batch.completed": { url: "callback_url of the batch", known: "event" },
  "withdrawal.completed": { url: "callback_url of the withdrawal", known: "event" },
  "withdrawal.failed": { url: "callback_url of the withdrawal", known: "event" },
  "withdrawal.cancelled": { url: "callback_url of the withdrawal", known: "event" },
  "topup.completed": { url: "callback_url of the top-up", known: "event" },
  "topup.failed": { url: "callback_url of the top-up", known: "event" },
  "topup.cancelled": { url: "callback_url of the top-up", known: "event" },
};

const VECTOR_SECRET = "whsec_c2V0dGxlbWVudC1kb2NzLXZlcmlmeS10aGVzZS1ieXRlcyE=";
const VECTOR_ID = recorded.settlement.answers.list_callbacks["200"].data[0]?.id ?? "";
const VECTOR_TIMESTAMP = 1_795_226_400;

/** A callback with its signature, as a test vector. The bytes are the body in one line. */
export function verificationVector(): { secret: string; id: string; timestamp: number; body: string; signature: string } {
  const body = JSON.stringify(PAYLOADS["settlement.executed"]);
  const signature = webhookSignature(VECTOR_SECRET, VECTOR_ID, VECTOR_TIMESTAMP, body);
  return { secret: VECTOR_SECRET, id: VECTOR_ID, timestamp: VECTOR_TIMESTAMP, body, signature };
}
