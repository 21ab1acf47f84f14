import type { Random } from "#fault/random.ts";
import type { Living, Scheduler } from "./scheduler.ts";

/** What chance may do at any one step of a process. */
export type Weather = {
  /** How likely a process is killed at a step; 0 while all is calm. */
  killed: number;
  /** How likely a step lets the others go on first, and for how long at most. */
  late: number;
  lateMs: number;
  /** Until when the database answers nobody. */
  databaseAwayUntil: number;
};

export type Trace = ((line: string) => void) | null;

/** How a process ended. */
export type Death = "killed" | "exited";

/** The database does not answer. */
class DatabaseAway extends Error {
  readonly code = "ECONNREFUSED";
}

/**
 * Every step by which a process touches what is outside of it goes through here: there it may be killed, pause, come late, or find
 * nobody.
 */
export class Gate {
  readonly who: Living;
  readonly #scheduler: Scheduler;
  readonly #random: Random;
  readonly #weather: Weather;
  readonly #trace: Trace;
  readonly #dying: ((how: Death) => void)[] = [];

  constructor(who: Living, scheduler: Scheduler, random: Random, weather: Weather, trace: Trace) {
    this.who = who;
    this.#scheduler = scheduler;
    this.#random = random;
    this.#weather = weather;
    this.#trace = trace;
  }

  onDeath(work: (how: Death) => void): void {
    this.#dying.push(work);
  }

  kill(): void {
    this.#end("killed");
  }

  /** It has stopped by itself and exits: what it left open is rolled back all the same. */
  exit(): void {
    this.#end("exited");
  }

  #end(how: Death): void {
    if (!this.who.alive) return;
    this.who.alive = false;
    for (const work of this.#dying) work(how);
  }

  /** A step towards the database. Answers nothing where nothing happens: most steps cost no turn. */
  pass(step: string): Promise<void> | undefined {
    if (this.#scheduler.now < this.#weather.databaseAwayUntil && this.who.alive) {
      this.#trace?.(`${this.who.name} ${step}: the database is away`);
      // In time, as a driver would: at once would be a loop without an end.
      return this.#scheduler.sleep(5).then(() => Promise.reject(new DatabaseAway("the database is away")));
    }
    return this.step(step);
  }

  step(step: string): Promise<void> | undefined {
    if (!this.who.alive) return new Promise<void>(() => {});
    const { killed, late, lateMs } = this.#weather;
    if (killed > 0 && this.#random.chance(killed)) {
      this.#trace?.(`${this.who.name} ${step}: killed`);
      this.kill();
      return new Promise<void>(() => {});
    }
    this.#trace?.(`${this.who.name} ${step}`);
    if (this.who.frozenUntil > this.#scheduler.now) return this.#sleep(this.who.frozenUntil - this.#scheduler.now);
    if (this.#random.chance(late)) return this.#sleep(1 + this.#random.below(lateMs));
    return undefined;
  }

  /** A process that is killed in its sleep takes no further step: it would lock rows that nobody unlocks. */
  #sleep(ms: number): Promise<void> {
    return this.#scheduler.sleep(ms).then(() => (this.who.alive ? undefined : new Promise<void>(() => {})));
  }
}
