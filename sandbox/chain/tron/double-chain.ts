import { createHash } from "node:crypto";
import { TRON_DOUBLE } from "#domain/chain-id.ts";
import { type Account, Accounts, bandwidthOf, energyLimitOf } from "./accounts.ts";
import { type BroadcastCode, RULES, readTransaction, type SentTransaction } from "./protocol.ts";
import { type Executed, type TokenLog, tokenMachine } from "./token-machine.ts";

/** Names the double wherever a node names itself. */
export const DOUBLE_NAME = "double of a Tron node (sandbox only, no Tron network)";

export type Block = { height: number; id: string; parentId: string; timestamp: number; transactions: readonly Info[] };
/** A transaction in a block, as `gettransactioninfobyid` reports it. */
export type Info = {
  sent: SentTransaction;
  height: number;
  timestamp: number;
  result: Executed["result"];
  feeSun: bigint;
  energy: { usage: bigint; feeSun: bigint; total: bigint };
  bandwidth: { usage: bigint; feeSun: bigint };
  logs: readonly TokenLog[];
  returned: string;
};
export type Verdict = { code: BroadcastCode; message: string };

/** What a block or a gift has changed, in order: all of them together are the network. */
export type Kept = { block?: Block; accounts?: Map<string, Account> };
type Options = {
  unsolidified?: number;
  startAt?: number;
  /** Whether a block's time is at least that of this machine, in steps of a block: after a pause, blocks were missed. */
  followsClock?: boolean;
  /** What an earlier process kept. */
  kept?: readonly Kept[];
  keep?: (change: Kept) => void;
};

/** Before it, everything that a block changes. */
type Before = { accounts: Map<string, Account>; snapshot: unknown };

/**
 * One Tron network, alone in this process: blocks on request, accounts, pending transactions. The token contracts run in an EVM; all else
 * follows the published rules (`protocol.ts`).
 */
export class DoubleChain {
  readonly accounts = new Accounts();
  readonly machine: ReturnType<typeof tokenMachine>;
  readonly blocks: Block[] = [];
  /** Ten thousandths on top of what a call uses (the dynamic energy model). With these a transfer of the test token costs about what USDT costs. */
  energyFactor = 23_000n;
  energyFeeSun: bigint = RULES.energyFeeSun;
  memoFeeSun: bigint = RULES.memoFeeSun;
  /** Whether blocks leave out everything that waits, until it has lapsed. */
  isHeld = false;
  readonly unsolidified: number;
  readonly #pending = new Map<string, SentTransaction>();
  readonly #known = new Set<string>();
  readonly #before = new Map<number, Before>();

  readonly #infos = new Map<string, Info>();
  readonly #followsClock: boolean;
  readonly #keep: (change: Kept) => void;

  constructor(evmUrl: string, options: Options = {}) {
    const { unsolidified = RULES.unsolidified, startAt = Date.now(), followsClock = false, kept = [], keep = () => {} } = options;
    this.machine = tokenMachine(evmUrl);
    this.unsolidified = unsolidified;
    this.#followsClock = followsClock;
    this.#keep = keep;
    for (const { block, accounts } of kept) {
      if (accounts !== undefined) this.accounts.restore(accounts);
      if (block !== undefined) this.#push(block);
    }
    if (this.blocks.length > 0) return;
    const named = createHash("sha256").update(DOUBLE_NAME).digest("hex");
    const genesis = `${"0".repeat(16)}${named.slice(16, 56)}${TRON_DOUBLE.slice(-8)}`;
    const first = { height: 0, id: genesis, parentId: "0".repeat(64), timestamp: startAt, transactions: [] };
    this.#push(first);
    this.#keep({ block: first });
  }

