import { type LapsingIntent, membersIn, type SentPayment } from "#domain/lapsing-chain.ts";
import type { ChainPoint, Expiry, LapsingEnd } from "#domain/lapsing-report.ts";
import type { Random } from "#fault/random.ts";
import { EPOCH } from "./scheduler.ts";

export const USD = "0xusd";
/** More than a transaction ever takes. */
export const FEE_AT_MOST = 1_000n;

/** Signed bytes, as the chain knows them. `expiry`: by its own rule, whatever a node said when the bytes were prepared. */
export type LapsingSigned = LapsingIntent & { id: string; raw: string; expiry: Expiry };
type Landed = { one: LapsingSigned; end: LapsingEnd };
type Block = { height: number; hash: string; at: number; landed: Landed[] };

/** A chain whose transactions lapse. It follows the rules; the nodes that report it need not. */
export class LapsingSimulatedChain {
  readonly blocks: Block[] = [];
  readonly signed = new Map<string, LapsingSigned>();
  /** What nodes have in their pools, and everything that was ever handed to one: some miner may still have it. */
  readonly waiting = new Set<LapsingSigned>();
  readonly handed = new Set<LapsingSigned>();
  /** Blocks on top of one that make it final: nothing replaces it then. */
  readonly depth: number;
  /** What the treasury was given. */
  fund: bigint;
  /** Recipients that the token has begun to refuse, and those to whom it moves less than it was asked to. */
  readonly frozen = new Set<string>();
  readonly short = new Set<string>();
  readonly paysFeesInToken: boolean;
  readonly #random: Random;
  #made = 0;

  constructor(random: Random) {
    this.#random = random;
    this.depth = 1 + random.below(3);
    this.fund = 1_000_000_000n;
    this.paysFeesInToken = random.chance(0.5);
    this.#append(0, []);
  }

  get height(): number {
    return this.blocks.length - 1;
  }

  pointAt(height: number): ChainPoint {
    const at = Math.max(0, Math.min(height, this.height));
    return { height: at, at: new Date(EPOCH + (this.blocks[at]?.at ?? 0)) };
  }

  placeOf(id: string, upTo = this.height): { height: number; end: LapsingEnd } | null {
    for (const { height, landed } of this.blocks.slice(0, upTo + 1)) {
      const found = landed.find(({ one }) => one.id === id);
      if (found !== undefined) return { height, end: found.end };
    }
    return null;
  }

  /** What was paid in blocks since a time, up to a height. */
  sentSince(since: Date, upTo: number): SentPayment[] {
    return this.blocks.slice(0, upTo + 1).flatMap(({ height, at, landed }) => {
      if (EPOCH + at < since.getTime()) return [];
      const paid = landed.filter(({ end }) => end.outcome === "paid");
      const place = { height, at: new Date(EPOCH + at) };
      return paid.map(({ one, end }) => ({ id: one.id, ...place, memo: one.reference, moves: end.moves, feeToken: end.fee.token }));
    });
  }

  /** What moved for one reference, up to a height. */
  paidFor(reference: string, upTo = this.height): Landed[] {
    return this.blocks
      .slice(0, upTo + 1)
      .flatMap(({ landed }) =>
        landed.filter(({ one, end }) => end.outcome === "paid" && membersIn(one).some((paid) => paid.reference === reference)),
      );
  }

  balance(upTo: number): bigint {
    const ends = this.blocks.slice(0, upTo + 1).flatMap(({ landed }) => landed.map(({ end }) => end));
    return ends.reduce((sum, { fee, moves }) => {
      const moved = moves.reduce((all, { amountBase }) => all + amountBase, 0n);
      return sum - moved - (fee.token === USD ? fee.amountBase : 0n);
    }, this.fund);
  }

  take(one: LapsingSigned): "accepted" | "known" {
    const isKnown = this.waiting.has(one);
    this.waiting.add(one);
    this.handed.add(one);
    return isKnown ? "known" : "accepted";
  }

  /** `share`: how likely what waits is included; `late`: what only some miner still has. */
  mine(at: number, share: number, late: number): void {
    const chosen = [...this.handed].filter((one) => this.#random.chance(this.waiting.has(one) ? share : late));
    this.#append(at, chosen);
  }

  /** The newest blocks, none of them final, are replaced by as many others and one more. What was in them may land again. */
  fork(at: number): void {
    const gone = this.blocks.splice(Math.max(1, this.blocks.length - 1 - this.#random.below(this.depth)));
    for (const { landed } of gone) for (const { one } of landed) if (this.#random.chance(0.5)) this.waiting.add(one);
    for (let made = 0; made <= gone.length; made += 1) this.mine(at, 0.6, 0.5);
  }

  #append(at: number, chosen: readonly LapsingSigned[]): void {
    this.#made += 1;
    const height = this.blocks.length;
    const block: Block = { height, hash: `0xblock${this.#made}`, at, landed: [] };
    this.blocks.push(block);
    for (const one of chosen) {
      const { expiry } = one;
      const isOver = expiry.by === "height" ? height > expiry.last : EPOCH + at > expiry.last.getTime();
      if (isOver || this.placeOf(one.id) !== null) continue;
      block.landed.push({ one, end: this.#endOf(one, block) });
      this.waiting.delete(one);
    }
  }

  /** All of its payments are made, or none. */
  #endOf(one: LapsingSigned, { height, hash }: Block): LapsingEnd {
    const { sender, token, amountBase } = one;
    const payments = membersIn(one);
    const fee = { token: this.paysFeesInToken ? USD : null, amountBase: 100n + BigInt(this.#random.below(800)) };
    const place = { height, blockHash: hash, fee, moves: [] };
    if (payments.some(({ recipient }) => this.frozen.has(recipient)))
      return { ...place, outcome: "failed", reason: "The token refuses the recipient.", fault: "payment" };
    if (this.balance(height) < amountBase + FEE_AT_MOST) return { ...place, outcome: "failed", reason: "too little", fault: "treasury" };
    const moves = payments.map(({ recipient, amountBase: wanted }) => {
      const moved = this.short.has(recipient) ? wanted - 1n : wanted;
      return { token, sender, recipient, amountBase: moved };
    });
    return { ...place, outcome: "paid", moves };
  }
}
