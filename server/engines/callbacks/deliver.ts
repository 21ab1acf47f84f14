import { randomUUID } from "node:crypto";
import { listShares, type Share } from "#db/lease.ts";
import { type ClaimedCallback, type ClaimRoom, claimDueCallbacks } from "#db/queries/callbacks/due-callbacks.ts";
import type { CallbackOutcome } from "#domain/callback.ts";
import type { SpanAbout } from "#domain/tracer.ts";
import type { Verdict } from "#server/engines/duty.ts";
import { sendAttempt } from "#server/services/callbacks/send-attempt.ts";
import { type CallbackEngine, leaseOf } from "./engine.ts";

/**
 * One round of callback delivery (contract, part 4): claims due callbacks up to the capacity, and begins each attempt outside of any
 * transaction. Each outcome is stored later, under its lease token. If a process dies, its leases expire, and the attempts begin again
 * under the same numbers.
 */
export async function deliverOnce(engine: CallbackEngine): Promise<Verdict> {
  let verdict: Verdict = "idle";
  for (const share of await listShares(engine.ctx.db, "callbacks")) {
    const room = engine.room.claimRoom(performance.now());
    if (room === null) return "idle";
    if ((await beginShare(engine, room, share)) >= room.limit) verdict = "busy";
  }
  engine.room.roundEnds(performance.now());
  return verdict;
}

/** Claims and begins the due callbacks of one share up to the capacity. Returns how many. */
async function beginShare(engine: CallbackEngine, room: ClaimRoom, share: Share): Promise<number> {
  const claimed = await claimDueCallbacks(engine.ctx.db, randomUUID(), room, engine.ctx.clock.now(), share);
  engine.heldLeases.take(claimed.map(leaseOf));
  try {
    engine.step("claimed");
    for (const callback of claimed) begin(engine, callback);
  } catch (error) {
    await engine.heldLeases.releaseAll(claimed.map(leaseOf));
    throw error;
  }
  return claimed.length;
}

/**
 * Lets attempts in flight finish for `graceMs`, then aborts the others and releases their leases: another process begins them again, under
 * the same numbers. Nothing may be begun meanwhile.
 */
export async function drainDeliveries({ running, callOff, settling, heldLeases }: CallbackEngine, graceMs: number): Promise<void> {
  await settledWithin([...running], graceMs);
  callOff.abort();
  await settledWithin([...running], 1_000);
  await settling.finish(2_000);
  await settledWithin([heldLeases.releaseAll()], 2_000);
}

function begin(engine: CallbackEngine, callback: ClaimedCallback): void {
  const { ctx, room, running } = engine;
  const wasHeldBack = room.begin(callback, performance.now());
  const attempt = ctx.tracer
    .span("callback.attempt", spanOf(callback), () => attemptOnce(engine, callback, wasHeldBack))
    .catch((error: unknown) => ctx.log.error({ error, callback_id: callback.id }, "a callback attempt failed unexpectedly"))
    .finally(() => running.delete(attempt));
  running.add(attempt);
}

function spanOf({ id, trace, series, number, dueAt, claimedAt }: ClaimedCallback): SpanAbout<CallbackOutcome> {
  return {
    within: trace,
    kind: "client",
    attributes: {
      "settlement.callback_id": id,
      "settlement.callback_series": series,
      "settlement.callback_attempt": number,
      "settlement.lateness_ms": claimedAt.getTime() - dueAt.getTime(),
    },
    failureOf: ({ trouble }) => trouble?.kind ?? null,
  };
}

async function attemptOnce(engine: CallbackEngine, callback: ClaimedCallback, wasHeldBack: boolean): Promise<CallbackOutcome> {
  const { ctx, brand, signPublicly, callOff, room, heldLeases, settling } = engine;
  const startedAt = performance.now();
  const { signing } = callback;
  const { headers, outcome } = await sendAttempt(ctx, {
    callback,
    signing,
    brand,
    signPublicly,
    trace: ctx.tracer.place(),
    signal: callOff.signal,
  });
  const endedAt = performance.now();
  const wanted = room.end(callback, { durationMs: endedAt - startedAt, wellAnswered: outcome.trouble === null }, endedAt);
  engine.step("answered", callback.id);
  if (outcome.trouble?.kind === "aborted") {
    await heldLeases.releaseAll([leaseOf(callback)]);
  } else {
    settling.push({ callback, requestHeaders: headers, outcome, endedAt });
    note(engine, callback, { outcome, wasHeldBack, endedAt });
  }
  ctx.tracer.set({ "http.response.status_code": outcome.status });
  if (wanted) engine.wake();
  return outcome;
}

type Ended = { outcome: CallbackOutcome; wasHeldBack: boolean; endedAt: number };

function note({ ctx, receivers, onAttempt }: CallbackEngine, callback: ClaimedCallback, { outcome, wasHeldBack, endedAt }: Ended): void {
  const latenessMs = callback.claimedAt.getTime() - callback.dueAt.getTime();
  const word = outcome.trouble?.kind ?? "delivered";
  receivers.note(callback.queue, outcome.trouble === null, endedAt);
  onAttempt?.({ outcome: word, latenessSeconds: latenessMs / 1_000, wasHeldBack, seconds: outcome.durationMs / 1_000 });
  const fields = {
    callback_id: callback.id,
    partner_id: callback.partnerId,
    series: callback.series,
    attempt: callback.number,
    outcome: word,
    status: outcome.status,
    duration_ms: outcome.durationMs,
    lateness_ms: latenessMs,
  };
  ctx.log.info(fields, "callback attempt");
}

async function settledWithin(work: readonly Promise<unknown>[], limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([Promise.allSettled(work), limit]);
  clearTimeout(timer);
}
