/** How often continuing trouble is logged. */
const EVERY_MS = 60_000;
/** Trouble that returns sooner than this after its last line is only counted. */
const SOON_MS = 10_000;

/** `times`: how often it failed since the last line; at its end, in all. */
export type Count = { times: number };

type Trouble = { isWritten: boolean; lineAt: number; unwritten: number; times: number };

/**
 * Keeps the log readable while something fails repeatedly: one line at the start, one a minute with a count, one at the end. Each trouble
 * has a key, of which there are few. Trouble that comes and goes has at most twelve lines a minute, and every failure counts.
 */
export class RepeatedTrouble {
  readonly #now: () => number;
  readonly #byKey = new Map<string, Trouble>();

  /** @param now milliseconds of a clock that never goes back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Counts one failure; calls `write` if a line is due. */
  occurred(key: string, write: (count: Count) => void): void {
    const trouble = this.#byKey.get(key) ?? { isWritten: false, lineAt: Number.NEGATIVE_INFINITY, unwritten: 0, times: 0 };
    this.#byKey.set(key, trouble);
    trouble.unwritten += 1;
    trouble.times += 1;
    if (this.#now() < trouble.lineAt + (trouble.isWritten ? EVERY_MS : SOON_MS)) return;
    write({ times: trouble.unwritten });
    Object.assign(trouble, { isWritten: true, lineAt: this.#now(), unwritten: 0 });
  }

  /** Notes that it works; calls `write` if the last line said that it does not. */
  ended(key: string, write: (count: Count) => void): void {
    const trouble = this.#byKey.get(key);
    if (!trouble?.isWritten) return;
    write({ times: trouble.times });
    Object.assign(trouble, { isWritten: false, unwritten: 0, times: 0 });
  }
}
