import type { Random } from "#fault/random.ts";

/** One run from one seed. */
export type History = {
  seed: string;
  random: Random;
  /** What went wrong in it, by kind. */
  faults: Set<string>;
  /** What did not hold. */
  violations: string[];
  /** Null: nobody reads it. */
  trace: ((line: string) => void) | null;
  clock: () => number;
};
