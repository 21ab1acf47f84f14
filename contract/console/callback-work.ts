import { instant, instantOrNull } from "#contract/primitives.ts";
import type { ResendSelection } from "#domain/callback-group.ts";
import { csvLine } from "#domain/csv.ts";

/** What the console shows of callbacks in numbers: groups, receivers, jobs. */

type Group = {
  cause: string;
  title: string;
  tip: string;
  origin: string;
  count: number;
  partners: number;
  oldestAt: Date;
  newestAt: Date;
  sample: { callbackId: string; subjectId: string; url: string; error: string | null };
};

/** Undelivered callbacks of one cause at one receiver, with what to do about them. */
export function renderGroup(group: Group) {
  const { sample, oldestAt, newestAt, ...rest } = group;
  return {
    ...rest,
    oldest_at: instant(oldestAt),
    newest_at: instant(newestAt),
    sample: { callback_id: sample.callbackId, subject_id: sample.subjectId, url: sample.url, error: sample.error },
  };
}

type Taken = { taken: number; of: number };
type Pause = { by: "partner" | "operator"; since: Date; reason: string };
type Health = {
  origin: string;
  taken24h: Taken;
  taken7d: Taken;
  p50Ms: number | null;
  p95Ms: number | null;
  timeouts7d: number;
  lastSuccessAt: Date | null;
  lastFailureAt: Date | null;
  consecutiveFailures: number;
  retrying: number;
  undelivered: number;
  pauses: readonly Pause[];
  spans: { tried: number; good: number }[];
};

/** How a receiver does; shares in percent with one decimal. */
export function renderEndpoint(health: Health) {
  const percent = ({ taken, of }: Taken) => (of === 0 ? null : (Math.floor((taken / of) * 1_000) / 10).toFixed(1));
  const whole = (value: number | null) => (value === null ? null : Math.round(value));
  return {
    origin: health.origin,
    taken_24h: { share: percent(health.taken24h), of: health.taken24h.of },
    taken_7d: { share: percent(health.taken7d), of: health.taken7d.of },
    p50_ms: whole(health.p50Ms),
    p95_ms: whole(health.p95Ms),
    timeouts_7d: health.timeouts7d,
    last_success_at: instantOrNull(health.lastSuccessAt),
    last_failure_at: instantOrNull(health.lastFailureAt),
    consecutive_failures: health.consecutiveFailures,
    retrying: health.retrying,
    undelivered: health.undelivered,
    pauses: health.pauses.map(({ by, since, reason }) => ({ by, since: instant(since), reason })),
    spans: health.spans,
  };
}

type Counts = Record<"queued" | "retrying" | "delivered" | "undelivered" | "resent_again" | "skipped", number>;
type Item = {
  callbackId: string;
  subjectId: string;
  state: keyof Counts;
  attempts: number;
  responseStatus: number | null;
  error: string | null;
  nextAttemptAt: Date | null;
};
type Job = { id: string; selection: ResendSelection; createdAt: Date; abortedAt: Date | null };
type Progress = { job: Job; by: { name: string | null } | null; total: number; counts: Counts; isOver: boolean };

/** A job as the callbacks that it began anew tell it. */
export function renderJob({ job, by, total, counts, isOver }: Progress) {
  return {
    id: job.id,
    created_at: instant(job.createdAt),
    aborted_at: instantOrNull(job.abortedAt),
    by: by?.name ?? null,
    selection: job.selection,
    total,
    counts,
    is_over: isOver,
  };
}

export function renderJobItem(item: Item) {
  return {
    callback_id: item.callbackId,
    subject_id: item.subjectId,
    state: item.state,
    attempts: item.attempts,
    response_status: item.responseStatus,
    error: item.error,
    next_attempt_at: instantOrNull(item.nextAttemptAt),
  };
}

type Failure = {
  callbackId: string;
  subjectId: string;
  url: string;
  state: keyof Counts;
  errorKind: string;
  responseStatus: number | null;
};

export const RESEND_FAILURE_CSV_HEADER = csvLine(["callback_id", "subject_id", "host", "state", "error_class", "last_status"]);

/** One callback that a job could not deliver so far. The host alone: paths and queries may hold what is nobody's business. */
export function resendFailureCsvLine({ callbackId, subjectId, url, state, errorKind, responseStatus }: Failure): string {
  return csvLine([callbackId, subjectId, new URL(url).host, state, errorKind, responseStatus === null ? "" : String(responseStatus)]);
}
