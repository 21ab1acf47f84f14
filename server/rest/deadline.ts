import { Refusal } from "#domain/refusal.ts";
import { ClientGone } from "./raw-request.ts";

/** The time a request may spend on the database in all. */
export type Deadline = {
  /** Runs the work, or refuses once the time is up. Work that continues after that does not affect the answer. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Within `run`: pauses the deadline, for a network call with its own limit. */
  pause<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Refuses when the time is up, so that nothing is begun for a caller who already got 503. */
  check(): void;
  /** Calls this once, when the time is up while work runs, or at once if it is up already. It replaces an earlier one. */
  whenOver(abandon: () => void): void;
  /**
   * Before a commit: as `check`, with a moment more for the commit, so that a stored result is not reported as refused. Nothing is called by
   * `whenOver` from here on.
   */
  close(): void;
  /** The caller has left. From here on it is as if the time were up, but not for a commit that was sent. */
  leave(): void;
};

const COMMIT_MS = 200;

/** How often all deadlines are checked: a timer for each wait of each request would cost more than the work of many requests. */
const LOOK_EVERY_MS = 25;
const running = new Set<() => void>();
let ticking: NodeJS.Timeout | undefined;

function lookAtAll(): void {
  for (const look of running) look();
  if (running.size > 0) return;
  clearInterval(ticking);
  ticking = undefined;
}

/**
 * A database that is gone may hang instead of refusing: the caller gets 503 within the limit (contract, part 5), whatever the driver does.
 */
export function createDeadline(limitMs: number): Deadline {
  let remaining = limitMs;
  let armedAt: number | null = null;
  let expire: () => void = () => {};
  let abandon: () => void = () => {};
  let isClosed = false;
  let reason: () => Error = tooLate;
  const isOver = () => remaining - (armedAt === null ? 0 : performance.now() - armedAt) <= 0;
  const look = () => {
    if (isOver()) expire();
  };
  const arm = () => {
    armedAt = performance.now();
    running.add(look);
    ticking ??= setInterval(lookAtAll, LOOK_EVERY_MS);
  };
  const disarm = () => {
    running.delete(look);
    if (armedAt !== null) remaining -= performance.now() - armedAt;
    armedAt = null;
  };
  return {
    run: (work) =>
      new Promise((resolve, reject) => {
        if (isOver()) return reject(reason());
        expire = () => {
          disarm();
          reject(reason());
          abandon();
        };
        arm();
        work().finally(disarm).then(resolve, reject);
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
      if (isOver()) throw reason();
    },
    whenOver: (then) => {
      abandon = then;
      if (isOver()) abandon();
    },
    close: () => {
      if (isOver()) throw reason();
      isClosed = true;
      abandon = () => {};
      disarm();
      remaining += COMMIT_MS;
      arm();
    },
    leave: () => {
      if (isClosed) return;
      reason = callerLeft;
      remaining = Number.NEGATIVE_INFINITY;
      if (armedAt !== null) expire();
    },
  };
}

function callerLeft(): ClientGone {
  return new ClientGone("the caller left before its answer");
}

function tooLate(): Refusal {
  return new Refusal("temporarily_unavailable", { cause: new Error("the database did not answer in time") });
}
