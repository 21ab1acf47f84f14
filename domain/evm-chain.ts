import type { EvmIntent, EvmLog } from "./evm-intent.ts";

export type EvmBlock = {
  height: number;
  hash: string;
  parentHash: string;
  at: Date;
  baseFeePerGas: bigint;
  transactionHashes: readonly string[];
};

/** A transaction in a block: its nonce, and its content. */
export type EvmSent = EvmIntent & { hash: string; nonce: number };

export type EvmReceipt = {
  hash: string;
  blockHash: string;
  blockHeight: number;
  succeeded: boolean;
  gasUsed: bigint;
  /** Who paid for it. */
  sender: string;
  /** What it cost, in base units of the chain's coin: its gas, and what a rollup takes for the data. */
  feeBase: bigint;
  logs: readonly EvmLog[];
  /** What a creation made. */
  contractAddress: string | null;
};
