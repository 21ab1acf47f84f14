import { NotTerminal } from "./errors.ts";
import { sleep } from "./transport.ts";

/** How long to wait, and the delay before the second poll; later delays grow. */
export type Waiting = { signal?: AbortSignal; timeoutMs?: number; everyMs?: number };

const FIRST_LOOK_MS = 500;
const LONGEST_LOOK_MS = 10_000;

/** Polls until its status is one of `ends`. @throws NotTerminal if the time is over, or `hopeless` says that it never will be. */
export async function until<Thing>(
  look: () => Promise<Thing>,
  standsAt: (thing: Thing) => string,
  ends: readonly string[],
  { timeoutMs = 600_000, everyMs = FIRST_LOOK_MS, signal }: Waiting,
  hopeless: (thing: Thing) => string | null | Promise<string | null> = () => null,
): Promise<Thing> {
  const givenUpAt = Date.now() + timeoutMs;
  for (let pause = everyMs; ; pause = Math.min(pause * 1.5, Math.max(everyMs, LONGEST_LOOK_MS))) {
    const found = await look();
    if (ends.includes(standsAt(found))) return found;
    const why = await hopeless(found);
    if (why !== null) throw new NotTerminal(why, found);
    if (Date.now() + pause > givenUpAt) throw new NotTerminal(`it is ${standsAt(found)} after ${timeoutMs} ms`, found);
    await sleep(pause, signal);
  }
}
