import { say, sayError } from "./terminal.ts";
import { explainStart } from "./trouble.ts";

const PARENT = process.ppid;

/**
 * Listens from the moment this is loaded: what is told while the rest still loads is obeyed as well. Under npm, an end of npm that
 * was not told to us (SIGKILL) counts too: nobody would know of us any more.
 */
const whenTold = new Promise<void>((resolve) => {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => resolve());
  if (process.env.npm_lifecycle_event === undefined) return;
  setInterval(() => process.ppid !== PARENT && resolve(), 1_000).unref();
});
void whenTold.then(() => say("\nStopping …"));

/**
 * Runs to the end of the process: `start`, then until Ctrl-C, SIGTERM or a closed terminal, then `stop`. Exit code 0 when we were
 * told to end, also while still starting; 1 when it did not work, with one sentence on standard error.
 */
export async function runUntilTold(start: () => Promise<void>, stop: () => Promise<void>): Promise<never> {
  let code = 0;
  try {
    await Promise.race([start().then(() => whenTold), whenTold]);
  } catch (error) {
    code = 1;
    sayError(explainStart(error));
  }
  await stop();
  if (code === 0) say("Stopped.");
  process.exit(code);
}
