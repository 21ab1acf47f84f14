import type { AccountState, Block, Landed } from "./blocks.ts";
import type { Cluster } from "./cluster.ts";
import { tokenAccount } from "./runtime.ts";

export type Commitment = "processed" | "confirmed" | "finalized";

/** What is wrong with a node. By default nothing is. */
export type Knobs = {
  /** How many blocks it is behind the cluster. */
  lag: number;
  /** How many of its newest blocks it still has; null: all. */
  keepsBlocks: number | null;
  /** Signatures that it says it does not know, although they are in its blocks. */
  hides: readonly string[];
  /** Balances that it makes up, by account: of wallets in lamports, of token accounts in base units. */
  balances: Readonly<Record<string, string>>;
  /** Whether it accepts transactions and forgets them at once. */
  swallows: boolean;
  /** Whether it takes every connection and answers nothing. */
  isSilent: boolean;
  /** What it says about prices for a unit, in millionths of a lamport. */
  prioritizationFee: number;
};

export const NO_FAULTS: Knobs = {
  lag: 0,
  keepsBlocks: null,
  hides: [],
  balances: {},
  swallows: false,
  isSilent: false,
  prioritizationFee: 0,
};

/** One node's view of the cluster, with its own faults. */
export class NodeView {
  readonly cluster: Cluster;
  private readonly finalizedBehind: number;
  knobs: Knobs = NO_FAULTS;

  constructor(cluster: Cluster, finalizedBehind: number) {
    this.cluster = cluster;
    this.finalizedBehind = finalizedBehind;
  }

  /** The newest block that this node calls by that commitment. */
  tip(commitment: Commitment): Block {
    const behind = { processed: 0, confirmed: Math.min(1, this.finalizedBehind), finalized: this.finalizedBehind }[commitment];
    return this.cluster.blockAt(this.cluster.tip.height - this.knobs.lag - behind);
  }

  /** The oldest block that it still has. */
  get oldest(): Block {
    const { keepsBlocks } = this.knobs;
    return this.cluster.blockAt(keepsBlocks === null ? 0 : this.cluster.tip.height - keepsBlocks + 1);
  }

  /** A transaction in a block that this node has and calls by that commitment. */
  landed(signature: string, commitment: Commitment): Landed | null {
    const found = this.cluster.landed.get(signature);
    if (found === undefined || this.knobs.hides.includes(signature)) return null;
    return found.height >= this.oldest.height && found.height <= this.tip(commitment).height ? found : null;
  }

  /** What an address has to do with, the oldest first, as {@link landed} shows each. */
  listLanded(address: string, commitment: Commitment): Landed[] {
    const all = [...this.cluster.landed.values()].filter(({ keys }) => keys.includes(address));
    return all.filter(({ signature }) => this.landed(signature, commitment) !== null);
  }

  block(slot: number): Block | null {
    const found = this.cluster.blocks.find((block) => block.slot === slot);
    return found !== undefined && found.height >= this.oldest.height && found.height <= this.tip("processed").height ? found : null;
  }

  /** Whether the block after the newest one of that commitment may include a transaction with the hash. */
  isRecent(blockhash: string, commitment: Commitment): boolean {
    const { height } = this.tip(commitment);
    const known = this.cluster.blocks.findLast(({ hash }) => hash === blockhash);
    return known !== undefined && known.height <= height && this.cluster.isRecent(blockhash, height + 1);
  }

  account(address: string, commitment: Commitment): AccountState {
    const state = this.cluster.accountAt(address, this.tip(commitment).height);
    const lie = this.knobs.balances[address];
    return lie === undefined || state === null ? state : withBalance(state, BigInt(lie));
  }

  /** The best that it can say about a block. */
  statusOf(height: number): Commitment {
    if (height <= this.tip("finalized").height) return "finalized";
    return height <= this.tip("confirmed").height ? "confirmed" : "processed";
  }
}

/** The same account with other tokens or, where it holds none, other lamports. */
function withBalance(state: NonNullable<AccountState>, amount: bigint): AccountState {
  if (tokenAccount(state) === null) return { ...state, lamports: amount };
  const data = Uint8Array.from(state.data);
  new DataView(data.buffer).setBigUint64(64, amount, true);
  return { ...state, data };
}
