import type { ClaimedCallback, Settled } from "#db/queries/callbacks/due-callbacks.ts";
import { databaseErrorOf } from "#db/trouble.ts";
import type { Uses } from "#server/context.ts";
import { type EndedAttempt, settleAttempts } from "./settle-attempts.ts";

const BATCH = 200;
const PAUSES_MS = [100, 250, 500, 1_000];

/**
 * Ends of attempts on their way into the database: what gathers while one statement is under way goes with the next. While the
 * database is away they wait here, and are written under their tokens when it is back; while a part of it is, those of that part.
 */
export class SettleQueue {
  readonly #ctx: Uses<"db" | "log">;
  readonly #onWritten: (callback: ClaimedCallback) => void;
  #waiting: Waiting[] = [];
  #flushing: Promise<void> | null = null;
  #stopped = false;

  /** `onWritten` is called for each callback that no longer needs a lease. */
  constructor(ctx: Uses<"db" | "log">, onWritten: (callback: ClaimedCallback) => void) {
    this.#ctx = ctx;
    this.#onWritten = onWritten;
  }

  push(ended: EndedAttempt): void {
    this.#waiting.push(ended);
    this.#flushing ??= this.#flush();
  }

  /** Stores waiting outcomes, for a limited time. Another process begins the remaining attempts again after their leases expire. */
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
      const { written, failed } = await this.#write(batch);
      const ended = batch.filter(({ callback }) => !failed.has(callback.id));
      this.#tellLost(ended.filter(({ callback }) => !written.has(callback.id)));
      const again = batch.flatMap((one) => (failed.has(one.callback.id) ? [toBeRepeated(one, failed.get(one.callback.id))] : []));
      // Behind the others, so that one that cannot be stored blocks nothing.
      this.#waiting = [...this.#waiting.slice(batch.length), ...again];
      for (const { callback } of ended) this.#letGo(callback);
      if (again.length === 0) failures = 0;
      else await this.#pauseAfter(failed, failures++);
    }
    // In the same tick as the check of the queue: every later push starts the next flush.
    this.#flushing = null;
  }

  async #write(batch: readonly Waiting[]): Promise<Settled> {
    try {
      return await settleAttempts(this.#ctx, batch);
    } catch (error) {
      return { written: new Set(), failed: new Map(batch.map(({ callback }) => [callback.id, error])) };
    }
  }

  #letGo(callback: ClaimedCallback): void {
    try {
      this.#onWritten(callback);
    } catch (error) {
      this.#ctx.log.error({ error, callback_id: callback.id }, "the lease of a recorded callback could not be released");
    }
  }

  /** After a failed try it is unknown whether it was stored: the answer may have been lost. */
  #tellLost(lost: readonly Waiting[]): void {
    const warnOf = (some: readonly Waiting[], message: string) => {
      if (some.length > 0) this.#ctx.log.warn({ callbacks: some.map(({ callback }) => callback.id) }, message);
    };
    warnOf(
      lost.filter(({ wasTried }) => wasTried !== true),
      "callback ends came too late",
    );
    warnOf(
      lost.filter(({ wasTried }) => wasTried === true),
      "callback ends were written by a try whose answer was lost, or came too late",
    );
  }

  async #pauseAfter(failed: Settled["failed"], failures: number): Promise<void> {
    const [error] = failed.values();
    this.#ctx.log.error({ error, failed: failed.size, waiting: this.#waiting.length }, "callback ends could not be written");
    await pause(PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)] ?? 0);
  }
}

type Waiting = EndedAttempt & { wasTried?: true };

function toBeRepeated(ended: Waiting, error: unknown): Waiting {
  return { ...(isDataFault(error) ? withoutForeignText(ended) : ended), wasTried: true };
}

/** The database refuses a value for ever: only the receiver's response can contain such a value. */
function isDataFault(error: unknown): boolean {
  return databaseErrorOf(error)?.code.startsWith("22") ?? false;
}

function withoutForeignText(ended: EndedAttempt): EndedAttempt {
  return { ...ended, outcome: { ...ended.outcome, responseHeaders: null, responseBody: null } };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
