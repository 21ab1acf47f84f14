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

/** The database was put back to an earlier moment: a restore, or a failover that lost commits. */
export type PutBack = {
  at: number;
  /** Of each wallet, by its address: the highest nonce in the journal then, and the database's next one. */
  places: ReadonlyMap<string, { mark: number; nextNonce: number }>;
  /** The attempts that no table has any more. */
  lost: ReadonlySet<string>;
};
