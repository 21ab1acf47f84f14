import { z } from "zod";
import { type AttemptTimings, CALLBACK_EVENTS } from "#domain/callback.ts";
import { type AttemptWire, renderAttempt } from "./callback.ts";

/** What the callback tester asks and is answered, in wire names. Strict, as every request. */

/** The URL's form is the guard's to judge, as everywhere. */
export const sampleInput = z.strictObject({ event: z.enum(CALLBACK_EVENTS), url: z.string().min(1).max(4_096) });

type Outcome = {
  durationMs: number;
  timings: AttemptTimings;
  status: number | null;
  responseHeaders: Record<string, string> | null;
  responseBody: string | null;
  responseBytes: number | null;
  remoteAddress: string | null;
  trouble: { kind: string; message: string } | null;
};
type Sent = {
  id: string;
  event: string;
  url: string;
  body: string;
  attempt: { id: string; requestHeaders: Record<string, string>; outcome: Outcome; sentAt: Date; endedAt: Date };
};
export type SampleWire = { id: string; event: string; callback_url: string; body: string; body_bytes: number; attempt: AttemptWire };

/** A sample callback with its one attempt, in the shape of every other attempt. */
export function renderSample({ id, event, url, body, attempt }: Sent): SampleWire {
  const { outcome, sentAt, endedAt, requestHeaders } = attempt;
  const { durationMs, timings, status: responseStatus, responseHeaders, responseBody, responseBytes, remoteAddress, trouble } = outcome;
  const heard = { durationMs, timings, responseStatus, responseHeaders, responseBody, responseBytes, remoteAddress };
  return {
    id,
    event,
    callback_url: url,
    body,
    body_bytes: Buffer.byteLength(body),
    attempt: renderAttempt({
      ...heard,
      id: attempt.id,
      ...{ series: 1, number: 1, scheduledAt: sentAt, sentAt, endedAt, requestHeaders },
      ...{ errorKind: trouble?.kind ?? null, error: trouble?.message ?? null },
    }),
  };
}
