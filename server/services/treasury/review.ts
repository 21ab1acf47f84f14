import type { Transfer } from "#domain/transfer.ts";

/** A node's view of one of our attempts. `moved_nothing`: it is on the chain, and provably did nothing. */
export type AttemptSeen = {
  hash: string;
  kind: "payment" | "cancellation";
  seen: "unknown" | "reverted" | "paid" | "moved_nothing" | "unclear";
};
/** What one node says; null attempts: it does not answer. `nonce`: how many transactions of the wallet it has in blocks. */
export type NodeWord = {
  node: string;
  nonce: number | null;
  attempts: AttemptSeen[] | null;
  /** Why it does not rule out that one of them paid, or still will. */
  danger: string | null;
};
export type Review = {
  transfer: Transfer;
  wallet: string;
  /** null: its chain has none for payments. */
  nonce: number | null;
  nodes: NodeWord[];
  /** The decisions that the chain allows an operator right now. `executed` needs a hash, which is checked when it is given. */
  mayFail: boolean;
};
