/** Runs every comparison with a reference: sides in turns, round by round, medians and ranges. Pure except for the sides. */

/** CPU of a process or of several of one kind, in milliseconds, by its name. */
export type Cpu = Readonly<Record<string, number>>;

/** One side's result in one round. `cpuMs` is for the whole round; `p50Ms` for one piece of work, if it has a measurable end. */
export type Tally = { done: number; seconds: number; cpuMs: Cpu; p50Ms?: number };

export type Side = {
  name: string;
  /** `measured: false` is the warm-up, which does not count and may be shorter. */
  run(measured: boolean): Promise<Tally>;
  /** The reference side, and the share of its rate to reach. A side without one is a reference. */
  against?: { name: string; goal?: number };
};

export type Spread = { median: number; low: number; high: number };

export type Outcome = {
  name: string;
  perSecond: Spread;
  p50Ms: number | null;
  /** For one piece of work, over all rounds: the kernel counts in steps that are too coarse for one. */
  cpuMs: Cpu;
  against: { name: string; goal: number | null; ratio: Spread } | null;
};

/** The middle one; of an even number the mean of the two in the middle; of none NaN. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((left, right) => left - right);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2;
}

export function spread(numbers: readonly number[]): Spread {
  return { median: median(numbers), low: Math.min(...numbers), high: Math.max(...numbers) };
}

/** Who works when: every other round backwards, so that what grows slower or faster meanwhile favours nobody. */
export function turnsOf<T>(sides: readonly T[], round: number): T[] {
  return round % 2 === 0 ? [...sides] : sides.toReversed();
}

/** Each side once to warm up, then every side once a round. A ratio is that of one round, and the figure is the median of the rounds'. */
export async function inTurns(sides: readonly Side[], rounds: number): Promise<Outcome[]> {
  for (const side of sides) await side.run(false);
  const tallies = new Map<string, Tally[]>(sides.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const side of turnsOf(sides, round)) tallies.get(side.name)?.push(await side.run(true));
  }
  return sides.map((side) => outcomeOf(side, tallies));
}

const rate = ({ done, seconds }: Tally) => done / seconds;

function outcomeOf({ name, against }: Side, tallies: ReadonlyMap<string, readonly Tally[]>): Outcome {
  const own = tallies.get(name) ?? [];
  const theirs = against && tallies.get(against.name);
  if (against && theirs === undefined) throw new Error(`${name} is compared with ${against.name}, which does not run`);
  const ratios = own.map((tally, round) => rate(tally) / rate(theirs?.[round] ?? tally));
  const p50s = own.flatMap(({ p50Ms }) => (p50Ms === undefined ? [] : [p50Ms]));
  const names = new Set(own.flatMap(({ cpuMs }) => Object.keys(cpuMs)));
  const total = (of: (tally: Tally) => number) => own.reduce((sum, tally) => sum + of(tally), 0);
  const cpu = [...names].map((each) => [each, total(({ cpuMs }) => cpuMs[each] ?? 0) / total(({ done }) => done)] as const);
  return {
    name,
    perSecond: spread(own.map(rate)),
    p50Ms: p50s.length === 0 ? null : median(p50s),
    cpuMs: Object.fromEntries(cpu),
    against: against ? { name: against.name, goal: against.goal ?? null, ratio: spread(ratios) } : null,
  };
}
