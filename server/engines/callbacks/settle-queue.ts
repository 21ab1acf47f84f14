import type { ClaimedCallback } from "#db/queries/callbacks/due-callbacks.ts";
import { databaseErrorOf } from "#db/trouble.ts";
import type { Uses } from "#server/context.ts";
import { type EndedAttempt, settleAttempts } from "./settle-attempts.ts";

const BATCH = 200;
const PAUSES_MS = [100, 250, 500, 1_000];

/**
 * Ends of attempts on their way into the database: what gathers while one statement is under way goes with the next. While the
 * database is away they wait here, and are written under their tokens when it is back.
 */
export class SettleQueue {
  readonly #ctx: Uses<"db" | "log">;
  readonly #onWritten: (callback: ClaimedCallback) => void;
  #waiting: EndedAttempt[] = [];
  #flushing: Promise<void> | null = null;
  #stopped = false;

  /** `onWritten` is told of each callback that needs no lease any more. */
  constructor(ctx: Uses<"db" | "log">, onWritten: (callback: ClaimedCallback) => void) {
    this.#ctx = ctx;
    this.#onWritten = onWritten;
  }

  push(ended: EndedAttempt): void {
    this.#waiting.push(ended);
    this.#flushing ??= this.#flush();
  }

  /** Writes what waits, for at most so long. What then remains is begun again by whoever finds its lease lapsed. */
  async finish(limitMs: number): Promise<void> {
    const timer = setTimeout(() => {
      this.#stopped = true;
    }, limitMs);
    const limit = new Promise<void>((resolve) => setTimeout(resolve, limitMs).unref());
    while (this.#flushing !== null && !this.#stopped) await Promise.race([this.#flushing, limit]);
    clearTimeout(timer);
  }

  async #flush(): Promise<void> {
    let failures = 0;
    while (this.#waiting.length > 0 && !this.#stopped) {
      const batch = this.#waiting.slice(0, BATCH);
      try {
        const written = await settleAttempts(this.#ctx, batch);
        const lost = batch.filter(({ callback }) => !written.has(callback.id));
        if (lost.length > 0) this.#ctx.log.warn({ callbacks: lost.map(({ callback }) => callback.id) }, "callback ends came too late");
        this.#waiting = this.#waiting.slice(batch.length);
        for (const { callback } of batch) this.#onWritten(callback);
        failures = 0;
      } catch (error) {
        this.#ctx.log.error({ error, waiting: this.#waiting.length }, "callback ends could not be written");
        if (isDataFault(error)) this.#waiting = [...batch.map(withoutForeignText), ...this.#waiting.slice(batch.length)];
        await pause(PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)] ?? 0);
        failures += 1;
      }
    }
    // In the same breath as the look at the queue: whoever pushes from now on starts the next flush.
    this.#flushing = null;
  }
}

/** The database refuses a value, and would refuse it for ever: only what the receiver sent can be such a value. */
function isDataFault(error: unknown): boolean {
  return databaseErrorOf(error)?.code.startsWith("22") ?? false;
}

function withoutForeignText(ended: EndedAttempt): EndedAttempt {
  return { ...ended, outcome: { ...ended.outcome, responseHeaders: null, responseBody: null } };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
