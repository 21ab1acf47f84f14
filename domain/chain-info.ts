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
  tokens: readonly TokenInfo[];
};

/** The explorer's page of a transaction; null where there is no explorer. Tron's explorers have another path than all others. */
export function explorerPageOf({ chain, explorerUrl }: Pick<ChainInfo, "chain" | "explorerUrl">, hash: string): string | null {
  if (explorerUrl === null) return null;
  return `${explorerUrl}/${chain.startsWith("tron:") ? "transaction" : "tx"}/${hash}`;
}
