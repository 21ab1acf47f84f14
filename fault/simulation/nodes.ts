import type { EvmIntent } from "#domain/evm-intent.ts";
import { NO_FEE_LIMITS } from "#domain/gas.ts";
import type { Random } from "#fault/random.ts";
import { type EvmChain, type EvmNode, EvmRejected, type EvmSimulation, Rejected, type Signer, Unreachable } from "#server/ports.ts";
import { GWEI, type SimulatedChain } from "./chain.ts";
import { logsOf, membersIn, PACKER, PACKER_CODE, packedGas, recipientOf, type Signed, TOKEN } from "./contents.ts";
import type { Gate } from "./gate.ts";
import type { Scheduler } from "./scheduler.ts";

/** How one node misbehaves just now, anyone who asks it. */
export type NodeMood = {
  name: string;
  /** Answers nothing until then. */
  silentUntil: number;
  /** So many of the newest blocks it has not seen yet. */
  lag: number;
  /** What is added to the next counts of a wallet's transactions that it reports. */
  lies: number[];
  /** So many of its next counts of a wallet's mined transactions are one too high. */
  minedLies: number;
  /** So many of its next simulations refuse a payment that the token accepts. */
  refusals: number;
  /** Of a wallet's transactions it knows no more than so many; of other wallets', all. */
  countsAtMost: ReadonlyMap<string, number>;
};

export type Network = {
  scheduler: Scheduler;
  random: Random;
  chain: SimulatedChain;
  /** The treasury's, in the order of its keys. */
  wallets: readonly string[];
  moods: readonly NodeMood[];
  confirmations: number;
  /** How likely a call fails before it does anything, or comes late or not at all after it did, or is done twice. */
  broken: { before: number; after: number; late: number; hang: number; twice: number; signer: number };
  /** How long every call takes at least. */
  slowMs: number;
  treasuryIsEmpty: boolean;
  /** Whether payments are packed. */
  isPacking: boolean;
  refused: ReadonlySet<string>;
  /** Called with all bytes that a process hands to a node, before anything else. */
  onSend(one: Signed): void;
  note: ((line: string) => void) | null;
};

export const CHAIN = "eip155:1";
export const REFUSES = "The token refuses.";
/** The treasury's wallets; most histories have only the first. */
export const WALLETS = ["aa", "ab", "ac"].map((byte) => `0x${byte.repeat(20)}`);
export const isOurs = ({ wallets }: Network, address: string) => wallets.includes(address);

/** One call over the network. */
async function call<Answer>(net: Network, gate: Gate, name: string, mood: NodeMood, effect: (height: number) => Answer): Promise<Answer> {
  const step = gate.step(`${mood.name} ${name}`);
  if (step !== undefined) await step;
  const { random, scheduler, broken, chain, slowMs } = net;
  if (slowMs > 0) await scheduler.sleep(slowMs);
  const fails = (when: string) => {
    net.note?.(`${gate.who.name} ${mood.name} ${name}: no answer (${when})`);
    return new Unreachable(`${mood.name} does not answer`);
  };
  if (scheduler.now < mood.silentUntil || random.chance(broken.before)) {
    await scheduler.sleep(5 + random.below(40));
    throw fails("before");
  }
  if (broken.twice > 0 && random.chance(broken.twice)) {
    try {
      effect(chain.height - mood.lag);
    } catch {
      // The second time is what is answered.
    }
  }
  const answer = effect(Math.max(0, chain.height - mood.lag));
  if (random.chance(broken.after)) {
    await scheduler.sleep(10 + random.below(500));
    throw fails("after");
  }
  if (random.chance(broken.late)) await scheduler.sleep(1 + random.below(random.chance(broken.hang) ? 2_000 : 60));
  if (!gate.who.alive) return await new Promise<never>(() => {});
  return answer;
}

const reported = ({ countsAtMost }: NodeMood, address: string, count: number) => Math.min(count, countsAtMost.get(address) ?? count);

const outside = async () => {
  throw new Error("outside of the simulation: a node's call");
};

function simulated({ refused }: Network, mood: NodeMood, intent: EvmIntent): EvmSimulation {
  const isLie = mood.refusals > 0;
  if (isLie) mood.refusals -= 1;
  if (isLie || refused.has(recipientOf(intent) ?? "")) return { outcome: "refused", reason: REFUSES };
  return { outcome: "passes", gas: packedGas(intent) ?? 50_000n };
}

