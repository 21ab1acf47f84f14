import { Refusal } from "#domain/refusal.ts";

/** Lets only as much work run at once as the database pool can serve. */
export type ConcurrencyLimiter = {
  /**
   * Runs the work in its turn: keys take turns, and the work of one key runs in the order of its arrival.
   *
   * @throws Refusal `temporarily_unavailable`, and the work has not begun: it waited too long, or its key's queue is the longest of too many.
   * What `check` throws when its turn comes: the caller has left by then.
   */
  run<Result>(asked: Asked, work: () => Promise<Result>): Promise<Result>;
  /** How much work runs, whether or not anybody still waits for its result, and how much waits. */
  readonly running: number;
  readonly waiting: number;
};

export type Asked = { key: string; check(): void };

export type ConcurrencyLimits = {
  atOnce: number;
  /** What work may take, its wait included. */
  limitMs: number;
};

type Waiting = { since: number; begin(): void; refuse(error: unknown): void };

/** No more than this waits, however fast the work is: each request holds its body. */
const MOST_WAITING = 1_000;
/** Work waits at least this long. Even if all work is slow at the moment, a burst is no overload. */
const LEAST_WAIT_MS = 500;
/** Of the last so many durations, this share is shorter than the time that work is given. */
const REMEMBERED = 100;
const IN_TIME_SHARE = 0.9;
/** How often waiting work is checked: a timer for each would cost more. */
const CHECK_EVERY_MS = 25;

/**
 * Work waits for as long as nine of ten would still end in time, judged by what the last hundred took. Then it is refused. Work that begins
 * later than that takes a connection for a caller who has left: an overload would then continue after its load.
 */
export function createConcurrencyLimiter({ atOnce, limitMs }: ConcurrencyLimits, now = () => performance.now()): ConcurrencyLimiter {
  const turns = createTurns();
  const durations = createDurations();
  let running = 0;
  let checking: NodeJS.Timeout | undefined;

  const refuseLate = () => {
    const longestWaitMs = Math.max(LEAST_WAIT_MS, limitMs - durations.typicalMs());
    for (const late of turns.takeOlder(now() - longestWaitMs)) late.refuse(unavailable("no connection became free in time"));
    if (turns.waiting > 0) return;
    clearInterval(checking);
    checking = undefined;
  };

  const start = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    running += 1;
    const began = now();
    try {
      return await work();
    } finally {
      running -= 1;
      durations.add(now() - began);
      while (running < atOnce && turns.waiting > 0) turns.takeNext()?.begin();
    }
  };

  const wait = <Result>({ key, check }: Asked, work: () => Promise<Result>): Promise<Result> =>
    new Promise((resolve, refuse) => {
      const begin = () => {
        try {
          check();
        } catch (error) {
          return refuse(error);
        }
        start(work).then(resolve, refuse);
      };
      turns.add(key, { since: now(), begin, refuse });
      checking ??= setInterval(refuseLate, CHECK_EVERY_MS);
      if (turns.waiting > MOST_WAITING) turns.takeNewestOfLongest()?.refuse(unavailable("too much work waits for a connection"));
    });

  return {
    run: (asked, work) => (running < atOnce ? start(work) : wait(asked, work)),
    get running() {
      return running;
    },
    get waiting() {
      return turns.waiting;
    },
  };
}

/** Queues by key, in the order of their turns. */
function createTurns() {
  const queues = new Map<string, Waiting[]>();
  let waiting = 0;
  const taken = (key: string, queue: Waiting[], one: Waiting | undefined) => {
    if (one !== undefined) waiting -= 1;
    if (queue.length === 0) queues.delete(key);
    return one;
  };
  return {
    add(key: string, one: Waiting) {
      const queue = queues.get(key) ?? [];
      queue.push(one);
      queues.set(key, queue);
      waiting += 1;
    },
    takeNext() {
      const [first] = queues;
      if (first === undefined) return undefined;
      const [key, queue] = first;
      // Its next turn comes after all other keys'.
      queues.delete(key);
      queues.set(key, queue);
      return taken(key, queue, queue.shift());
    },
    takeOlder(since: number) {
      const older: Waiting[] = [];
      for (const [key, queue] of [...queues])
        for (let [first] = queue; first !== undefined && first.since <= since; [first] = queue) {
          older.push(first);
          taken(key, queue, queue.shift());
        }
      return older;
    },
    takeNewestOfLongest() {
      const [longest] = [...queues].toSorted(([, one], [, other]) => other.length - one.length);
      return longest === undefined ? undefined : taken(...longest, longest[1].pop());
    },
    get waiting() {
      return waiting;
    },
  };
}

/** What the last pieces of work took. */
function createDurations() {
  const last: number[] = [];
  let count = 0;
  return {
    add(ms: number) {
      last[count % REMEMBERED] = ms;
      count += 1;
    },
    /** Nine of ten take no longer. */
    typicalMs: () => last.toSorted((one, other) => one - other)[Math.floor(IN_TIME_SHARE * last.length)] ?? 0,
  };
}

function unavailable(reason: string): Refusal {
  return new Refusal("temporarily_unavailable", { cause: new Error(reason) });
}
