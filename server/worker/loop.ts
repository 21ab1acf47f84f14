import type { Duty, Verdict } from "#server/engines/duty.ts";
import { RepeatedTrouble } from "#server/engines/repeated-trouble.ts";
import type { Log } from "#server/ports.ts";

/** Receives notifications of due work: `onPayload` for each, `onListening` whenever it reconnects; in the driver's own shape. */
export type Listen = (channel: string, onPayload: (payload: string) => void, onListening: () => void) => Promise<unknown>;

export type LoopOptions = {
  duties: readonly Duty[];
  listen: Listen;
  log: Log;
  /** Called for every finished round, for the metrics. */
  onRound?: (pass: { duty: string; outcome: "done" | "failed"; seconds: number }) => void;
  /** How long a round may go on after the stop where its duty does not say. */
  patienceMs?: number;
};

const CHANNEL = "due_work";
/** Any query of a working database or node is over by then. */
const PATIENCE_MS = 3_000;
/** Pauses of a duty that fails again and again. Short at the end too: the database may be back any moment. */
const PAUSES_MS = [250, 500, 1_000, 2_000];

/**
 * Runs duties concurrently until it is stopped, each in its own rounds. A notification on `due_work` starts a round at once; each duty's
 * interval is the fallback for missed ones. A failed round is retried after a pause, for ever; the log has its beginning, a line each
 * minute, and its end.
 *
 * `stop` lets the rounds in progress end. One that is still waiting after its patience, for a silent node or a statement that takes
 * minutes, is abandoned: a worker may die there too, so nothing is lost. Its leases are released.
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
        options.log.warn({ duty: duty.name, seconds: seconds() }, "the worker stops before a pass has ended");
        break;
      }
      trouble.ended(duty.name, (count) => options.log.info({ duty: duty.name, ...count }, "a duty succeeds again"));
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

/** The result of a round; `left` when it was abandoned after the stop. */
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
  // Notifications without a listener were missed: check everything once.
  const onListening = () => onPayload("clock");
  try {
    await options.listen(CHANNEL, onPayload, onListening);
  } catch (error) {
    options.log.warn({ error }, "not listening for notifications of due work yet; polling instead");
  }
}

/** An interruptible pause. A ring while nobody waits counts for the next wait. */
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
