import type { Verdict } from "./double-chain.ts";

/** How a node of the double misbehaves. Each may change at any time. */
export type Knobs = {
  /** It is behind by so many blocks. */
  lag: number;
  /** It has no blocks and no receipts below this height, like a node that keeps only part of the history. */
  forgetBelow: number;
  /** It denies what it knows of these ids, and keeps them out of the blocks that it shows. */
  hides: Set<string>;
  /** It denies them by id, and shows the blocks as they are. */
  forgetsIds: Set<string>;
  /** It accepts connections and answers nothing. */
  isSilent: boolean;
  /** It answers a broadcast with this code, and takes nothing. */
  refusesWith: Verdict | null;
  /** It takes a broadcast and its answer is lost. */
  losesAnswers: boolean;
};
