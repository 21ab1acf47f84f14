import { randomUUID } from "node:crypto";
import { insertAttempts } from "#db/queries/callbacks/callback-attempts.ts";
import { findCallbackSigning, type SealedSigning } from "#db/queries/callbacks/callback-signing.ts";
import {
  type ClaimedCallback,
  type ClaimRoom,
  claimDueCallbacks,
  releaseCallbackLeases,
  renewCallbackLeases,
} from "#db/queries/callbacks/due-callbacks.ts";
import { newId } from "#domain/ids.ts";
import type { Uses } from "#server/context.ts";
import type { CallbackOutcome } from "#server/ports.ts";
import { sendAttempt } from "#server/services/callbacks/send-attempt.ts";
import { DeliveryRoom, ROOM_LIMITS, type RoomLimits } from "./delivery-room.ts";
import { SettleQueue } from "./settle-queue.ts";

export type DeliveryPowers = Uses<"db" | "clock" | "vault" | "callbacks" | "log">;
export type DeliveryOptions = {
  /** What stands for `Service` in the mirrored scheme's header names. */
  brand: string;
  limits?: RoomLimits;
  /** Told of every attempt that ended: for the metrics. Lateness is business time between due and begun. */
  onAttempt?: (attempt: { outcome: string; latenessSeconds: number; seconds: number }) => void;
};

/** Leases are of 10 s: two renewals may fail before one is lost. */
const RENEW_EVERY_MS = 3_000;

/** Starts nothing yet: the worker calls `run` when something may be due. */
export function deliverCallbacks(ctx: DeliveryPowers, options: DeliveryOptions): CallbackDelivery {
  return new CallbackDelivery(ctx, options);
}

/**
 * The delivery of callbacks in one process (contract, part 4): claims what is due, begins each attempt without any transaction open,
 * renews the leases of those in flight, and writes each end under its lease token. A process that dies leaves its leases to lapse,
 * and the attempts begin again under the same numbers.
 */
class CallbackDelivery {
  readonly #ctx: DeliveryPowers;
  readonly #options: DeliveryOptions;
  readonly #room: DeliveryRoom;
  readonly #settling: SettleQueue;
  /** Every lease this process holds, from the claim until its end is written. */
  readonly #held = new Map<string, ClaimedCallback>();
  readonly #callOff = new AbortController();
  readonly #running = new Set<Promise<void>>();
  #renewal: NodeJS.Timeout | null = null;
  #wake: () => void = () => {};

  constructor(ctx: DeliveryPowers, options: DeliveryOptions) {
    this.#ctx = ctx;
    this.#options = options;
    this.#room = new DeliveryRoom(options.limits ?? ROOM_LIMITS);
    this.#settling = new SettleQueue(ctx, (callback) => this.#held.delete(callback.token + callback.id));
  }

  /** Attempts in flight. */
  get inFlight(): number {
    return this.#room.inFlight;
  }

  /** `wake` is called when an attempt's end makes room for due work that was held back. */
  onRoom(wake: () => void): void {
    this.#wake = wake;
  }

  /** One round: claims and begins as much as there is room for. `busy`: there may be more right now. */
  async run(): Promise<"idle" | "busy"> {
    const room = this.#room.claimRoom(performance.now());
    if (room === null) return "idle";
    const claimed = await this.#claim(room);
    for (const callback of claimed) this.#hold(callback);
    try {
      if (claimed.length > 0) await this.#beginAll(claimed);
      this.#room.roundEnds(performance.now());
    } catch (error) {
      await this.#release(claimed);
      throw error;
    }
    return claimed.length >= room.limit ? "busy" : "idle";
  }

