import { z } from "zod";
import { instantParameter, plainText, timestamp, wholeNumber } from "#contract/primitives.ts";
import { createdFrom, createdTo } from "#contract/shared-fields.ts";
import { toWire } from "#contract/wire.ts";
import { CALLBACK_EVENTS, CALLBACK_STATES, type Callback, type CallbackEvent } from "#domain/callback.ts";
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

/** As {@link callbackSchema}, of any object: what the operations on all callbacks answer. New events may come. */
export const anyCallbackSchema = callbackSchema.extend({
  event: z.enum(CALLBACK_EVENTS).describe("What happened. New events may be added"),
  object_id: z.string().describe("The id of the settlement, batch, withdrawal or top-up that it is about"),
});
export const anyCallbackListSchema = z.object({
  data: z.array(anyCallbackSchema).describe("A page of callbacks, newest first"),
  next_cursor: z.string().nullable().describe("The cursor of the next page. Null if this is the last page"),
});

export const allCallbacksQuery = z.strictObject({
  object_id: plainText(1, 64).optional().describe("Return only the callbacks of this settlement, batch, withdrawal or top-up"),
  state: z.enum(CALLBACK_STATES).optional().describe("Return only callbacks in this state"),
  event: z.enum(CALLBACK_EVENTS).optional().describe("Return only callbacks of this event"),
  created_from: instantParameter.optional().describe(createdFrom),
  created_to: instantParameter.optional().describe(createdTo),
  limit: wholeNumber(1, 100).optional().describe("The most items to return, 1 to 100. The default is 25"),
  cursor: plainText(1, 256).optional().describe("The next_cursor of the previous page"),
});

/** A callback of any object, for the operations on all of them. */
export function renderOwnCallback(callback: Callback): z.infer<typeof anyCallbackSchema> {
  return { ...renderAnyCallback(callback), object_id: callback.subjectId };
}

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
