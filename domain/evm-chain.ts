import type { EvmIntent, EvmLog } from "./evm-intent.ts";

export type EvmBlock = {
  height: number;
  hash: string;
  parentHash: string;
  at: Date;
  baseFeePerGas: bigint;
  /** The room of the block. */
  gasLimit: bigint;
  transactionHashes: readonly string[];
};

/** A transaction in a block: who made it (in lower case), its nonce, and its content. */
export type EvmSent = EvmIntent & { hash: string; sender: string; nonce: number };

/** A block's transactions in full. */
export type EvmContent = { hash: string; transactions: readonly EvmSent[] };

/** An event of a token that moved it. `index`: among the logs of its block; omitted if unknown. Addresses in lower case. */
export type EvmTokenMove = {
  hash: string;
  blockHeight: number;
  blockHash: string;
  index: number | undefined;
  token: string;
  sender: string;
  recipient: string;
  amountBase: bigint;
};

/** What left one of these addresses (`out`), or reached one (`in`), between two heights. */
export type TokenMoveSearch = {
  side: "in" | "out";
  addresses: readonly string[];
  tokens: readonly string[];
  from: number;
  to: number;
};

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