  #push(block: Block): void {
    this.blocks.push(block);
    for (const info of block.transactions) {
      this.#infos.set(info.sent.id, info);
      this.#known.add(info.sent.id);
    }
  }

  /** Gives TRX, and energy from a stake. */
  fund(address: string, what: { balanceSun?: bigint; energy?: bigint }): void {
    this.accounts.fund(address, what);
    this.#keep({ accounts: this.accounts.copy() });
  }

  get head(): Block {
    return this.blocks.at(-1) as Block;
  }

  get solidHeight(): number {
    return Math.max(0, this.head.height - this.unsolidified);
  }

  info(id: string): Info | null {
    return this.#infos.get(id) ?? null;
  }

  /** Judges bytes as a node judges a broadcast, in its order, and keeps them for the next block. */
  async broadcast(hex: string): Promise<Verdict> {
    let sent: SentTransaction;
    try {
      sent = await readTransaction(hex);
    } catch (error) {
      return { code: "OTHER_ERROR", message: `other error : ${error instanceof Error ? error.message.slice(0, 80) : "unreadable"}` };
    }
    // A node remembers an id before it judges the bytes, so what it refused is a duplicate from then on.
    if (this.#known.has(sent.id)) return { code: "DUP_TRANSACTION_ERROR", message: "" };
    this.#known.add(sent.id);
    const fault = this.#faultOf(sent) ?? (await this.#contractFaultOf(sent));
    if (fault !== null) return fault;
    this.#pending.set(sent.id, sent);
    return { code: "SUCCESS", message: "" };
  }

  #faultOf(sent: SentTransaction): Verdict | null {
    const reference = this.blocks.findLast(({ id }) => id.slice(12, 16) === sent.refBlockBytes);
    if (reference?.id.slice(16, 32) !== sent.refBlockHash || reference.height <= this.head.height - RULES.recentBlocks)
      return { code: "TAPOS_ERROR", message: "Tapos check error" };
    if (sent.expiration <= this.head.timestamp || sent.expiration > this.head.timestamp + RULES.longestExpirationMs)
      return { code: "TRANSACTION_EXPIRATION_ERROR", message: "transaction expired" };
    if (sent.signer !== sent.owner) return { code: "SIGERROR", message: "validate signature error sig error" };
    const account = this.accounts.find(sent.owner);
    if (account === null) return { code: "CONTRACT_VALIDATE_ERROR", message: "contract validate error : account does not exist" };
    const flat = bandwidthOf(account, sent.bytes).feeSun + this.#memoFeeOf(sent);
    if (account.balanceSun < flat) return { code: "BANDWITH_ERROR", message: "AccountResourceInsufficient error" };
    return null;
  }

  async #contractFaultOf({ contract, feeLimitSun }: SentTransaction): Promise<Verdict | null> {
    const isLimit = feeLimitSun >= 0n && feeLimitSun <= RULES.largestFeeLimitSun;
    if (!isLimit) return { code: "CONTRACT_VALIDATE_ERROR", message: "contract validate error : feeLimit must be >= 0" };
    const exists = await this.machine.isContract(contract);
    return exists ? null : { code: "CONTRACT_VALIDATE_ERROR", message: "contract validate error : No contract or not a smart contract" };
  }

  /** Makes blocks, three seconds apart. The first takes what is pending and has not lapsed. */
  async mine(count = 1): Promise<void> {
    for (let made = 0; made < count; made++) {
      const { height, id: parentId, timestamp: parentAt } = this.head;
      const due = this.isHeld ? [] : [...this.#pending.values()].filter(({ expiration }) => expiration > parentAt);
      if (!this.isHeld) this.#pending.clear();
      if (due.length > 0) this.#before.set(height + 1, { accounts: this.accounts.copy(), snapshot: await this.machine.snapshot() });
      const place = { height: height + 1, timestamp: this.#timeAfter(parentAt) };
      const transactions: Info[] = [];
      for (const sent of due) transactions.push(await this.#execute(sent, place));
      const digest = createHash("sha256")
        .update(`${parentId}${transactions.map(({ sent }) => sent.id)}${this.#salt}`)
        .digest("hex");
      const block = { ...place, id: `${place.height.toString(16).padStart(16, "0")}${digest.slice(16)}`, parentId, transactions };
      this.#push(block);
      this.#keep({ block, ...(due.length > 0 ? { accounts: this.accounts.copy() } : {}) });
    }
  }

  #timeAfter(parentAt: number): number {
    const missed = this.#followsClock ? Math.floor((Date.now() - parentAt) / RULES.blockTimeMs) : 1;
    return parentAt + Math.max(1, missed) * RULES.blockTimeMs;
  }

  #salt = 0;

  /** Takes the newest blocks away, none of them solidified. Their transactions are pending again, or (`lost`) forgotten by everybody. */
  async fork(depth: number, { lost = false }: { lost?: boolean } = {}): Promise<void> {
    if (this.head.height - depth < this.solidHeight) throw new Error("a solidified block stays");
    this.#salt += 1;
    for (let gone = 0; gone < depth; gone++) {
      const block = this.blocks.pop();
      const before = block && this.#before.get(block.height);
      for (const { sent } of block?.transactions ?? []) this.#infos.delete(sent.id);
      for (const { sent } of block?.transactions ?? []) lost ? this.#known.delete(sent.id) : this.#pending.set(sent.id, sent);
      if (!before) continue;
      this.accounts.restore(before.accounts);
      await this.machine.revertTo(before.snapshot);
    }
  }

  /** Forgets what is pending, as a node does that is started again. */
  forgetPending(): void {
    for (const id of this.#pending.keys()) this.#known.delete(id);
    this.#pending.clear();
  }

  async #execute(sent: SentTransaction, place: { height: number; timestamp: number }): Promise<Info> {
    const account = this.accounts.find(sent.owner) as Account;
    const bandwidth = bandwidthOf(account, sent.bytes);
    const memoFeeSun = this.#memoFeeOf(sent);
    const paying = { ...account, balanceSun: account.balanceSun - bandwidth.feeSun - memoFeeSun };
    const limit = energyLimitOf(paying, sent.feeLimitSun, this.energyFeeSun);
    const done = await this.machine.execute(sent, (limit * 10_000n) / (10_000n + this.energyFactor));
    const total = done.result === "OUT_OF_ENERGY" ? limit : this.penalised(done.energy);
    const usage = total < account.energyLeft ? total : account.energyLeft;
    const energy = { usage, feeSun: (total - usage) * this.energyFeeSun, total };
    this.accounts.set(sent.owner, {
      balanceSun: paying.balanceSun - energy.feeSun,
      energyLeft: account.energyLeft - usage,
      bandwidthLeft: account.bandwidthLeft - bandwidth.usage,
    });
    const feeSun = bandwidth.feeSun + memoFeeSun + energy.feeSun;
    return { sent, ...place, result: done.result, feeSun, energy, bandwidth, logs: done.logs, returned: done.returned };
  }

  /** Energy with the penalty of a popular contract. */
  penalised(energy: bigint): bigint {
    return (energy * (10_000n + this.energyFactor)) / 10_000n;
  }

  #memoFeeOf({ memo }: SentTransaction): bigint {
    return memo === "" ? 0n : this.memoFeeSun;
  }
}
