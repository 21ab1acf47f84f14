import type { LapsingDirectory } from "#domain/lapsing-chain.ts";
import type { Family } from "#sandbox/settings.ts";

/** A payment as the chain has it: in the token that the network's payments are made in. */
export type PaymentThere = { wallet: string; amountBase: bigint; txHash: string };

/** How a node of a network misbehaves: it is behind, has lost or denies what is there, drops what it is sent, or is silent. */
export type NodeFault = "lags" | "forgets" | "hides" | "denies" | "swallows" | "silent" | "none";

/**
 * A local network of a family whose payments lapse, with two nodes for the service, each of which may misbehave, and one for the judge.
 * Everything that waits for a block, or is in one, is the same for all of them.
 */
export type FamilyNetwork = {
  family: Family;
  /** CAIP-2. */
  chain: string;
  /** Its test tokens, by currency. */
  tokens: Readonly<Record<string, string>>;
  /** The service's nodes. */
  urls: readonly string[];
  /** The chain through the judge's own node. */
  judge: LapsingDirectory;
  /** How long signed bytes may still be included, at most. */
  lapseMs: number;
  /** What the first node can be made to do. */
  faults: readonly NodeFault[];
  /** Its entry in CHAINS. */
  entry(keyFiles: readonly string[], urls: readonly string[]): object;
  /** Gives a treasury wallet all that it needs. */
  fund(key: `0x${string}`): Promise<void>;
  /** A wallet that follows from 20 random bytes, in hex. Nobody has its key. */
  walletOf(hex: string): string;
  /** Every payment in USDT out of a treasury wallet that is in a final block, read from the chain without the service's code. */
  payments(): Promise<PaymentThere[]>;
  /** What is sent from now on is in no block, until {@link release} or {@link passExpiry}. */
  hold(): Promise<void>;
  /** Blocks take what waits. */
  release(): Promise<void>;
  /** Everything that was signed so far and is in no block lapses. Blocks take what is sent afterwards. */
  passExpiry(): Promise<void>;
  /** From now on the first node misbehaves so. `ids`: of transactions, for what it hides. */
  misbehave(fault: NodeFault, ids: readonly string[]): Promise<void>;
  /** Takes back blocks that are not final, and loses what waits for one. */
  disturb(): Promise<void>;
  stop(): Promise<void>;
};
