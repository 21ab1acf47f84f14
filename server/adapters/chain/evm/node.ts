import { randomBytes } from "node:crypto";
import { z } from "zod";
import { type EvmIntent, TRANSFER_SELECTOR, TRANSFER_TOPIC } from "#domain/evm-intent.ts";
import { COIN_AS_TOKEN, type GasKind } from "#domain/gas.ts";
import type { AddressQuestion } from "#domain/screening.ts";
import { isRevert, type JsonRpc, jsonRpc, RpcFault } from "#server/adapters/chain/json-rpc.ts";
import { type EvmNode, EvmRejected, type EvmRejection, type EvmRevert, type EvmSimulation, Unreachable } from "#server/ports.ts";
import { callOf, hexOf } from "./call-of.ts";
import type { explainRevertOf } from "./explain-revert.ts";
import { Block, count, FullBlock, Hexadecimal, quantity, Receipt, TokenMove } from "./node-answers.ts";
import { trialLogs } from "./trial-logs.ts";

const BALANCE_OF = "0x70a08231";
const DECIMALS = "0x313ce567";
const ALLOWANCE = "0xdd62ed3e";
/** It is at this address on every OP-stack chain; answers `getL1FeeUpperBound(uint256)` since the Fjord upgrade. */
const GAS_PRICE_ORACLE = "0x420000000000000000000000000000000000000F";
const L1_FEE_UPPER_BOUND = "0xf1c7a58b";
/** `getOperatorFee(uint256)`, since the Isthmus upgrade, and the gas that it is asked about: that of a payment, generously. */
const OPERATOR_FEE = "0x275aedd2";
const PAYMENT_GAS = 200_000;
/** The functions of that name that take one address. */
const QUESTIONS: Record<AddressQuestion, string> = {
  isSanctioned: "0xdf592f7d",
  isBlackListed: "0xe47d6060",
  isBlacklisted: "0xfe575a87",
  isBlocked: "0xfbac3951",
};
/** Code that is deployed nowhere: replaces each of the addresses that follow it by its balance of the coin, and returns them. */
const READ_BALANCES = "0x60005b60243803811015602057602081602401823980513181526020016002565b6000f3";
const Head = z.object({ number: count });
/** For nodes that cannot suggest one. */
const DEFAULT_TIP = 1_000_000_000n;

