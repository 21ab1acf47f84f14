import type { Duty, Verdict } from "#server/engines/duty.ts";
import { RepeatedTrouble } from "#server/engines/repeated-trouble.ts";
import type { Log } from "#server/ports.ts";

/** Hears of due work: `onPayload` with each notification, `onListening` whenever it hears again; shaped like the driver's own. */
export type Listen = (channel: string, onPayload: (payload: string) => void, onListening: () => void) => Promise<unknown>;

export type LoopOptions = {
  duties: readonly Duty[];
  listen: Listen;
  log: Log;
  /** Told of every round that ended: for the metrics. */
  onRound?: (pass: { duty: string; outcome: "done" | "failed"; seconds: number }) => void;
  /** How long a round may go on after the stop where its duty does not say. */
  patienceMs?: number;
};

const CHANNEL = "due_work";
/** Whatever a database or a node that answers is asked for is over by then. */
const PATIENCE_MS = 3_000;
/** Pauses of a duty that fails again and again. Short at the end too: the database may be back any moment. */
const PAUSES_MS = [250, 500, 1_000, 2_000];

/**
 * Runs duties side by side until it is stopped, each in rounds of its own. Notifications on `due_work` start a round at once; each
 * duty's own rhythm is the net for what no notification told. A round that fails is tried again after a pause, for ever. The log says so
 * when it begins, each minute, and when it ends.
 *
 * `stop` lets the rounds under way end. One that still waits after its patience, for a node that is silent or a statement that takes minutes, is left
 * where it stands: a worker may die there too, so that nothing is lost by it. What its duty has in hand is given back.
 */
export function startLoop(options: LoopOptions): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const alarms = options.duties.map((duty) => ({ duty, alarm: new Alarm() }));
  for (const { duty, alarm } of alarms) duty.onWake?.(() => alarm.ring());
  void keepListening(options, (payload) => {
    for (const { duty, alarm } of alarms) if (payload === "clock" || payload === duty.channel) alarm.ring();
  });
  const running = alarms.map(({ duty, alarm }) => runDuty(duty, alarm, stopping.signal, options));
  return {
    async stop() {
      stopping.abort();
      for (const { alarm } of alarms) alarm.ring();
      await Promise.all(running);
    },
  };
}

async function runDuty(duty: Duty, alarm: Alarm, signal: AbortSignal, options: LoopOptions): Promise<void> {
  let failures = 0;
  const trouble = new RepeatedTrouble();
  while (!signal.aborted) {
    const startedAt = performance.now();
    const seconds = () => (performance.now() - startedAt) / 1_000;
    try {
      const verdict = await unlessLeft(duty.run(signal), duty.patienceMs ?? options.patienceMs ?? PATIENCE_MS, signal);
      if (verdict === "left") {
        options.log.warn({ duty: duty.name, seconds: seconds() }, "the worker stops, and leaves a round that has not ended");
        break;
      }
      trouble.ended(duty.name, (count) => options.log.info({ duty: duty.name, ...count }, "a duty works again"));
      failures = 0;
      options.onRound?.({ duty: duty.name, outcome: "done", seconds: seconds() });
      if (verdict === "idle") await alarm.wait(duty.everyMs);
    } catch (error) {
      if (signal.aborted) break;
      const pauseMs = PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)] ?? 0;
      failures += 1;
      options.onRound?.({ duty: duty.name, outcome: "failed", seconds: seconds() });
      trouble.occurred(duty.name, (count) => options.log.error({ error, duty: duty.name, ...count }, "a duty failed"));
      await pause(pauseMs, signal);
    }
  }
  try {
    await duty.drain?.();
  } catch (error) {
    options.log.error({ error, duty: duty.name }, "a duty could not be drained");
  }
}

/** What a round comes to; `left` when it still goes on so long after the stop. */
function unlessLeft(pass: Promise<Verdict>, patienceMs: number, stopping: AbortSignal): Promise<Verdict | "left"> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const lose = () => {
      timer = setTimeout(resolve, patienceMs, "left");
    };
    stopping.addEventListener("abort", lose, { once: true });
    const end = () => {
      stopping.removeEventListener("abort", lose);
      clearTimeout(timer);
    };
    pass.finally(end).then(resolve, reject);
  });
}

/** The driver listens again by itself after a connection broke; only the very first attempt is ours to repeat. */
async function keepListening(options: LoopOptions, onPayload: (payload: string) => void): Promise<void> {
  // What came while nobody listened was missed: look at everything once.
  const onListening = () => onPayload("clock");
  try {
    await options.listen(CHANNEL, onPayload, onListening);
  } catch (error) {
    options.log.warn({ error }, "notifications of due work are not heard yet; polling meanwhile");
  }
}

/** A pause that can be cut short. A ring while nobody waits is kept for the next wait. */
class Alarm {
  #rung = false;
  #end: (() => void) | null = null;

  ring(): void {
    if (this.#end) this.#end();
    else this.#rung = true;
  }

  wait(milliseconds: number): Promise<void> {
    if (this.#rung) {
      this.#rung = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#end = null;
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      this.#end = end;
    });
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener("abort", end);
  });
}
