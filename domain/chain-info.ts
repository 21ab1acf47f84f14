import type { TokenInfo } from "./token.ts";

/** A chain that this installation pays on: configuration, the same in every process. */
export type ChainInfo = {
  /** CAIP-2. */
  chain: string;
  name: string;
  /** Blocks on top of a transaction's own, itself included, before it counts as final. */
  confirmations: number;
  /** The block explorer, see {@link explorerPageOf}. null: none. */
  explorerUrl: string | null;
  /** Where its pages of transactions are; left out: `tx`. */
  explorerPath?: string;
  tokens: readonly TokenInfo[];
};

/** The explorer's page of a transaction; null where there is no explorer. */
export function explorerPageOf({ explorerUrl, explorerPath = "tx" }: ChainInfo, hash: string): string | null {
  return explorerUrl === null ? null : `${explorerUrl}/${explorerPath}/${hash}`;
}