/** A node of an EVM chain. @throws Unreachable, EvmRejected */
export function evmNode(url: string, timeoutMs = 10_000, tracePlace?: () => string | null): EvmNode {
  const rpc = jsonRpc(url, timeoutMs, { tracePlace });
  let knowsBlockReceipts = true;
  const ask = <T>(answer: z.ZodType<T>, method: string, ...params: unknown[]) => askNode(rpc, answer, method, params);
  return {
    name: rpc.name,
    chainId: () => ask(count, "eth_chainId"),
    gasKind: () => gasKind(rpc),
    block: (at) => ask(Block.nullable(), "eth_getBlockByNumber", typeof at === "number" ? hexOf(at) : at, false),
    async blockReceipts(blockHash) {
      try {
        return knowsBlockReceipts ? await ask(z.array(Receipt).nullable(), "eth_getBlockReceipts", blockHash) : null;
      } catch (error) {
        if (!(error instanceof EvmRejected)) throw error;
        knowsBlockReceipts = error.kind !== "not_supported";
        return null;
      }
    },
    receipt: (hash) => ask(Receipt.nullable(), "eth_getTransactionReceipt", hash),
    knows: async (hash) => (await ask(z.object({}).nullable(), "eth_getTransactionByHash", hash)) !== null,
    nonce: (address, at) => ask(count, "eth_getTransactionCount", address, typeof at === "number" ? hexOf(at) : at),
    content: (height) => ask(FullBlock.nullable(), "eth_getBlockByNumber", hexOf(height), true),
    async tokenMoves({ side, addresses, tokens, from, to }) {
      const words = addresses.map((address) => `0x${address.slice(2).toLowerCase().padStart(64, "0")}`);
      const topics = side === "out" ? [TRANSFER_TOPIC, words] : [TRANSFER_TOPIC, null, words];
      const filter = { address: tokens, topics, fromBlock: hexOf(from), toBlock: hexOf(to) };
      return (await ask(z.array(TokenMove), "eth_getLogs", filter)).flatMap((move) => move ?? []);
    },
    balance(address, token, atHeight) {
      const at = hexOf(atHeight);
      if (token === null) return ask(quantity, "eth_getBalance", address, at);
      return ask(quantity, "eth_call", { to: token, data: `${BALANCE_OF}${address.slice(2).toLowerCase().padStart(64, "0")}` }, at);
    },
    coinBalances: (addresses, atHeight) => coinBalances(rpc, addresses, atHeight),
    async decimals(token) {
      const answer = await ask(Hexadecimal, "eth_call", { to: token, data: DECIMALS }, "latest");
      if (!/^0x0{62}[0-9a-f]{2}$/i.test(answer)) throw new EvmRejected("other", `there is no token contract at ${token}`);
      return Number(answer);
    },
    async allowance(token, owner, spender) {
      const words = [owner, spender].map((address) => address.slice(2).toLowerCase().padStart(64, "0"));
      return await ask(quantity, "eth_call", { to: token, data: `${ALLOWANCE}${words.join("")}` }, "latest");
    },
    height: () => ask(count, "eth_blockNumber"),
    askAbout: (contract, question, address) => askAbout(rpc, contract, question, address),
    simulate: (sender, intent) => simulate(rpc, sender, intent),
    trialLogs: (sender, intent) => trialLogs(rpc, sender, intent),
    replay: (sender, intent, height) => replay(rpc, sender, intent, height),
    tip: () => suggestedTip(rpc),
    async dataFee(bytes) {
      const oracle = (selector: string, about: number) => {
        const data = `${selector}${about.toString(16).padStart(64, "0")}`;
        return ask(Hexadecimal, "eth_call", { to: GAS_PRICE_ORACLE, data }, "latest");
      };
      const [answer, operator] = await Promise.all([
        oracle(L1_FEE_UPPER_BOUND, bytes),
        oracle(OPERATOR_FEE, PAYMENT_GAS).catch(noOperator),
      ]);
      if (answer === "0x") throw new EvmRejected("not_supported", `there is no oracle of data fees at ${GAS_PRICE_ORACLE}`);
      return BigInt(answer) + (operator === "0x" ? 0n : BigInt(operator));
    },
    code: (address) => ask(Hexadecimal, "eth_getCode", address, "latest"),
    async safe(address) {
      const { number } = await ask(Head, "eth_getBlockByNumber", "latest", false);
      const { readSafe } = await import("#server/adapters/chain/evm/safe/read-safe.ts");
      return await readSafe(rpc, address, number);
    },
    send: (raw) => send(rpc, raw),
  };
}

async function suggestedTip(rpc: JsonRpc): Promise<bigint> {
  try {
    return await askNode(rpc, quantity, "eth_maxPriorityFeePerGas", []);
  } catch (error) {
    if (error instanceof EvmRejected) return DEFAULT_TIP;
    throw error;
  }
}

/** A chain before that upgrade has no operator fee. */
function noOperator(error: unknown): "0x" {
  if (error instanceof EvmRejected) return "0x";
  throw error;
}

async function askNode<T>(rpc: JsonRpc, answer: z.ZodType<T>, method: string, params: unknown[]): Promise<T> {
  let result: unknown;
  try {
    result = await rpc.call(method, params);
  } catch (error) {
    if (error instanceof RpcFault) throw new EvmRejected(rejectionOf(error), `${rpc.name} refused ${method}: ${error.message}`);
    throw error;
  }
  const parsed = answer.safeParse(result);
  if (!parsed.success) throw new Unreachable(`${rpc.name} answered ${method} in an unknown shape`);
  return parsed.data;
}

/** Nobody has a random address. If a chain reports a balance for it, it does so for everybody, and has no coin. */
async function gasKind(rpc: JsonRpc): Promise<GasKind> {
  const unheard = `0x${randomBytes(20).toString("hex")}`;
  const [balance, code] = await Promise.all([
    askNode(rpc, quantity, "eth_getBalance", [unheard, "latest"]),
    askNode(rpc, Hexadecimal, "eth_getCode", [COIN_AS_TOKEN, "latest"]),
  ]);
  if (balance > 0n) return "token";
  return code === "0x" ? "coin" : "same-as-token";
}

async function coinBalances(rpc: JsonRpc, addresses: readonly string[], atHeight: number): Promise<bigint[]> {
  const words = addresses.map((address) => address.slice(2).toLowerCase().padStart(64, "0"));
  const answer = await askNode(rpc, Hexadecimal, "eth_call", [{ data: `${READ_BALANCES}${words.join("")}` }, hexOf(atHeight)]);
  const balances = answer.slice(2).match(/.{64}/g) ?? [];
  if (balances.length !== addresses.length) throw new Unreachable(`${rpc.name} answered eth_call in an unknown shape`);
  return balances.map((balance) => BigInt(`0x${balance}`));
}

