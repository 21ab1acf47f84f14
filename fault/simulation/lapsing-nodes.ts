import {
  type LapsingChain,
  type LapsingIntent,
  type LapsingNode,
  type LookUp,
  membersIn,
  type UnsignedPayment,
} from "#domain/lapsing-chain.ts";
import type { LapsingReport } from "#domain/lapsing-report.ts";
import type { Random } from "#fault/random.ts";
import { Rejected, Unreachable } from "#server/ports.ts";
import type { Gate } from "./gate.ts";
import { FEE_AT_MOST, type LapsingSigned, type LapsingSimulatedChain, USD } from "./lapsing-chain.ts";
import type { Scheduler } from "./scheduler.ts";

/** How one node misbehaves just now, anyone who asks it. */
export type LapsingMood = {
  name: string;
  silentUntil: number;
  /** So many of the newest blocks it has not seen yet. */
  lag: number;
  /** Below this height it has forgotten everything; null: it does not say what it has. */
  floor: number | null;
  /** It takes its newest block for the final one when it says that bytes have expired. */
  isHasty: boolean;
  /** It hides what is in a block. */
  hides: boolean;
  /** What it says of payments that are in no final block. */
  claims: "paid" | "failed" | null;
  /** It names an expiry that is too early for the bytes that it prepares. */
  namesEarly: boolean;
  /** So many of its next trials refuse a payment that the token accepts. */
  refusals: number;
  /** It is a node of another chain. */
  isOther: boolean;
};

/** A node that reports the truth. */
export const PLAIN_MOOD = {
  silentUntil: 0,
  lag: 0,
  floor: 0,
  hides: false,
  claims: null,
  namesEarly: false,
  refusals: 0,
  isOther: false,
} as const satisfies Partial<LapsingMood>;

export const LAPSING_CHAIN = "lapsing:1";
export const TREASURY = "0xtreasury";

export type LapsingNetwork = {
  scheduler: Scheduler;
  random: Random;
  chain: LapsingSimulatedChain;
  moods: readonly LapsingMood[];
  broken: { before: number; after: number; late: number; signer: number };
  expiresBy: "height" | "time";
  /** Blocks, or half seconds. */
  window: number;
  /** Whether every payment needs two nodes. */
  needsTwo: boolean;
  /** Whether one transaction may make several payments. */
  packs: boolean;
  refused: ReadonlySet<string>;
  onSend(one: LapsingSigned): void;
  note: ((line: string) => void) | null;
};

async function call<Answer>(
  net: LapsingNetwork,
  gate: Gate,
  name: string,
  mood: LapsingMood,
  effect: (top: number) => Answer,
): Promise<Answer> {
  const step = gate.step(`${mood.name} ${name}`);
  if (step !== undefined) await step;
  const { random, scheduler, broken, chain } = net;
  const isSilent = scheduler.now < mood.silentUntil || random.chance(broken.before);
  const answer = isSilent ? null : { is: effect(Math.max(0, chain.height - mood.lag)) };
  if (answer === null || random.chance(broken.after)) {
    await scheduler.sleep(5 + random.below(200));
    net.note?.(`${mood.name} ${name}: no answer`);
    throw new Unreachable(`${mood.name} does not answer`);
  }
  if (random.chance(broken.late)) await scheduler.sleep(1 + random.below(300));
  if (!gate.who.alive) return await new Promise<never>(() => {});
  return answer.is;
}

/** What a node answers about an id. `top`: its newest block. */
function report(net: LapsingNetwork, mood: LapsingMood, { id }: LookUp, top: number): LapsingReport {
  const { chain } = net;
  const final = Math.max(0, top - chain.depth);
  const later = { height: 10 ** 9, at: new Date(8e15) };
  if (mood.isOther) return { kind: "absent", history: { from: chain.pointAt(0), to: later }, isExpired: true };
  const place = mood.hides ? null : chain.placeOf(id, top);
  const isKept = place !== null && place.height >= (mood.floor ?? Number.POSITIVE_INFINITY);
  if (isKept && place.height <= final) return { kind: "final", ...place.end };
  const signed = [...chain.signed.values()].find((one) => one.id === id);
  if (mood.claims !== null && signed !== undefined) {
    const { token, sender } = signed;
    const lie = { kind: "final", height: final, blockHash: "0xlie", fee: { token: USD, amountBase: 1n } } as const;
    if (mood.claims === "failed") return { ...lie, moves: [], outcome: "failed", reason: "a lie", fault: "payment" };
    return {
      ...lie,
      moves: membersIn(signed).map(({ recipient, amountBase }) => ({ token, sender, recipient, amountBase })),
      outcome: "paid",
    };
  }
  if (isKept) return { kind: "seen", height: place.height, blockHash: place.end.blockHash };
  const history = mood.floor === null ? null : { from: chain.pointAt(mood.floor), to: chain.pointAt(final) };
  const seen = chain.pointAt(mood.isHasty ? top : final);
  const expiry = signed?.expiry ?? { by: "height", last: -1 };
  const isExpired = expiry.by === "height" ? seen.height > expiry.last : seen.at.getTime() > expiry.last.getTime();
  return { kind: "absent", history, isExpired };
}