  /**
   * Lets what is in flight finish for `graceMs`, calls the rest off and gives its leases back: those attempts begin again, under the
   * same numbers, in another process. Nothing must be begun meanwhile.
   */
  async drain(graceMs: number): Promise<void> {
    await settledWithin([...this.#running], graceMs);
    this.#callOff.abort();
    await settledWithin([...this.#running], 1_000);
    await this.#settling.finish(2_000);
    const left = [...this.#held.values()];
    await settledWithin([this.#release(left)], 2_000);
    if (this.#renewal) clearInterval(this.#renewal);
    this.#renewal = null;
  }

  async #claim(room: ClaimRoom): Promise<ClaimedCallback[]> {
    const token = randomUUID();
    return await this.#ctx.db.transaction(async (tx) => {
      const claimed = await claimDueCallbacks(tx, token, room);
      const begun = claimed.map((callback) => ({
        id: callback.attemptId ?? newId("attempt", callback.claimedAt),
        callbackId: callback.id,
        series: callback.series,
        number: callback.number,
        scheduledAt: callback.dueAt,
        sentAt: callback.claimedAt,
      }));
      await insertAttempts(tx, begun);
      return claimed;
    });
  }

  #hold(callback: ClaimedCallback): void {
    this.#held.set(callback.token + callback.id, callback);
    this.#renewal ??= setInterval(() => void this.#renew(), RENEW_EVERY_MS).unref();
  }

  async #renew(): Promise<void> {
    const held = [...this.#held.values()];
    if (held.length === 0) return;
    try {
      const leases = held.map(({ id, token }) => ({ id, token }));
      const standing = await renewCallbackLeases(this.#ctx.db, leases);
      const lost = held.filter((callback) => !standing.has(callback.id) && this.#held.has(callback.token + callback.id));
      if (lost.length > 0) this.#ctx.log.warn({ callbacks: lost.map(({ id }) => id) }, "callback leases were lost");
    } catch (error) {
      this.#ctx.log.warn({ error }, "callback leases could not be renewed");
    }
  }

  async #release(callbacks: readonly ClaimedCallback[]): Promise<void> {
    const leases = callbacks.map(({ id, token }) => ({ id, token }));
    for (const { id, token } of leases) this.#held.delete(token + id);
    try {
      await releaseCallbackLeases(this.#ctx.db, leases);
    } catch (error) {
      this.#ctx.log.warn({ error }, "callback leases could not be given back; they lapse");
    }
  }

  async #beginAll(claimed: readonly ClaimedCallback[]): Promise<void> {
    const keys = [...new Set(claimed.map((callback) => callback.apiKeyId))];
    const signing = await findCallbackSigning(this.#ctx.db, keys, this.#ctx.clock.now());
    for (const callback of claimed) this.#begin(callback, signing.get(callback.apiKeyId));
  }

  #begin(callback: ClaimedCallback, signing: SealedSigning | undefined): void {
    this.#room.begin(callback, performance.now());
    const attempt = this.#attempt(callback, signing)
      .catch((error: unknown) => this.#ctx.log.error({ error, callback_id: callback.id }, "a callback attempt went astray"))
      .finally(() => this.#running.delete(attempt));
    this.#running.add(attempt);
  }

  async #attempt(callback: ClaimedCallback, signing: SealedSigning | undefined): Promise<void> {
    const startedAt = performance.now();
    const { headers, outcome } = await sendAttempt(this.#ctx, {
      callback,
      signing,
      brand: this.#options.brand,
      signal: this.#callOff.signal,
    });
    const endedAt = performance.now();
    const wanted = this.#room.end(callback, endedAt - startedAt, endedAt);
    if (outcome.trouble?.kind === "aborted") {
      await this.#release([callback]);
    } else {
      this.#settling.push({ callback, requestHeaders: headers, outcome, endedAt });
      this.#note(callback, outcome);
    }
    if (wanted) this.#wake();
  }

  #note(callback: ClaimedCallback, outcome: CallbackOutcome): void {
    const latenessMs = callback.claimedAt.getTime() - callback.dueAt.getTime();
    const word = outcome.trouble?.kind ?? "delivered";
    this.#options.onAttempt?.({ outcome: word, latenessSeconds: latenessMs / 1_000, seconds: outcome.durationMs / 1_000 });
    this.#ctx.log.info(
      {
        callback_id: callback.id,
        partner_id: callback.partnerId,
        series: callback.series,
        attempt: callback.number,
        outcome: word,
        status: outcome.status,
        duration_ms: outcome.durationMs,
        lateness_ms: latenessMs,
      },
      "callback attempt",
    );
  }
}

async function settledWithin(work: readonly Promise<unknown>[], limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([Promise.allSettled(work), limit]);
  clearTimeout(timer);
}
