import { setTimeout as sleep } from "node:timers/promises";
import { Trouble } from "./trouble.ts";

/** A part that is ready. */
export type Running = {
  /** Settles when it ends, with how: `exit code 1`, `killed by SIGKILL`. */
  exited: Promise<string>;
  /** Ends it in good order, and by force in the end. */
  stop(): Promise<void>;
};

/** A part to keep running. `start` settles when the part is ready, and gives up on the signal. */
export type Part = { name: string; start(signal: AbortSignal): Promise<Running> };

export type Supervisor = {
  /** Starts parts together and keeps them running. Settles when all are ready for the first time; throws when one is hopeless. */
  run(...parts: Part[]): Promise<void>;
  /** Ends all parts, the last started first, and together what was started together. */
  stop(): Promise<void>;
};

/** After this many deaths in a row before it was ready even once, the part is hopeless. */
const HOPELESS = 5;
/** A part that was ready for this long started without trouble. */
const SETTLED_MS = 10_000;
const LONGEST_PAUSE_MS = 3_000;

/** The pause before a part is started again: none the first time, then a little more each time. */
export function pauseBefore(death: number): number {
  return death <= 1 ? 0 : Math.min(LONGEST_PAUSE_MS, 250 * 2 ** (death - 2));
}

type Kept = { running: Running | null; loop: Promise<void> };

type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

async function sleepUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}

/** Keeps parts running (contract, part 8): a part that dies is reported and started again, whatever the cause. */
export function createSupervisor(say: (line: string) => void, wait: Wait = sleepUnlessAborted): Supervisor {
  const stopping = new AbortController();
  const kept: Kept[][] = [];

  async function keep(part: Part, entry: Kept, onReady: () => void): Promise<void> {
    let wasReady = false;
    for (let deaths = 1; !stopping.signal.aborted; deaths++) {
      let how: string;
      try {
        entry.running = await part.start(stopping.signal);
        if (stopping.signal.aborted) return await entry.running.stop();
        const readySince = Date.now();
        if (wasReady) say(`${part.name} is ready again.`);
        wasReady = true;
        onReady();
        how = await entry.running.exited;
        if (Date.now() - readySince > SETTLED_MS) deaths = 1;
      } catch (error) {
        if (!wasReady && error instanceof Trouble) throw error;
        how = error instanceof Error ? error.message : String(error);
      }
      entry.running = null;
      if (stopping.signal.aborted) return;
      if (!wasReady && deaths >= HOPELESS)
        throw new Trouble(`${part.name} ended ${HOPELESS} times before it was ready; the last time: ${how}.`);
      const pause = pauseBefore(deaths);
      say(`${part.name} ended (${how}): starting it again${pause === 0 ? "" : ` in ${pause / 1000} s`}.`);
      await wait(pause, stopping.signal);
    }
  }

  return {
    run: async (...parts) => {
      const started = parts.map((part) => {
        const entry: Kept = { running: null, loop: Promise.resolve() };
        const ready = new Promise<void>((resolve, reject) => {
          entry.loop = keep(part, entry, resolve).catch(reject);
        });
        return { entry, ready };
      });
      kept.push(started.map(({ entry }) => entry));
      await Promise.all(started.map(({ ready }) => ready));
    },
    stop: async () => {
      stopping.abort();
      for (const together of kept.toReversed())
        await Promise.all(
          together.map(async (entry) => {
            await entry.running?.stop();
            await entry.loop;
          }),
        );
    },
  };
}
