const isTerminal = process.stdout.isTTY === true;

/** One line for the person at the terminal. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Shows that something is being done, for how long, and that it is done. */
export async function step<Result>(title: string, work: () => Promise<Result>): Promise<Result> {
  const started = Date.now();
  const elapsed = () => `${((Date.now() - started) / 1000).toFixed(1)} s`;
  if (isTerminal) process.stdout.write(`  ${title} …`);
  const tick = isTerminal
    ? setInterval(() => process.stdout.write(`\r  ${title} … ${elapsed()} `), 200)
    : setInterval(() => say(`  ${title} … ${elapsed()}`), 10_000);
  try {
    const result = await work();
    process.stdout.write(`${isTerminal ? "\r\x1b[K" : ""}  ${title}: ${elapsed()}\n`);
    return result;
  } catch (error) {
    process.stdout.write(`${isTerminal ? "\r\x1b[K" : ""}  ${title}: failed\n`);
    throw error;
  } finally {
    clearInterval(tick);
  }
}
