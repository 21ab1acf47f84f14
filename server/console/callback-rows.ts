import { instant } from "#contract/primitives.ts";
import { toWire } from "#contract/wire.ts";
import { ATTEMPT_TIMEOUT_MS } from "#domain/callback.ts";
import type { BrowsedCallback, CallbackDetail, CallbackGroup, Endpoint } from "#server/services/callbacks/read-callbacks.ts";
import type { ResendJobSummary } from "#server/services/callbacks/read-resend-job.ts";

type ListedCallback = Omit<BrowsedCallback, "attempts"> & { attempts: readonly Mark[] };
type Mark = BrowsedCallback["attempts"][number];
type Attempt = CallbackDetail["attempts"][number];

/** A callback in the console's lists; `marks`: the attempts of the last series. */
export function renderCallbackRow(callback: ListedCallback) {
  return {
    ...toWire(callback, "id", "partner", "subjectId", "event", "state", "series"),
    ...toWire(callback, "createdAt", "deliveredAt", "undeliveredAt", "nextAttemptAt"),
    callback_url: callback.url,
    marks: callback.attempts.map(renderMark),
  };
}

/** `number`: 1 to 6; null: a manual attempt, besides the six. `ended`: false while in progress. */
function renderMark(mark: Mark) {
  return { ...toWire(mark, "number", "sentAt", "responseStatus", "errorKind"), ended: mark.endedAt !== null };
}

/** A callback with its attempts, newest first. `inside`: for operators. Partners' users see the operator's users as one actor. */
export function renderCallbackDetail(callback: CallbackDetail, inside: boolean) {
  const current = callback.attempts.filter(({ series }) => series === callback.series);
  return {
    ...renderCallbackRow({ ...callback, attempts: current }),
    /** The exact text of every attempt. */
    body: callback.body,
    body_bytes: Buffer.byteLength(callback.body),
    attempts: callback.attempts.map(renderAttempt).toReversed(),
    /** Who started a series of attempts manually. */
    resends: callback.resends.map(({ series, at, actorType, actorName, byOperator, jobId }) => {
      const hidden = !inside && byOperator;
      const actor = hidden ? { type: "operator", name: null } : { type: actorType, name: actorName };
      return { series, at: instant(at), actor, job_id: hidden ? null : jobId };
    }),
  };
}

/** One attempt in full. */
export function renderAttempt(attempt: Attempt) {
  const { dns = null, connect = null, tls = null, firstByte = null } = attempt.timings ?? {};
  return {
    ...renderMark(attempt),
    ...toWire(attempt, "id", "series", "scheduledAt", "endedAt", "durationMs", "requestHeaders", "responseHeaders"),
    ...toWire(attempt, "responseBody", "responseBytes", "error", "remoteAddress"),
    timeout_ms: ATTEMPT_TIMEOUT_MS,
    timings: { dns, connect, tls, first_byte: firstByte },
  };
}

/** Undelivered callbacks of one cause and receiver, with what to do. */
export function renderGroup(group: CallbackGroup) {
  return {
    ...toWire(group, "cause", "title", "tip", "origin", "count", "partners", "partnerCount", "oldestAt", "newestAt"),
    sample: toWire(group.sample, "callbackId", "subjectId", "url", "error"),
  };
}

/** How a receiver does; shares in percent with one decimal. */
export function renderEndpoint(health: Endpoint) {
  const shareOf = ({ taken, of }: Endpoint["taken7d"]) => ({
    share: of === 0 ? null : (Math.floor((taken / of) * 1_000) / 10).toFixed(1),
    of,
  });
  const whole = (value: number | null) => (value === null ? null : Math.round(value));
  return {
    ...toWire(health, "origin", "lastSuccessAt", "lastFailureAt", "consecutiveFailures", "retrying", "undelivered", "spans"),
    taken_24h: shareOf(health.taken24h),
    taken_7d: shareOf(health.taken7d),
    p50_ms: whole(health.p50Ms),
    p95_ms: whole(health.p95Ms),
    timeouts_7d: health.timeouts7d,
    pauses: health.pauses.map((pause) => toWire(pause, "by", "since", "reason")),
  };
}

/** A job with its progress, from the callbacks that it restarted. */
export function renderJob({ job, by, total, counts, isOver }: ResendJobSummary) {
  return { ...toWire(job, "id", "createdAt", "abortedAt"), by: by.name, selection: job.selection, total, counts, is_over: isOver };
}