/** The bytes name the chain's own expiry. What the node says of it may be a lie, as of a blockhash. */
function prepared(net: LapsingNetwork, mood: LapsingMood, intent: LapsingIntent, top: number): UnsignedPayment {
  const { chain, window, expiresBy } = net;
  const [head, after] = [chain.pointAt(top), Math.max(0, top - chain.depth)];
  const real = expiresBy === "height" ? head.height + window : head.at.getTime() + window * 500;
  const said = mood.namesEarly ? (expiresBy === "height" ? head.height : head.at.getTime()) : real;
  const toExpiry = (last: number) =>
    expiresBy === "height" ? { by: "height" as const, last } : { by: "time" as const, last: new Date(last) };
  const feeAtMost = { token: chain.paysFeesInToken ? USD : null, amountBase: FEE_AT_MOST };
  return { intent, bytes: bytesOf(intent, real), after, expiry: toExpiry(said), feeAtMost };
}

/** What is signed: all of the payment, and the chain's own expiry. */
const bytesOf = (intent: LapsingIntent, real: number) =>
  [real, intent.sender, intent.token, ...membersIn(intent).flatMap((one) => [one.reference, one.recipient, one.amountBase])].join(" ");

/** The chain gets to know what was signed. Two payments with the same content and expiry would have one id. @throws Rejected */
function checked({ chain, expiresBy }: LapsingNetwork, raw: string, { intent, bytes }: UnsignedPayment): string {
  const real = Number.parseInt(bytes, 10);
  if (bytes !== bytesOf(intent, real) || raw !== `signed ${bytes}`) throw new Rejected("the bytes do something else than the payment");
  const expiry = expiresBy === "height" ? { by: "height" as const, last: real } : { by: "time" as const, last: new Date(real) };
  const id = `0x${membersIn(intent)
    .map((one) => `${one.reference}-${one.recipient}-${one.amountBase}`)
    .join("+")}-${real}`;
  const known = chain.signed.get(raw);
  chain.signed.set(raw, known ?? { ...intent, id, raw, expiry });
  return id;
}

function nodeOf(net: LapsingNetwork, gate: Gate, mood: LapsingMood): LapsingNode {
  const { chain } = net;
  const ask = <Answer>(name: string, effect: (top: number) => Answer) => call(net, gate, name, mood, effect);
  return {
    name: mood.name,
    identity: () => ask("identity", () => (mood.isOther ? "another" : "ours")),
    finalPoint: () => ask("finalPoint", (top) => chain.pointAt(top - chain.depth)),
    prepare: (intent) => ask("prepare", (top) => prepared(net, mood, intent, top)),
    simulate: ({ intent }) =>
      ask("simulate", () => {
        const isLie = mood.refusals > 0;
        if (isLie) mood.refusals -= 1;
        const isRefused = membersIn(intent).some(({ recipient }) => net.refused.has(recipient));
        return isLie || isRefused ? { outcome: "refused", reason: "The token refuses it." } : { outcome: "passes" };
      }),
    balance: (_address, token, atLeast = 0) =>
      ask("balance", (top) => {
        if (top - chain.depth < atLeast) throw new Unreachable(`${mood.name} has no block ${atLeast} yet`);
        return token === null ? 10n ** 30n : chain.balance(top - chain.depth);
      }),
    send: (raw) =>
      ask(`send ${raw}`, () => {
        const one = chain.signed.get(raw);
        if (one === undefined) throw new Error("no transaction");
        net.onSend(one);
        return chain.take(one);
      }),
    find: (attempt) => ask(`find ${attempt.id}`, (top) => report(net, mood, attempt, top)),
    listSent: ({ since, isKnown }) => ask("listSent", (top) => chain.sentSince(since, top).filter(({ id }) => !mood.hides && !isKnown(id))),
  };
}

/** The chain as one process sees it. */
export function lapsingChainFor(net: LapsingNetwork, gate: Gate): LapsingChain {
  const { expiresBy, window } = net;
  const { depth } = net.chain;
  return {
    chain: LAPSING_CHAIN,
    name: "Simulated",
    mostFeeBase: 1_000_000n,
    longestValid: expiresBy === "height" ? { by: "height", blocks: window + depth } : { by: "time", ms: (window + depth) * 500 },
    // Payments are found by what they are owed for.
    memo: "id",
    memoBytes: 32,
    identity: "ours",
    confirmations: net.chain.depth,
    explorerUrl: null,
    tokens: [
      { currency: "COIN", address: null, decimals: 18 },
      { currency: "USDT", address: USD, decimals: 6 },
    ],
    nodes: net.moods.map((mood) => nodeOf(net, gate, mood)),
    packing: net.packs ? { most: 3, room: 3, sizeOf: () => 1 } : undefined,
    twoNodesFrom: () => (net.needsTwo ? 0n : 10n ** 40n),
    checkSigned: async (raw, unsigned) => checked(net, raw, unsigned),
  };
}
