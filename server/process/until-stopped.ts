import { say, sayError } from "./terminal.ts";
import { explainStart } from "./trouble.ts";

const PARENT = process.ppid;

/**
 * Listens from the moment this module is loaded, so that a stop during loading counts as well. Under npm, it also notices when npm is
 * killed (SIGKILL), because nobody could stop this process any more.
 */
const whenNotified = new Promise<void>((resolve) => {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => resolve());
  if (process.env.npm_lifecycle_event === undefined) return;
  setInterval(() => process.ppid !== PARENT && resolve(), 1_000).unref();
});
void whenNotified.then(() => say("\nStopping …"));

/**
 * Runs until the end of the process: `start`, then until Ctrl-C, SIGTERM or a closed terminal, then `stop`. Exit code 0 after a requested
 * stop, even during the start; 1 after a failure, with one sentence on standard error.
 */
export async function runUntilStopped(start: () => Promise<void>, stop: () => Promise<void>): Promise<never> {
  let code = 0;
  try {
    await Promise.race([start().then(() => whenNotified), whenNotified]);
  } catch (error) {
    code = 1;
    sayError(explainStart(error));
  }
  await stop();
  if (code === 0) say("Stopped.");
  process.exit(code);
}
