import { createHash } from "node:crypto";
import { getBase58Decoder } from "@solana/kit";
import type { TransactionFault } from "./transaction-fault.ts";

/** A block of the local cluster. Some slots have none, so a slot is not a height. */
export type Block = { height: number; slot: number; hash: string; parentHash: string; time: number; signatures: readonly string[] };

/** A transaction in a block, with what the runtime did. Amounts of tokens are texts, as JSON-RPC has them. */
export type Landed = {
  signature: string;
  wire: string;
  height: number;
  slot: number;
  fault: TransactionFault | null;
  fee: number;
  units: number;
  logs: readonly string[];
  inner: readonly InnerInstructions[];
  keys: readonly string[];
  preBalances: readonly number[];
  postBalances: readonly number[];
  preTokens: readonly TokenBalance[];
  postTokens: readonly TokenBalance[];
};
export type InnerInstructions = { index: number; instructions: readonly { programIdIndex: number; accounts: number[]; data: string }[] };
export type TokenBalance = { accountIndex: number; mint: string; owner: string; programId: string; amount: string; decimals: number };

/** An account's state; null: there is none. */
export type AccountState = { lamports: bigint; data: Uint8Array; owner: string; executable: boolean } | null;

/** Every so many slots one has no block, because its leader was away. */
const SKIPPED = 16;
const FIRST_SLOT = 1_001;

/** How many blocks the runtime remembers a hash. */
export const HASH_LIFE = 150;

/** The block before everything. */
export function genesisBlock(time: number): Block {
  const hash = hashOf("genesis", String(time));
  return { height: 0, slot: FIRST_SLOT - 1, hash, parentHash: hash, time, signatures: [] };
}

/** The slot after one, which has a block. */
export function nextSlot(slot: number): number {
  return (slot + 1) % SKIPPED === 0 ? slot + 2 : slot + 1;
}

/** 32 bytes in base 58 that nothing else has. */
export function hashOf(...parts: readonly string[]): string {
  return getBase58Decoder().decode(createHash("sha256").update(parts.join("\n")).digest());
}
