import type { Trouble } from "./trouble.ts";

/** One absolute end for everything that an attempt does, or an earlier one when the caller gives up. */
export class Deadline {
  /** Why it has passed; null: it has not. */
  trouble: Trouble | null = null;
  readonly #timer: NodeJS.Timeout;
  readonly #caller: AbortSignal | undefined;
  readonly #onCaller = () => this.#end({ kind: "aborted", message: "The attempt was cancelled." });
  readonly #cuts: (() => void)[] = [];

  constructor(timeoutMs: number, caller?: AbortSignal) {
    this.#timer = setTimeout(() => {
      this.#end({ kind: "timeout", message: `The receiver did not answer within ${Math.round(timeoutMs / 100) / 10} seconds.` });
    }, timeoutMs);
    this.#caller = caller;
    if (caller?.aborted) this.#onCaller();
    else caller?.addEventListener("abort", this.#onCaller, { once: true });
  }

  /** Called when it passes; at once if it has. */
  onEnd(cut: () => void): void {
    if (this.trouble === null) this.#cuts.push(cut);
    else cut();
  }

  /** As `work`, but never later than the deadline: then it rejects, whatever becomes of the work. */
  limit<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.onEnd(() => reject(new Error("the deadline has passed")));
      work.then(resolve, reject);
    });
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener("abort", this.#onCaller);
  }

  #end(trouble: Trouble): void {
    if (this.trouble !== null) return;
    this.trouble = trouble;
    for (const cut of this.#cuts) cut();
  }
}
