/** A rule, how many cases it checked, and each violation. */
export type Outcome = { rule: string; title: string; checked: number; violations: string[] };

/** Asks a rule of each. */
export function rule<T>(name: string, title: string, each: readonly T[], faults: (one: T) => readonly string[]): Outcome {
  return { rule: name, title, checked: each.length, violations: each.flatMap((one) => faults(one)) };
}

/** One thing that must be so. */
export function must(name: string, title: string, isSo: boolean, otherwise: string): Outcome {
  return { rule: name, title, checked: 1, violations: isSo ? [] : [otherwise] };
}

/** Hashes and addresses, however they are written. */
export const alike = (one: string | null, other: string | null) => (one ?? "").toLowerCase() === (other ?? "").toLowerCase();
