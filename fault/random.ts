import { createHash } from "node:crypto";
import { getAddress } from "viem";

/** Chance that can be repeated: the same seed and name give the same row. */
export type Random = {
  /** From 0 up to, and without, 1. */
  next(): number;
  /** A whole number below that. */
  below(limit: number): number;
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T;
  shuffled<T>(list: readonly T[]): T[];
  hex(bytes: number): string;
  /** A wallet that nobody has used. */
  wallet(): `0x${string}`;
  /** A separate sequence, so that draws from one do not shift another. */
  fork(name: string): Random;
};

export function seeded(seed: string): Random {
  let state = createHash("sha256").update(seed).digest().readUInt32LE(0);
  /** Mulberry32. */
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  const hex = (bytes: number) => Array.from({ length: bytes }, () => below(256).toString(16).padStart(2, "0")).join("");
  return {
    next,
    below,
    hex,
    chance: (share) => next() < share,
    pick: (list) => {
      if (list.length === 0) throw new Error("there is nothing to pick from");
      return list[below(list.length)] as (typeof list)[number];
    },
    shuffled: (list) =>
      list
        .map((each) => [next(), each] as const)
        .sort(([one], [other]) => one - other)
        .map(([, each]) => each),
    wallet: () => getAddress(`0x${hex(20)}`),
    fork: (name) => seeded(`${seed} ${name}`),
  };
}
