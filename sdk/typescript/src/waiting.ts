import { NotTerminal } from "./errors.ts";
import { sleep } from "./transport.ts";

/** For how long it is waited, and how soon it is looked a second time; after that less and less often. */
export type Waiting = { signal?: AbortSignal; timeoutMs?: number; everyMs?: number };

const FIRST_LOOK_MS = 500;
const LONGEST_LOOK_MS = 10_000;

/** Looks until it stands at one of `ends`. @throws NotTerminal where the time is over, or `hopeless` says why it never will. */
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
