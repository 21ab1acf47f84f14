import { z } from "zod";
import { instant, instantOrNull, timestamp } from "#contract/primitives.ts";
import { CALLBACK_EVENTS, CALLBACK_STATES, type Callback } from "#domain/callback.ts";
import { callbackAttemptSchema, renderAttempt, renderPayload } from "./settlement.ts";

const attemptInSeries = callbackAttemptSchema.extend({
  series: z.int().min(1).describe("1, and one more for each resend"),
});

/** One callback with every attempt that began (contract, part 9 "Callbacks"). */
export const callbackSchema = z.object({
  id: z.string(),
  event: z.enum(CALLBACK_EVENTS),
  state: z.enum(CALLBACK_STATES),
  callback_url: z.string(),
  created_at: timestamp,
  delivered_at: timestamp.nullable(),
  next_attempt_at: timestamp.nullable(),
  attempts: z.array(attemptInSeries),
  payload: z.record(z.string(), z.unknown()).describe("The body, as every attempt sends it"),
});
export const callbackListSchema = z.object({ data: z.array(callbackSchema) });

export function renderCallback(callback: Callback): z.infer<typeof callbackSchema> {
  return {
    id: callback.id,
    event: callback.event,
    state: callback.state,
    callback_url: callback.url,
    created_at: instant(callback.createdAt),
    delivered_at: instantOrNull(callback.deliveredAt),
    next_attempt_at: instantOrNull(callback.nextAttemptAt),
    attempts: callback.attempts.map((attempt) => ({ ...renderAttempt(attempt), series: attempt.series })),
    payload: renderPayload(callback.body),
  };
}
