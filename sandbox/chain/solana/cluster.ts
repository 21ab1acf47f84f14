import { type AccountState, type Block, genesisBlock, HASH_LIFE, hashOf, type Landed, nextSlot } from "./blocks.ts";
import { type Incoming, Runtime, readIncoming } from "./runtime.ts";

/** Everything that a restart needs. */
export type ClusterState = { genesisHash: string; blocks: Block[]; landed: Landed[]; versions: [string, Version[]][] };
type Version = { height: number; state: AccountState };

/** What a cluster remembers: half a day of blocks, and then as many less as it forgets at once. */
const MOST_BLOCKS = 100_000;
const FORGOTTEN_AT_ONCE = 10_000;

/**
 * One Solana cluster: blocks over the real runtime, with the state of every changed account at every height. Nodes show it (`node-view.ts`), each with
 * its own faults. What arrives waits for the next block, as with a leader.
 */
export class Cluster {
  readonly runtime = new Runtime();
  readonly genesisHash: string;
  readonly blocks: Block[];
  readonly landed = new Map<string, Landed>();
  private readonly versions: Map<string, Version[]>;
  private waiting: Incoming[] = [];
  private urgent: Incoming | null = null;
  /** Transactions below this price for a unit wait, until their blockhash has lapsed. */
  floorPrice = 0n;
  /** Whether blocks leave out everything that waits. */
  isCongested = false;

  constructor(kept?: ClusterState) {
    this.blocks = kept?.blocks ?? [genesisBlock(Math.floor(Date.now() / 1_000))];
    this.genesisHash = kept?.genesisHash ?? this.tip.hash;
    this.versions = new Map(kept?.versions);
    for (const one of kept?.landed ?? []) this.landed.set(one.signature, one);
    for (const [address, versions] of this.versions) this.runtime.setAccount(address, versions.at(-1)?.state ?? null);
    this.runtime.setTime(this.tip.slot, this.tip.time);
  }

  get tip(): Block {
    const newest = this.blocks.at(-1);
    if (newest === undefined) throw new Error("a cluster has a block");
    return newest;
  }

  /** The block at a height, as far as there is one; below the oldest, the oldest. */
  blockAt(height: number): Block {
    const oldest = this.blocks[0] ?? this.tip;
    return this.blocks[Math.max(0, height - oldest.height)] ?? this.tip;
  }

  state(): ClusterState {
    return { genesisHash: this.genesisHash, blocks: this.blocks, landed: [...this.landed.values()], versions: [...this.versions] };
  }

  /** Takes a transaction. It is in the next block that has room, or in none. */
  accept(incoming: Incoming): void {
    if (!this.waiting.some(({ signature }) => signature === incoming.signature)) this.waiting.push(incoming);
  }

  /** Whether a block at the height may include a transaction with the hash: one block longer than `lastValidBlockHeight` says. */
  isRecent(blockhash: string, height: number): boolean {
    const of = this.blocks.findLast(({ hash }) => hash === blockhash);
    return of !== undefined && height - 1 - of.height <= HASH_LIFE;
  }

  /** Puts a transaction at the head of the next block, whatever the traffic, and makes that block. */
  produceWith(incoming: Incoming): void {
    this.urgent = incoming;
    this.produceOne();
  }

  produce(count = 1): void {
    for (let made = 0; made < count; made += 1) this.produceOne();
  }

  private produceOne(): void {
    const { height, slot: last, hash: parentHash, time: before } = this.tip;
    const [here, slot] = [height + 1, nextSlot(last)];
    const time = Math.max(before, Math.floor(Date.now() / 1_000));
    this.runtime.setTime(slot, time);
    const included: string[] = [];
    const left: Incoming[] = [];
    if (this.urgent !== null && this.include(this.urgent, here, slot)) included.push(this.urgent.signature);
    this.urgent = null;
    for (const incoming of this.waiting) {
      if (this.landed.has(incoming.signature) || !this.isRecent(incoming.blockhash, here)) continue;
      if (this.isCongested || incoming.price < this.floorPrice) left.push(incoming);
      else if (this.include(incoming, here, slot)) included.push(incoming.signature);
    }
    this.waiting = left;
    this.blocks.push({ height: here, slot, hash: hashOf(parentHash, String(slot), ...included), parentHash, time, signatures: included });
    this.forget();
  }

  /** So that a sandbox may run for weeks. */
  private forget(): void {
    if (this.blocks.length <= MOST_BLOCKS) return;
    for (const { signatures } of this.blocks.splice(0, FORGOTTEN_AT_ONCE))
      for (const signature of signatures) this.landed.delete(signature);
    const oldest = this.blockAt(0).height;
    for (const [address, versions] of this.versions) {
      const last = versions.findLastIndex(({ height }) => height <= oldest);
      if (last > 0) this.versions.set(address, versions.slice(last));
    }
  }

  private include(incoming: Incoming, height: number, slot: number): boolean {
    for (const key of incoming.keys) this.remember(key);
    const { fault, fee, ...done } = this.runtime.execute(incoming);
    // Who cannot pay the fee is in no block.
    if (fault !== null && fee === 0) return false;
    for (const key of incoming.keys) this.record(key, height);
    const { signature, wire, keys } = incoming;
    this.landed.set(signature, { signature, wire, keys, height, slot, fault, fee, ...done });
    return true;
  }

  /** An account's state at a height. */
  accountAt(address: string, height: number): AccountState {
    const versions = this.versions.get(address);
    if (versions === undefined) return this.runtime.account(address);
    return versions.findLast((version) => version.height <= height)?.state ?? null;
  }

  /** Gives lamports out of nothing, in a block of their own. */
  airdrop(address: string, amount: bigint): void {
    this.remember(address);
    this.runtime.airdrop(address, amount);
    this.produceOne();
    this.record(address, this.tip.height);
  }

  /**
   * Takes the newest blocks back, as when validators choose another fork. Their transactions arrive again, or are lost.
   */
  forkBack(count: number, keepsTransactions: boolean): void {
    const from = Math.max(1, this.blocks.length - count);
    const gone = this.blocks.splice(from);
    const height = this.tip.height;
    for (const [address, versions] of this.versions) {
      const kept = versions.filter((version) => version.height <= height);
      if (kept.length === versions.length) continue;
      this.versions.set(address, kept);
      this.runtime.setAccount(address, kept.at(-1)?.state ?? null);
    }
    for (const { signatures } of gone)
      for (const signature of signatures) {
        const landed = this.landed.get(signature);
        this.landed.delete(signature);
        if (landed && keepsTransactions) this.waiting.push(readIncoming(landed.wire));
      }
    // Another fork has other hashes, so what was signed on the lost one lapses.
    const { slot, time } = this.tip;
    this.blocks.push({
      height: height + 1,
      slot: nextSlot(slot),
      hash: hashOf("fork", this.tip.hash, String(gone.length)),
      parentHash: this.tip.hash,
      time,
      signatures: [],
    });
  }

  /** The state before its first change, as of the first block. */
  private remember(address: string): void {
    if (!this.versions.has(address)) this.versions.set(address, [{ height: 0, state: this.runtime.account(address) }]);
  }

  private record(address: string, height: number): void {
    const state = this.runtime.account(address);
    const versions = this.versions.get(address) ?? [];
    if (!isSame(versions.at(-1)?.state ?? null, state)) versions.push({ height, state });
  }
}

function isSame(one: AccountState, other: AccountState): boolean {
  if (one === null || other === null) return one === other;
  return one.lamports === other.lamports && one.owner === other.owner && Buffer.compare(one.data, other.data) === 0;
}
