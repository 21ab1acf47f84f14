import { Refusal } from "#domain/refusal.ts";

/** The time a request may spend on the database in all. */
export type Deadline = {
  /** Runs the work, or refuses once the time is up. Work that goes on after that is of no consequence to the answer. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Within `run`: the clock stands still meanwhile. For what waits on the network, under a limit of its own. */
  pause<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Refuses when the time is up, so that nothing is begun for a caller who was already told no. */
  check(): void;
  /** Before a commit: as `check`, and the commit is given a moment more, so that what it keeps is not told as refused. */
  close(): void;
};

const COMMIT_MS = 200;

/**
 * A database that is gone may hang instead of refusing: whoever asks is told 503 within the limit (contract, part 5), whatever
 * the driver does.
 */
export function createDeadline(limitMs: number): Deadline {
  let remaining = limitMs;
  let armedAt: number | null = null;
  let timer: NodeJS.Timeout | undefined;
  let over = limitMs <= 0;
  let expire: () => void = () => {};
  const arm = () => {
    armedAt = performance.now();
    timer = setTimeout(
      () => {
        over = true;
        expire();
      },
      Math.max(0, remaining),
    );
  };
  const disarm = () => {
    clearTimeout(timer);
    if (armedAt !== null) remaining -= performance.now() - armedAt;
    armedAt = null;
  };
  // By the clock as well as by the timer: a busy process fires timers late.
  const isOver = () => over || remaining - (armedAt === null ? 0 : performance.now() - armedAt) <= 0;
  return {
    run: (work) =>
      new Promise((resolve, reject) => {
        if (isOver()) return reject(tooLate());
        expire = () => reject(tooLate());
        arm();
        work().then(resolve, reject).finally(disarm);
      }),
    pause: async (work) => {
      disarm();
      try {
        return await work();
      } finally {
        arm();
      }
    },
    check: () => {
      if (isOver()) throw tooLate();
    },
    close: () => {
      if (isOver()) throw tooLate();
      disarm();
      remaining += COMMIT_MS;
      arm();
    },
  };
}

function tooLate(): Refusal {
  return new Refusal("temporarily_unavailable", { cause: new Error("the database did not answer in time") });
}
