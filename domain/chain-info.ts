import type { TokenInfo } from "./token.ts";

/** A chain that this installation pays on: configuration, the same in every process. */
export type ChainInfo = {
  /** CAIP-2. */
  chain: string;
  name: string;
  /** Blocks on top of a transaction's own, itself included, before it counts as final. */
  confirmations: number;
  /** The block explorer: `<explorerUrl>/tx/<hash>`. null: none. */
  explorerUrl: string | null;
  tokens: readonly TokenInfo[];
};