async function askAbout(rpc: JsonRpc, contract: string, question: AddressQuestion, address: string): Promise<boolean | null> {
  const data = `${QUESTIONS[question]}${address.slice(2).toLowerCase().padStart(64, "0")}`;
  try {
    const said = Hexadecimal.safeParse(await rpc.call("eth_call", [{ to: contract, data }, "latest"]));
    if (!said.success) throw new Unreachable(`${rpc.name} answered eth_call in an unknown shape`);
    return /^0x0{63}[01]$/.test(said.data) ? said.data.endsWith("1") : null;
  } catch (error) {
    if (!(error instanceof RpcFault)) throw error;
    if (isRevert(error)) return null;
    throw new EvmRejected(rejectionOf(error), `${rpc.name} refused eth_call: ${error.message}`);
  }
}

async function simulate(rpc: JsonRpc, sender: string, intent: EvmIntent): Promise<EvmSimulation> {
  const call = callOf(sender, intent);
  try {
    // Sent together: one wait. If both are refused, the call's error counts; it is first. Without its block a node may play all that is pending first.
    const [result, estimate] = await Promise.all([rpc.call("eth_call", [call, "latest"]), rpc.call("eth_estimateGas", [call, "latest"])]);
    const returned = Hexadecimal.parse(result);
    // Old tokens return false instead of reverting; others return nothing at all for success.
    if (intent.data.startsWith(TRANSFER_SELECTOR) && returned !== "0x" && BigInt(returned) === 0n) {
      return { outcome: "refused", reason: "The token's contract refused the transfer without a reason." };
    }
    return { outcome: "passes", gas: quantity.parse(estimate) };
  } catch (error) {
    if (!(error instanceof RpcFault))
      throw error instanceof z.ZodError ? new Unreachable(`${rpc.name} answered in an unknown shape`) : error;
    if (rejectionOf(error) === "insufficient_funds")
      return { outcome: "treasury", reason: "The treasury holds too little of the native coin." };
    if (!isRevert(error)) throw new EvmRejected(rejectionOf(error), `${rpc.name} refused to simulate: ${error.message}`);
    const { reason, treasury } = await explain(rpc, sender, intent, error, "latest");
    return { outcome: treasury ? "treasury" : "refused", reason };
  }
}

/** What reads contracts' words is large, and loaded by the first revert. */
async function explain(...revert: Parameters<typeof explainRevertOf>): Promise<EvmRevert> {
  const { explainRevertOf } = await import("./explain-revert.ts");
  return await explainRevertOf(...revert);
}

async function replay(rpc: JsonRpc, sender: string, intent: EvmIntent, height: number): Promise<EvmRevert | null> {
  for (const at of [hexOf(Math.max(height - 1, 0)), hexOf(height)]) {
    try {
      await rpc.call("eth_call", [callOf(sender, intent), at]);
    } catch (error) {
      if (error instanceof RpcFault && isRevert(error)) return await explain(rpc, sender, intent, error, at);
      if (!(error instanceof RpcFault) && !(error instanceof Unreachable)) throw error;
    }
  }
  return null;
}

async function send(rpc: JsonRpc, raw: string): Promise<"accepted" | "known"> {
  try {
    await rpc.call("eth_sendRawTransaction", [raw]);
    return "accepted";
  } catch (error) {
    if (!(error instanceof RpcFault)) throw error;
    if (/already known|known transaction|already imported|already in (the )?(mem)?pool|ALREADY_EXISTS/i.test(error.message)) return "known";
    throw new EvmRejected(rejectionOf(error), `${rpc.name} refused the transaction: ${error.message}`);
  }
}

function rejectionOf(fault: RpcFault): EvmRejection {
  if (fault.code === -32601 || fault.code === -32004 || /method .*not (found|supported|available)|does not exist/i.test(fault.message))
    return "not_supported";
  if (/nonce (is )?too low|nonce.*already (been )?used|OldNonce|invalid nonce/i.test(fault.message)) return "nonce_too_low";
  if (/underpriced|fee too low|max fee per gas less than block base fee|FeeTooLow|less than block base/i.test(fault.message))
    return "underpriced";
  if (/insufficient (funds|balance|MaxFeePerGas for sender balance)|not enough funds/i.test(fault.message)) return "insufficient_funds";
  return "other";
}
