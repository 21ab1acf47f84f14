import type { Mishap, ProxyRule } from "#testing/rpc-proxy.ts";
import type { Random } from "./random.ts";

/** The node's lies. Each is drawn independently: any answer may be wrong, now and then. */

type Verdict = Exclude<ReturnType<ProxyRule>, "pass">;
export type Lie = { name: string; share: number; methods: RegExp; makeLie: (random: Random) => Verdict };

const SEND = /^eth_sendRawTransaction$/;
const COUNT = /^eth_getTransactionCount$/;
const FIND = /^eth_get(TransactionReceipt|TransactionByHash|BlockReceipts)$/;
const ANY = /./;
const ESTIMATE = /^eth_estimateGas$/;
const MISHAPS: readonly Mishap[] = ["close", "limit", "garbage", "cut", "stall"];
/** Shares of all requests. A stalled one blocks its caller for ten seconds. */
const SHARES: Readonly<Record<Mishap, number>> = { close: 0.02, limit: 0.02, garbage: 0.02, cut: 0.02, stall: 0.004 };

/** The factor by which a kind of lie is likelier before its first use: a short run sends few transactions, packed payments even fewer. */
const UNUSED_LIE = 20;

export const shifted = (result: unknown, by: number) =>
  typeof result === "string" ? `0x${Math.max(0, Number(result) + by).toString(16)}` : result;

/** A head this many blocks from the true one, with an unknown hash. */
export function movedHead(result: unknown, by: number, random: Random): unknown {
  if (typeof result !== "object" || result === null || !("number" in result)) return result;
  return { ...result, number: shifted(result.number, by), hash: `0x${random.hex(32)}` };
}

/** What any node may answer to anything. */
export const ANY_LIES: readonly Lie[] = [
  { name: "internal error", share: 0.02, methods: ANY, makeLie: () => ({ error: { code: -32603, message: "internal error" } }) },
  { name: "too many requests", share: 0.01, methods: ANY, makeLie: () => ({ error: { code: -32005, message: "rate limit exceeded" } }) },
  { name: "not heard", share: 0.01, methods: ANY, makeLie: () => "refuse" },
  { name: "another call's answer", share: 0.005, methods: ANY, makeLie: () => ({ result: "0x1" }) },
];

const LIES: readonly Lie[] = [
  ...ANY_LIES,
  { name: "done, and silent", share: 0.1, methods: SEND, makeLie: () => "swallow" },
  { name: "heard twice", share: 0.1, methods: SEND, makeLie: () => "twice" },
  { name: "done, and nonce too low", share: 0.05, methods: SEND, makeLie: () => ({ instead: { code: -32003, message: "nonce too low" } }) },
  {
    name: "done, and underpriced",
    share: 0.03,
    methods: SEND,
    makeLie: () => ({ instead: { code: -32000, message: "replacement transaction underpriced" } }),
  },
  {
    name: "count behind",
    share: 0.06,
    methods: COUNT,
    makeLie: (random) => ({ alter: (result) => shifted(result, -1 - random.below(3)) }),
  },
  { name: "count ahead", share: 0.06, methods: COUNT, makeLie: (random) => ({ alter: (result) => shifted(result, 1 + random.below(5)) }) },
  { name: "forgotten", share: 0.1, methods: FIND, makeLie: () => ({ result: null }) },
  // A payment signed with it reverts, and is made again.
  { name: "estimate too low", share: 0.04, methods: ESTIMATE, makeLie: () => ({ result: "0x0" }) },
];
export const HEADS: readonly [name: string, share: number, by: (random: Random) => number][] = [
  ["head behind", 0.04, (random) => -1 - random.below(3)],
  ["head ahead", 0.04, (random) => 1 + random.below(4)],
];
/** Of the newest block on EVM's chains. */
const LATEST: readonly Lie[] = HEADS.map(([name, share, by]) => ({
  name,
  share,
  methods: /^eth_getBlockByNumber$/,
  makeLie: (random) => ({ alter: (result: unknown) => movedHead(result, by(random), random) }),
}));

