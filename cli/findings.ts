import type { Finding } from "./examine.ts";
import { EXIT } from "./exit.ts";
import type { Out } from "./out.ts";

/** Prints the results, a line each, and returns the exit code. */
export function printFindings(out: Out, findings: readonly Finding[]): number {
  const faults = findings.filter(({ state }) => state === "fault");
  out.print({ ok: faults.length === 0, findings }, (paint) => {
    const marks = { ok: paint.green("✓"), warning: paint.yellow("!"), fault: paint.red("✗"), "left out": paint.dim("–") };
    const width = Math.max(...findings.map(({ check }) => check.length));
    return findings.map(({ check, state, message }) => `${marks[state]} ${check.padEnd(width)}  ${message}`).join("\n");
  });
  return faults.length === 0 ? EXIT.done : EXIT.found;
}
