/**
 * How long what happens at once may take in a test, in milliseconds: far less than what the guarantee rules out (an attempt that hangs
 * for 30 s, a wait without end), and far more than a busy machine needs. It judges no speed; `bench/` does.
 */
export const AT_ONCE_MS = 20_000;

/** The shortest of several runs, in milliseconds: what a busy machine adds is in the longer ones. For ratios to a control. */
export function fastestOf(times: number, work: () => void): number {
  let fastest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < times; run += 1) {
    const began = performance.now();
    work();
    fastest = Math.min(fastest, performance.now() - began);
  }
  return fastest;
}
