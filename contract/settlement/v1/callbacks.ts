import { z } from "zod";
import { timestamp } from "#contract/primitives.ts";
import { toWire } from "#contract/wire.ts";
import { CALLBACK_STATES, type Callback, type CallbackEvent } from "#domain/callback.ts";
import { callbackAttemptSchema, callbackFields, listedEvent, renderAttempt, renderPayload } from "./settlement.ts";

const attemptInSeries = callbackAttemptSchema.extend({
  series: z.int().min(1).describe("The series that the attempt belongs to: 1 at first, and one higher after each resend"),
});

/** One callback with every attempt that began (contract, part 9 "Callbacks"). */
export const callbackSchema = z.object({
  id: callbackFields.id,
  event: callbackFields.event,
  state: z
    .enum(CALLBACK_STATES)
    .describe("pending: attempts are still due. delivered: your receiver answered 2xx. undelivered: six attempts failed"),
  callback_url: callbackFields.callback_url,
  created_at: callbackFields.created_at,
  delivered_at: timestamp.nullable().describe("When the callback was delivered. Null until then"),
  next_attempt_at: timestamp.nullable().describe("When the next attempt is due. Null if none is due"),
  attempts: z.array(attemptInSeries).describe("Every attempt so far"),
  payload: z.record(z.string(), z.unknown()).describe("The body of the callback. Every attempt sends the same bytes"),
});
export const callbackListSchema = z.object({ data: z.array(callbackSchema).describe("The callbacks of the settlement") });

export function renderCallback(callback: Callback): z.infer<typeof callbackSchema> {
  return { ...renderAnyCallback(callback), event: listedEvent(callback) };
}

/** As {@link renderCallback}, of one that may be in no list. */
export function renderAnyCallback(callback: Callback): Omit<z.infer<typeof callbackSchema>, "event"> & { event: CallbackEvent } {
  return {
    id: callback.id,
    event: callback.event,
    state: callback.state,
    callback_url: callback.url,
    ...toWire(callback, "createdAt", "deliveredAt", "nextAttemptAt"),
    attempts: callback.attempts.map((attempt) => ({ ...renderAttempt(attempt), series: attempt.series })),
    payload: renderPayload(callback.body),
  };
}
