import { listCallbacksById } from "#db/queries/callbacks/callbacks.ts";
import {
  type ClaimedCallback,
  type Settled,
  type SettledAttempt,
  settleAttempts as writeAttempts,
} from "#db/queries/callbacks/due-callbacks.ts";
import { recordEvents } from "#db/queries/events/record-events.ts";
import type { CallbackOutcome } from "#domain/callback.ts";
import { afterAttempt, afterExtraAttempt } from "#domain/callback.ts";
import type { Uses } from "#server/context.ts";
import { callbackEvent } from "#server/services/events/event-of.ts";

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
  const rows = ended.map((attempt) => toRow(attempt, Math.floor(now - attempt.endedAt)));
  const lasts = rows.filter(({ state }) => state === "undelivered");
  const others = await writeAttempts(
    ctx.db,
    rows.filter(({ state }) => state !== "undelivered"),
  );
  if (lasts.length === 0) return others;
  const givenUp = await giveUp(ctx, lasts);
  return { written: others.written.union(givenUp.written), failed: new Map([...others.failed, ...givenUp.failed]) };
}

/** Ends callbacks with their last attempt, and writes an event for the partners, both or neither. */
async function giveUp(ctx: Uses<"db">, lasts: readonly SettledAttempt[]): Promise<Settled> {
  try {
    return await ctx.db.transaction(async (tx) => {
      const settled = await writeAttempts(tx, lasts);
      for (const failure of settled.failed.values()) throw failure;
      for (const { id, partnerId } of lasts.filter(({ id: each }) => settled.written.has(each))) {
        const [callback] = await listCallbacksById(tx, [id], { partnerId });
        if (callback?.undeliveredAt) await recordEvents(tx, [callbackEvent(callback, callback.undeliveredAt)]);
      }
      return settled;
    });
  } catch (error) {
    return { written: new Set(), failed: new Map(lasts.map(({ id }) => [id, error])) };
  }
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