function nodeOf(net: Network, gate: Gate, mood: NodeMood): EvmNode {
  const { chain } = net;
  const ask = <Answer>(name: string, effect: (height: number) => Answer) => call(net, gate, name, mood, effect);
  return {
    name: mood.name,
    chainId: () => ask("chainId", () => 1),
    gasKind: async () => "coin",
    block: (at) =>
      ask(`block ${at}`, (top) => (typeof at === "number" ? (at <= top ? (chain.blocks[at] ?? null) : null) : (chain.blocks[top] ?? null))),
    blockReceipts: (hash) =>
      ask("blockReceipts", (top) => {
        const block = chain.blocks.findLast((one) => one.hash === hash && one.height <= top);
        return block === undefined ? null : block.transactionHashes.flatMap((one) => chain.receiptOf(one, top) ?? []);
      }),
    receipt: (hash) => ask(`receipt ${hash}`, (top) => chain.receiptOf(hash, top)),
    knows: (hash) => ask(`knows ${hash}`, (top) => chain.waiting.has(hash) || chain.placeOf(hash, top) !== null),
    nonce: (address, at) =>
      ask(`nonce ${at}`, (top) => {
        if (typeof at === "number") return reported(mood, address, chain.countAt(address, at));
        const isMinedLie = at === "latest" && mood.minedLies > 0;
        if (isMinedLie) mood.minedLies -= 1;
        const lie = isMinedLie ? 1 : (mood.lies.shift() ?? 0);
        const count = reported(mood, address, at === "pending" ? chain.pendingOf(address, top) : chain.countAt(address, top));
        if (lie !== 0) net.note?.(`${mood.name} lies: ${Math.max(0, count + lie)} for ${count}`);
        return Math.max(0, count + lie);
      }),
    content: (height) =>
      ask("content", () => {
        const block = chain.blocks[height];
        if (block === undefined) return null;
        const transactions = block.signed.map(({ hash, sender, nonce, to, valueBase, data }) => {
          return { hash, sender: sender.toLowerCase(), nonce, to, valueBase, data };
        });
        return { hash: block.hash, transactions };
      }),
    coinBalances: outside,
    balance: () => ask("balance", () => (net.treasuryIsEmpty ? 0n : 10n ** 30n)),
    decimals: () => ask("decimals", () => 6),
    allowance: (_token, owner) => ask("allowance", (top) => (chain.isAllowed(owner, top) ? 2n ** 255n : 0n)),
    height: () => ask("height", (top) => top),
    simulate: (_sender, intent) => ask("simulate", () => simulated(net, mood, intent)),
    trialLogs: (sender, intent) => ask("trialLogs", () => (membersIn(intent) === null ? null : logsOf({ ...intent, sender }, net.refused))),
    replay: (_sender, intent) =>
      ask("replay", () => {
        const why = chain.reverting.get(recipientOf(intent) ?? "");
        return why === undefined ? null : { reason: "It reverts.", treasury: why === "treasury" };
      }),
    tip: () => ask("tip", () => GWEI),
    dataFee: () => ask("dataFee", () => 0n),
    code: (address) => ask("code", () => (address === PACKER ? PACKER_CODE : "0x")),
    safe: outside,
    tokenMoves: outside,
    askAbout: outside,
    send: async (raw) => {
      const said = await ask(`send ${raw}`, () => {
        const one = chain.signed.get(raw);
        if (one === undefined) throw new EvmRejected("other", "no transaction");
        net.onSend(one);
        return chain.take(one);
      });
      if (said === "accepted" || said === "known") return said;
      throw new EvmRejected(said, said);
    },
  };
}

/** The chain as one process sees it. */
export function chainFor(net: Network, gate: Gate): EvmChain {
  const nodes = net.moods.map((mood) => nodeOf(net, gate, mood));
  const outside = () => {
    throw new Error("outside of the simulation: Safe contracts");
  };
  return {
    chain: CHAIN,
    name: "Simulated",
    confirmations: net.confirmations,
    explorerUrl: null,
    chainId: 1,
    gas: "coin",
    nodes,
    tokens: [{ currency: "USDT", address: TOKEN, decimals: 6 }],
    native: { currency: "ETH", decimals: 18 },
    useFinalizedTag: false,
    maxFeePerGas: null,
    feeLimits: NO_FEE_LIMITS,
    bumpAfterSeconds: 3,
    twoNodesFrom: () => 10n ** 40n,
    dataFee: null,
    packingContract: net.isPacking ? PACKER : null,
    treasuryDestinations: [],
    isPackingContract: (code) => code === PACKER_CODE,
    safes: {
      recognise: outside,
      homes: outside,
      deploy: outside,
      createSafe: outside,
      execute: outside,
      swapOwner: outside,
      executeSigned: outside,
    },
    async checkSigned(raw, unsigned) {
      const one = net.chain.signed.get(raw);
      if (one === undefined || one.nonce !== unsigned.nonce || one.to !== unsigned.to || one.data !== unsigned.data)
        throw new Rejected("signed something else");
      return one.hash;
    },
    hashOf: async (raw) => net.chain.signed.get(raw)?.hash ?? "",
  };
}

/** The keys of all wallets. Asked twice for the same, one signs twice with different bytes, as a key service does. */
export function signersFor(net: Network, gate: Gate): Signer[] {
  return net.wallets.map((wallet) => ({
    kind: "sandbox",
    isOurs: true,
    address: async () => wallet,
    async signTransaction({ to, valueBase, data, nonce, gasLimit, maxFeePerGas, maxPriorityFeePerGas }) {
      const step = gate.step(`sign ${nonce}`);
      if (step !== undefined) await step;
      if (net.random.chance(net.broken.signer)) throw new Unreachable("the signer does not answer");
      return net.chain.sign(wallet, { to, valueBase, data, nonce, gasLimit, maxFeePerGas, maxPriorityFeePerGas });
    },
  }));
}
