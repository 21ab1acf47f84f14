import {
  type ClaimedCallback,
  type Settled,
  type SettledAttempt,
  settleAttempts as writeAttempts,
} from "#db/queries/callbacks/due-callbacks.ts";
import type { CallbackOutcome } from "#domain/callback.ts";
import { afterAttempt, afterExtraAttempt } from "#domain/callback.ts";
import type { Uses } from "#server/context.ts";

/** An attempt that ended, and not yet written. */
export type EndedAttempt = {
  callback: ClaimedCallback;
  requestHeaders: Record<string, string>;
  outcome: CallbackOutcome;
  /** `performance.now()` of its end: writing may have to wait for the database. */
  endedAt: number;
};

/**
 * Stores the outcomes of attempts and the new states of their callbacks: delivered, the next attempt the stated delay after this one's end,
 * or undelivered after the sixth. If neither written nor failed, the lease was lost, and nothing is changed.
 */
export async function settleAttempts(ctx: Uses<"db">, ended: readonly EndedAttempt[]): Promise<Settled> {
  // The database takes it off its own clock: an end is never put before its true instant, however long the statement travels.
  const now = performance.now();
  return await writeAttempts(
    ctx.db,
    ended.map((attempt) => toRow(attempt, Math.floor(now - attempt.endedAt))),
  );
}

function toRow({ callback, requestHeaders, outcome }: EndedAttempt, agoMs: number): SettledAttempt {
  const { number } = callback;
  const delivered = outcome.trouble === null;
  return {
    id: callback.id,
    partnerId: callback.partnerId,
    token: callback.token,
    series: callback.series,
    number,
    attemptId: callback.attemptId,
    agoMs,
    durationMs: outcome.durationMs,
    requestHeaders: outcome.requestHeaders ?? requestHeaders,
    timings: outcome.timings,
    responseStatus: outcome.status,
    responseHeaders: outcome.responseHeaders,
    responseBody: outcome.responseBody,
    responseBytes: outcome.responseBytes,
    errorKind: outcome.trouble?.kind ?? null,
    error: outcome.trouble?.message ?? null,
    remoteAddress: outcome.remoteAddress,
    ...(number === null ? afterExtraAttempt(delivered) : afterAttempt(number, delivered)),
  };
}
