/** Figures about the receivers for the metrics: how many answered most of their recent attempts, and which have not answered for long. */
export type ReceiverFigures = { answering: number; failing: number; failingSeconds: readonly { receiver: string; seconds: number }[] };

/** Recent attempts are those of this window and of the one before it. */
const WINDOW_MS = 300_000;
/** A receiver counts as failing after this many failed attempts in a row. */
const IN_A_ROW = 3;
/** How many failing ones are named, the longest first: the metrics' labels stay few however many receivers there are. */
const MOST_NAMED = 50;
const MOST_REMEMBERED = 10_000;
/** Longer than the longest pause between two attempts of one callback. */
const FORGET_MS = 12 * 3_600_000;

type Window = { good: number; bad: number };
type Health = { receiver: string; window: number; now: Window; before: Window; failedInARow: number; failingSince: number; seen: number };

const NONE: Window = { good: 0, bad: 0 };

/** What one worker process has seen of each receiver. Instants are milliseconds of a clock that never goes back. */
export class ReceiverHealth {
  readonly #known = new Map<string, Health>();

  /** Notes the end of an attempt on a queue (`<partner> <origin>`). */
  note(queue: string, wellAnswered: boolean, at: number): void {
    const health = turn(this.#known.get(queue) ?? blank(queue, at), at);
    const { good, bad } = health.now;
    this.#known.delete(queue);
    this.#known.set(queue, {
      ...health,
      now: wellAnswered ? { good: good + 1, bad } : { good, bad: bad + 1 },
      failedInARow: wellAnswered ? 0 : health.failedInARow + 1,
      failingSince: wellAnswered || health.failedInARow === 0 ? at : health.failingSince,
      seen: at,
    });
    for (const oldest of this.#known.size > MOST_REMEMBERED ? [...this.#known.keys()].slice(0, 1) : []) this.#known.delete(oldest);
  }

  figures(at: number): ReceiverFigures {
    for (const [queue, { seen }] of this.#known) if (at - seen > FORGET_MS) this.#known.delete(queue);
    const recent = [...this.#known.values()].map((health) => turn(health, at));
    const count = (isFailing: boolean) =>
      recent.filter(({ now, before }) => {
        const [good, bad] = [now.good + before.good, now.bad + before.bad];
        return good + bad > 0 && bad > good === isFailing;
      }).length;
    const failing = recent
      .filter(({ failedInARow }) => failedInARow >= IN_A_ROW)
      .map(({ receiver, failingSince }) => ({ receiver, seconds: Math.round((at - failingSince) / 1_000) }))
      .toSorted((one, other) => other.seconds - one.seconds);
    return { answering: count(false), failing: count(true), failingSeconds: failing.slice(0, MOST_NAMED) };
  }
}

function blank(queue: string, at: number): Health {
  const receiver = queue.slice(queue.indexOf(" ") + 1);
  return { receiver, window: Math.floor(at / WINDOW_MS), now: NONE, before: NONE, failedInARow: 0, failingSince: at, seen: at };
}

/** The same with its windows moved on to that moment. */
function turn(health: Health, at: number): Health {
  const window = Math.floor(at / WINDOW_MS);
  if (window === health.window) return health;
  return { ...health, window, now: NONE, before: window === health.window + 1 ? health.now : NONE };
}
