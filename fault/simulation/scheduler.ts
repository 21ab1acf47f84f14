import { AsyncLocalStorage } from "node:async_hooks";

/** Whatever lives by itself and can be killed or frozen: a worker process, or a client. Its timers are its own. */
export type Living = { name: string; alive: boolean; frozenUntil: number };

type Due = { at: number; turn: number; run: () => void };

const realImmediate = setImmediate;
/** Who is at work just now: timers that are set belong to it. */
const atWork = new AsyncLocalStorage<Living>();
let current: Scheduler | null = null;

/**
 * Simulated time. What is due runs one after the other, in an order that chance alone decides; between two of them everything that could go
 * on has gone on. Nothing of the machine's own time or timing comes in.
 */
export class Scheduler {
  now = 0;
  #turns = 0;
  /** A heap by instant, then by turn. */
  readonly #due: Due[] = [];

  /** Timers and clocks of the process are this scheduler's from now on. */
  take(): void {
    current = this;
  }

  at(at: number, run: () => void): void {
    this.#turns += 1;
    const one = { at: Math.max(at, this.now), turn: this.#turns, run };
    let place = this.#due.push(one) - 1;
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (!before(one, this.#due[above] as Due)) break;
      this.#due[place] = this.#due[above] as Due;
      place = above;
    }
    this.#due[place] = one;
  }

  after(ms: number, run: () => void): void {
    this.at(this.now + ms, run);
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  /** Runs as somebody: what it awaits and the timers that it sets are theirs. */
  as<Result>(who: Living, work: () => Result): Result {
    return atWork.run(who, work);
  }

  /** Runs what is due, until nothing is, `isOver` says so, or so much time has passed. */
  async run(limitMs: number, isOver: () => boolean): Promise<void> {
    const end = this.now + limitMs;
    await settled();
    for (let next = this.#due[0]; next !== undefined && next.at <= end; next = this.#due[0]) {
      if (isOver()) return;
      this.#pop();
      this.now = next.at;
      next.run();
      await settled();
    }
  }

  #pop(): void {
    const last = this.#due.pop();
    if (last === undefined || this.#due.length === 0) return;
    let place = 0;
    for (;;) {
      const [left, right] = [2 * place + 1, 2 * place + 2];
      if (left >= this.#due.length) break;
      const child = right < this.#due.length && before(this.#due[right] as Due, this.#due[left] as Due) ? right : left;
      if (!before(this.#due[child] as Due, last)) break;
      this.#due[place] = this.#due[child] as Due;
      place = child;
    }
    this.#due[place] = last;
  }
}

const before = (one: Due, other: Due) => one.at < other.at || (one.at === other.at && one.turn < other.turn);

/** A turn of the real machine: all promises that could go on have gone on. */
const settled = () => new Promise<void>((resolve) => realImmediate(resolve));

type Timer = { isOver: boolean; unref(): Timer; ref(): Timer };

function timer(run: () => void, ms: number, again: boolean): Timer {
  const handle: Timer = { isOver: false, unref: () => handle, ref: () => handle };
  const [scheduler, who] = [current, atWork.getStore()];
  if (scheduler === null) throw new Error("no simulated time is running");
  const fire = () => {
    if (handle.isOver || who?.alive === false) return;
    if (who !== undefined && who.frozenUntil > scheduler.now) return scheduler.at(who.frozenUntil, fire);
    if (again) scheduler.after(Math.max(1, ms), fire);
    else handle.isOver = true;
    if (who === undefined) run();
    else atWork.run(who, run);
  };
  scheduler.after(Math.max(0, ms), fire);
  return handle;
}

/** For the life of this program: its clocks and timers are simulated. To be called before the service's code is loaded. */
export function simulateTime(): void {
  const clear = (handle: Timer | undefined) => {
    if (handle !== undefined && handle !== null) handle.isOver = true;
  };
  Object.assign(globalThis, {
    setTimeout: (run: () => void, ms = 0) => timer(run, ms, false),
    setInterval: (run: () => void, ms = 0) => timer(run, ms, true),
    clearTimeout: clear,
    clearInterval: clear,
  });
  performance.now = () => current?.now ?? 0;
  Date.now = () => EPOCH + (current?.now ?? 0);
}

/** When every history begins. */
export const EPOCH = Date.UTC(2026, 0, 1);
