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
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { name, p50: at(0.5), p95: at(0.95) };
}

/** A line each: the figures, and the median as a multiple of the reference's, which tells apart a slow query and a slow machine. */
export function table(title: string, figures: readonly Figures[], reference: Figures, goalMs: number | null): string {
  const lines = figures.map(({ name, p50, p95 }) => {
    const missed = goalMs !== null && p95 > goalMs ? "  over the goal" : "";
    return `  ${name.padEnd(44)}${p50.toFixed(1).padStart(9)}${p95.toFixed(1).padStart(9)}${(p50 / reference.p50).toFixed(1).padStart(9)}×${missed}`;
  });
  const goal = goalMs === null ? "" : `, goal: p95 at most ${goalMs} ms`;
  return [`${title}${goal}`, `  ${"".padEnd(44)}${"p50 ms".padStart(9)}${"p95 ms".padStart(9)}${"ratio".padStart(10)}`, ...lines, ""].join(
    "\n",
  );
}