/** `lies`: in this order; default: those of an EVM node. */
export function liesOf(random: Random, lies: readonly Lie[] = [...LIES, ...LATEST]) {
  const counts = new Map<string, number>([...lies.map(({ name }) => name), ...MISHAPS].map((name) => [name, 0]));
  const draws = (name: string, share: number) => random.chance((counts.get(name) ?? 0) === 0 ? share * UNUSED_LIE : share);
  const count = <T>(name: string, lie: T): T => {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return lie;
  };
  const rule: ProxyRule = (method, params) => {
    for (const lie of lies) {
      // Only of the newest block: an older one has one height.
      if (!lie.methods.test(method) || (method === "eth_getBlockByNumber" && LATEST.includes(lie) && params[0] !== "latest")) continue;
      if (draws(lie.name, lie.share)) return count(lie.name, lie.makeLie(random));
    }
    return "pass";
  };
  const mishap = () => MISHAPS.map((kind) => (draws(kind, SHARES[kind]) ? count(kind, kind) : null)).find((kind) => kind !== null) ?? null;
  return {
    rule,
    mishap,
    count: () => [...counts.values()].reduce((sum, times) => sum + times, 0),
    unsent: () => [...counts].filter(([, times]) => times === 0).map(([name]) => name),
  };
}

const [TRANSFER, BALANCE_OF] = ["0xa9059cbb", "0x70a08231"];
const MADE_UP = 250_000n;
const REVERTED: Verdict = { error: { code: 3, message: "execution reverted" } };
const larger = (result: unknown) =>
  typeof result === "string" ? `0x${(BigInt(result) + MADE_UP).toString(16).padStart(64, "0")}` : result;
const nothing = (result: unknown) => (typeof result === "string" ? `0x${"0".repeat(64)}` : result);
/** The first of several balances. */
const firstLarger = (result: unknown) =>
  typeof result === "string" ? `${String(larger(result.slice(0, 66)))}${result.slice(66)}` : result;
const asReverted = (receipt: unknown) =>
  typeof receipt === "object" && receipt !== null && "status" in receipt ? { ...receipt, status: "0x0" } : receipt;

const ONCE = ["a token's balance", "a coin's balance", "balances in a block", "a receipt", "a block's receipts", "a refusal"] as const;
type OnceKind = (typeof ONCE)[number];

/**
 * Lies exactly once about each balance (too large, or nothing), about each receipt (reverted, or `isForgetful`: none), and about each payment
 * (refused). All else is true, and so is each later answer. `hasBlockReceipts`: whether the node behind it gives those of a whole block.
 */
export function liesOnce({ isForgetful, hasBlockReceipts }: { isForgetful: boolean; hasBlockReceipts: boolean }) {
  const sent = new Map<string, OnceKind>();
  const once = (kind: OnceKind, about: string, lie: Verdict): Verdict | "pass" => {
    if (sent.has(`${kind} ${about}`)) return "pass";
    sent.set(`${kind} ${about}`, kind);
    return lie;
  };
  const count = (kind: OnceKind) => [...sent.values()].filter((one) => one === kind).length;
  const balanceLie = (kind: OnceKind, about: string) => once(kind, about, { alter: count(kind) % 2 === 0 ? larger : nothing });
  const receiptLie = (kind: OnceKind, hash: string, alter: (result: unknown) => unknown) =>
    once(kind, hash, isForgetful && count(kind) % 2 === 1 ? { result: null } : { alter });
  const rule: ProxyRule = (method, [first, at]) => {
    if (method === "eth_getBalance") return balanceLie("a coin's balance", String(first));
    if (method === "eth_getTransactionReceipt") return receiptLie("a receipt", String(first), asReverted);
    if (method === "eth_getBlockReceipts")
      return receiptLie("a block's receipts", String(first), (all) => (Array.isArray(all) ? all.map(asReverted) : all));
    if (method !== "eth_call" || typeof first !== "object" || first === null || !("data" in first)) return "pass";
    const data = String(first.data).toLowerCase();
    if (!("to" in first)) return once("balances in a block", `${data} at ${String(at)}`, { alter: firstLarger });
    if (data.startsWith(BALANCE_OF)) return balanceLie("a token's balance", JSON.stringify(first));
    return data.startsWith(TRANSFER) ? once("a refusal", data, REVERTED) : "pass";
  };
  return {
    rule,
    counts: () => ONCE.map((kind) => `${kind} ${count(kind)}`).join(", "),
    unsent: () => ONCE.filter((kind) => count(kind) === 0 && (hasBlockReceipts || kind !== "a block's receipts")),
  };
}
