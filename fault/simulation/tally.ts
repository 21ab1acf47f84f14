/** What came of many histories. */
export type Tally = {
  histories: number;
  /** By the clock, and of the processor. */
  seconds: number;
  cpuSeconds: number;
  /** In how many histories each kind of fault happened. */
  faults: Record<string, number>;
  failed: { family: string; seed: string; violations: string[] }[];
};

export function merge(tallies: readonly Tally[], seconds: number): Tally {
  const faults: Record<string, number> = {};
  for (const one of tallies) for (const [kind, count] of Object.entries(one.faults)) faults[kind] = (faults[kind] ?? 0) + count;
  const sum = (of: (one: Tally) => number) => tallies.reduce((all, one) => all + of(one), 0);
  return {
    histories: sum((one) => one.histories),
    seconds,
    cpuSeconds: sum((one) => one.cpuSeconds),
    faults,
    failed: tallies.flatMap((one) => one.failed),
  };
}

/** For people: each history that failed with how to see it again, then the sums. */
export function describe({ histories, seconds, cpuSeconds, faults, failed }: Tally, seed: string): string {
  const lines = failed.map(({ family, seed: own, violations }) =>
    [`${family} ${own}`, ...violations.map((line) => `  ${line}`), `  again: npm run simulate -- --family ${family} --only ${own}`].join(
      "\n",
    ),
  );
  const speed = `${Math.round(histories / seconds)} a second, ${Math.round(histories / cpuSeconds)} for each second of a processor`;
  const kinds = Object.entries(faults)
    .sort(([, one], [, other]) => other - one)
    .map(([kind, count]) => `${kind} ${count}`);
  return [
    ...lines,
    `${histories} histories from seed ${seed} in ${seconds.toFixed(1)} s (${speed}), ${failed.length} failed`,
    `Histories with: ${kinds.join(", ")}`,
  ].join("\n");
}
