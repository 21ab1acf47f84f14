import { table } from "./report.ts";
import { median } from "./rounds.ts";

export type Figures = { name: string; p50: number; p95: number };

const WARM_UP = 5;

/** How long a call takes, in milliseconds, called again and again, one at a time; the first few do not count. */
export async function measure(name: string, times: number, call: (round: number) => Promise<unknown>): Promise<Figures> {
  const taken: number[] = [];
  for (let round = -WARM_UP; round < times; round += 1) {
    const started = performance.now();
    await call(Math.abs(round));
    if (round >= 0) taken.push(performance.now() - started);
  }
  return figuresOf(name, taken);
}

export function figuresOf(name: string, taken: readonly number[]): Figures {
  const sorted = taken.toSorted((left, right) => left - right);
  return { name, p50: median(sorted), p95: sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN };
}

/** A line each: the figures, and the median as a multiple of the reference's, which distinguishes a slow query from a slow machine. */
export function callsTable(title: string, figures: readonly Figures[], reference: Figures, goalMs: number | null = null): string {
  const rows = figures.map(({ name, p50, p95 }) => [
    name,
    p50.toFixed(1),
    p95.toFixed(1),
    `${(p50 / reference.p50).toFixed(1)}×`,
    goalMs === null ? "" : p95 > goalMs ? `over ${goalMs}` : `≤ ${goalMs}`,
  ]);
  return table([title, "p50 ms", "p95 ms", "ratio", "goal"], rows);
}
