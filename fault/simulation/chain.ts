import type { EvmReceipt } from "#domain/evm-chain.ts";
import type { Random } from "#fault/random.ts";
import { type Block, isAllowance, logsOf, membersIn, NOBODY, recipientOf, type Signed } from "./contents.ts";
import { EPOCH } from "./scheduler.ts";

export const GWEI = 10n ** 9n;
const FULL = 24;

/** One chain: its blocks, and what may still come into one. It follows the rules; the nodes that report it need not. */
export class SimulatedChain {
  readonly blocks: Block[] = [];
  /** Whatever was ever handed to a node and not forgotten. Of several under one nonce any may be mined: some miner has it. */
  readonly waiting = new Map<string, Signed>();
  readonly signed = new Map<string, Signed>();
  baseFee = 10n * GWEI;
  /** Since before the first block. */
  allowed = false;
  /** To whom payments revert, and whether that is the payment's own fault. */
  readonly reverting = new Map<string, "own" | "treasury">();
  /** All that was ever in a block, and what of that succeeded there. */
  readonly everMined = new Set<string>();
  readonly everPassed = new Set<string>();
  /** What a fork beyond the confirmations has taken back, and what of that had been reverted in its block. */
  readonly takenBack = new Set<string>();
  readonly takenBackReverts = new Set<string>();
  /** What another transaction under the same nonce was mined instead of; a miner may have kept it. */
  readonly #displaced: Signed[] = [];
  /** Packed transactions come to nothing just now: each of that content, whenever it is mined. */
  packsRevert = false;
  readonly #reverts = new Map<string, boolean>();
  readonly #refusals = new Map<string, ReadonlySet<string>>();
  #made = 0;
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
    this.#append(0, []);
  }

  get height(): number {
    return this.blocks.length - 1;
  }

  sign(sender: string, tx: Omit<Signed, "hash" | "raw" | "sender">): string {
    this.#made += 1;
    const raw = `0xraw${this.#made}`;
    this.signed.set(raw, { ...tx, sender, raw, hash: `0x${this.#made.toString(16).padStart(64, "0")}` });
    return raw;
  }

  countAt(sender: string, height: number): number {
    let count = 0;
    for (let at = 0; at <= height; at += 1) for (const one of this.blocks[at]?.signed ?? []) if (one.sender === sender) count += 1;
    return count;
  }

  pendingOf(sender: string, height: number): number {
    let next = this.countAt(sender, height);
    const nonces = new Set([...this.waiting.values()].filter((one) => one.sender === sender).map(({ nonce }) => nonce));
    while (nonces.has(next)) next += 1;
    return next;
  }

  placeOf(hash: string, height: number): Block | null {
    for (let at = height; at >= 0; at -= 1) if (this.blocks[at]?.transactionHashes.includes(hash)) return this.blocks[at] ?? null;
    return null;
  }

  receiptOf(hash: string, height: number): EvmReceipt | null {
    const block = this.placeOf(hash, height);
    const one = block?.signed.find((each) => each.hash === hash);
    if (!block || !one) return null;
    const succeeded = !block.failed.has(hash);
    return {
      hash,
      blockHash: block.hash,
      blockHeight: block.height,
      succeeded,
      sender: one.sender,
      contractAddress: null,
      gasUsed: block.gasUsed,
      feeBase: block.gasUsed * block.baseFeePerGas,
      logs: succeeded ? logsOf(one, block.refusing.get(one.data) ?? NOBODY) : [],
    };
  }

  /** Whether the packing contract may move that wallet's tokens, as of a block. */
  isAllowed(owner: string, height: number): boolean {
    if (this.allowed) return true;
    return this.blocks.slice(0, height + 1).some(({ signed }) => signed.some((one) => one.sender === owner && isAllowance(one)));
  }

  /** Takes bytes in, as a node does. Answers why not. */
  take(one: Signed): "accepted" | "known" | "nonce_too_low" | "underpriced" {
    if (this.waiting.has(one.hash) || this.placeOf(one.hash, this.height) !== null) return "known";
    if (one.nonce < this.countAt(one.sender, this.height)) return "nonce_too_low";
    for (const other of this.waiting.values())
      if (other.sender === one.sender && other.nonce === one.nonce && one.maxFeePerGas * 10n < other.maxFeePerGas * 11n)
        return "underpriced";
    this.waiting.set(one.hash, one);
    return "accepted";
  }

  /** The next block, with what pays enough and is next in its sender's sequence; some of that waits a while longer. */
  mine(at: number, share = 0.8): void {
    const chosen: Signed[] = [];
    const next = new Map<string, number>();
    for (let found = true; found && chosen.length < FULL; ) {
      found = false;
      for (const sender of new Set([...this.waiting.values()].map((one) => one.sender))) {
        const nonce = next.get(sender) ?? this.countAt(sender, this.height);
        const able = [...this.waiting.values()].filter(
          (one) => one.sender === sender && one.nonce === nonce && one.maxFeePerGas >= this.baseFee,
        );
        if (able.length === 0 || !this.#random.chance(share)) continue;
        chosen.push(this.#random.pick(able));
        next.set(sender, nonce + 1);
        found = true;
      }
    }
    this.#append(at, chosen);
  }

  /**
   * The last blocks were never there: as many others, and one more, replace them. `kept`: how much of what was in them may still be
   * mined; the rest nobody knows any more. `isDeep`: beyond the confirmations.
   */
  fork(at: number, { depth, kept, isDeep }: { depth: number; kept: number; isDeep: boolean }): void {
    const gone = this.blocks.splice(Math.max(1, this.blocks.length - depth));
    if (isDeep)
      for (const { transactionHashes, failed } of gone) {
        for (const hash of transactionHashes) this.takenBack.add(hash);
        for (const hash of failed) this.takenBackReverts.add(hash);
      }
    for (const one of gone.flatMap(({ signed }) => signed)) {
      if (this.#random.chance(kept)) this.waiting.set(one.hash, one);
      for (const other of this.#displaced)
        if (other.sender === one.sender && other.nonce === one.nonce && this.#random.chance(kept / 2)) this.waiting.set(other.hash, other);
    }
    for (let made = 0; made <= gone.length; made += 1) {
      if (this.#random.chance(0.3)) this.mine(at);
      else this.#append(at, []);
    }
  }

  /** Whom the token refuses, for each content: mined again after a fork, it comes to the same. */
  #refused(signed: readonly Signed[]): ReadonlyMap<string, ReadonlySet<string>> {
    for (const { data } of signed) if (!this.#refusals.has(data)) this.#refusals.set(data, new Set(this.reverting.keys()));
    return this.#refusals;
  }

  #append(at: number, signed: readonly Signed[]): void {
    this.#made += 1;
    const parent = this.blocks.at(-1);
    for (const one of signed)
      for (const other of [...this.waiting.values()])
        if (other.sender === one.sender && other.nonce === one.nonce && this.waiting.delete(other.hash) && other.hash !== one.hash)
          this.#displaced.push(other);
    for (const { data } of signed) if (!this.#reverts.has(data)) this.#reverts.set(data, this.packsRevert);
    const isReverted = (one: Signed) =>
      this.reverting.has(recipientOf(one) ?? "") || (membersIn(one) !== null && this.#reverts.get(one.data));
    const failed = new Set(signed.flatMap((one) => (isReverted(one) ? [one.hash] : [])));
    for (const { hash } of signed) {
      this.everMined.add(hash);
      if (!failed.has(hash)) this.everPassed.add(hash);
    }
    this.blocks.push({
      height: this.blocks.length,
      hash: `0xblock${this.#made}`,
      parentHash: parent?.hash ?? "0x",
      at: new Date(EPOCH + at),
      baseFeePerGas: this.baseFee,
      gasLimit: 60_000_000n,
      transactionHashes: signed.map(({ hash }) => hash),
      signed,
      failed,
      refusing: this.#refused(signed),
      gasUsed: 50_000n + BigInt(this.#made),
    });
  }
}
