import { instant, instantOrNull } from "#contract/primitives.ts";
import { ATTEMPT_TIMEOUT_MS, type AttemptTimings, type CallbackState } from "#domain/callback.ts";

/** A callback in the console's lists. */
export type CallbackRowWire = {
  id: string;
  partner: { id: string; name: string };
  /** What it tells about: `tx_…`, `wd_…` or `tu_…`. */
  subject_id: string;
  event: string;
  callback_url: string;
  state: CallbackState;
  series: number;
  created_at: string;
  delivered_at: string | null;
  undelivered_at: string | null;
  next_attempt_at: string | null;
  /** Of the last series. */
  marks: AttemptMarkWire[];
};
export type AttemptMarkWire = {
  /** 1 to 6; null: one beside the six, asked for by hand. */
  number: number | null;
  sent_at: string;
  /** It has ended; else it is under way. */
  ended: boolean;
  response_status: number | null;
  error_kind: string | null;
};

type Mark = { number: number | null; sentAt: Date; endedAt: Date | null; responseStatus: number | null; errorKind: string | null };
type Base = {
  id: string;
  partner: { id: string; name: string };
  subjectId: string;
  event: string;
  url: string;
  state: CallbackState;
  series: number;
  createdAt: Date;
  deliveredAt: Date | null;
  undeliveredAt: Date | null;
  nextAttemptAt: Date | null;
};

export function renderCallbackRow(callback: Base & { attempts: readonly Mark[] }): CallbackRowWire {
  return {
    id: callback.id,
    partner: callback.partner,
    subject_id: callback.subjectId,
    event: callback.event,
    callback_url: callback.url,
    state: callback.state,
    series: callback.series,
    created_at: instant(callback.createdAt),
    delivered_at: instantOrNull(callback.deliveredAt),
    undelivered_at: instantOrNull(callback.undeliveredAt),
    next_attempt_at: instantOrNull(callback.nextAttemptAt),
    marks: callback.attempts.map((mark) => ({
      number: mark.number,
      sent_at: instant(mark.sentAt),
      ended: mark.endedAt !== null,
      response_status: mark.responseStatus,
      error_kind: mark.errorKind,
    })),
  };
}

/** All that is known of one attempt. */
export type AttemptWire = AttemptMarkWire & {
  id: string;
  series: number;
  scheduled_at: string;
  ended_at: string | null;
  duration_ms: number | null;
  timeout_ms: number;
  timings: { dns: number | null; connect: number | null; tls: number | null; first_byte: number | null };
  request_headers: Record<string, string> | null;
  response_headers: Record<string, string> | null;
  response_body: string | null;
  response_bytes: number | null;
  error: string | null;
  remote_address: string | null;
};
/** Who began a series of attempts by hand. */
export type ResendWire = { series: number; at: string; actor: { type: string; name: string | null }; job_id: string | null };
export type CallbackWire = CallbackRowWire & {
  /** The very text that every attempt sends. */
  body: string;
  body_bytes: number;
  /** Newest first. */
  attempts: AttemptWire[];
  resends: ResendWire[];
};

type Attempt = Mark & {
  id: string;
  series: number;
  scheduledAt: Date;
  durationMs: number | null;
  timings: AttemptTimings | null;
  requestHeaders: Record<string, string> | null;
  responseHeaders: Record<string, string> | null;
  responseBody: string | null;
  responseBytes: number | null;
  error: string | null;
  remoteAddress: string | null;
};
type Resend = { series: number; at: Date; actorType: string; actorName: string | null; byOperator: boolean; jobId: string | null };
type Detail = Base & { body: string; attempts: readonly Attempt[]; resends: readonly Resend[] };

/** `inside`: for the operator's people. To a partner they are one. */
export function renderCallbackDetail(callback: Detail, inside: boolean): CallbackWire {
  const current = callback.attempts.filter(({ series }) => series === callback.series);
  return {
    ...renderCallbackRow({ ...callback, attempts: current }),
    body: callback.body,
    body_bytes: Buffer.byteLength(callback.body),
    attempts: callback.attempts.map(renderAttempt).toReversed(),
    resends: callback.resends.map((resend) => ({
      series: resend.series,
      at: instant(resend.at),
      actor: !inside && resend.byOperator ? { type: "operator", name: null } : { type: resend.actorType, name: resend.actorName },
      job_id: !inside && resend.byOperator ? null : resend.jobId,
    })),
  };
}

/** One attempt whole. */
export function renderAttempt(attempt: Attempt): AttemptWire {
  const { dns = null, connect = null, tls = null, firstByte = null } = attempt.timings ?? {};
  return {
    id: attempt.id,
    series: attempt.series,
    number: attempt.number,
    scheduled_at: instant(attempt.scheduledAt),
    sent_at: instant(attempt.sentAt),
    ended: attempt.endedAt !== null,
    ended_at: instantOrNull(attempt.endedAt),
    duration_ms: attempt.durationMs,
    timeout_ms: ATTEMPT_TIMEOUT_MS,
    timings: { dns, connect, tls, first_byte: firstByte },
    request_headers: attempt.requestHeaders,
    response_status: attempt.responseStatus,
    response_headers: attempt.responseHeaders,
    response_body: attempt.responseBody,
    response_bytes: attempt.responseBytes,
    error_kind: attempt.errorKind,
    error: attempt.error,
    remote_address: attempt.remoteAddress,
  };
}
