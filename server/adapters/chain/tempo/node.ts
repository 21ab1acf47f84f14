import { TRANSFER_TOPIC, tokenMoveIn } from "#domain/evm-intent.ts";
import {
  type LapsingIntent,
  type LapsingNode,
  type LapsingTrial,
  type LookUp,
  membersIn,
  type PaymentCost,
  type SentPayment,
  type SentQuery,
  type UnsignedPayment,
} from "#domain/lapsing-chain.ts";
import type { ChainPoint, LapsingReport } from "#domain/lapsing-report.ts";
import { checksumAddress } from "#domain/wallet-address.ts";
import { Block, count, Hexadecimal, quantity, Receipt } from "#server/adapters/chain/evm/node-answers.ts";
import { isPassingOnEvm, type JsonRpc, jsonRpc, RpcFault } from "#server/adapters/chain/json-rpc.ts";
import { type EventHistory, type EventLog, Logs, listEvents } from "#server/adapters/chain/list-events.ts";
import { Rejected, Unreachable } from "#server/ports.ts";
import { ask, BALANCE_OF, blockAt, hexOf, type TempoRules } from "./ask-node.ts";
import { estimate, gasOf, nextBaseFee, windowFault } from "./estimates.ts";
import { explainRevert } from "./explain-revert.ts";
import { judgeRecipients } from "./judge-recipients.ts";
import { callOf, decodePayment, encodePayment, feeBaseOf, type TempoPayment } from "./payment-bytes.ts";
import { FEE_MANAGER, readEnd } from "./read-end.ts";

/** What one transaction may use here: half of what the network lets one use. */
const MOST_GAS = 15_000_000n;
const SEVERAL_FAILED = "One of its payments was refused, so that none was made.";
/** `TransferWithMemo(address,address,uint256,bytes32)`. */
const MEMO_TOPIC = "0x57bc7354aa85aed339e000bccffabbc529466af35f0772c8f8ee1145927de7f0";

/** A node of Tempo. @throws Unreachable, Rejected */
export function tempoNode(url: string, rules: TempoRules, timeoutMs: number, tracePlace?: () => string | null): LapsingNode {
  // A node calls it an internal error, and it is a fact about the bytes.
  const isPassing = (error: { code: number; message: string }) => !/too far in the future/i.test(error.message) && isPassingOnEvm(error);
  const rpc = jsonRpc(url, timeoutMs, { tracePlace, isPassing });
  let hasToken = false;
  /** Another network with this chain id, or another family's, has no such token. */
  async function hasFeeToken(): Promise<boolean> {
    hasToken ||= (await ask(rpc, Hexadecimal, "eth_getCode", rules.feeToken, "latest")) !== "0x";
    return hasToken;
  }
  return {
    name: rpc.name,
    identity: async () => `${await ask(rpc, count, "eth_chainId")}${(await hasFeeToken()) ? "" : " without the token of the fees"}`,
    finalPoint: () => finalPoint(rpc, rules),
    prepare: (intent) => prepare(rpc, rules, intent),
    simulate: ({ intent }) => simulateAll(rpc, intent),
    judgeRecipients: (recipients, token) => judgeRecipients(rpc, recipients, token),
    costOf: (intent) => costOf(rpc, rules, intent),
    findUnfit: () => windowFault(rpc, rules),
    async balance(address, token, atLeast = 0) {
      if (token === null) throw new Rejected("there is no coin on Tempo");
      const { height } = await finalPoint(rpc, rules);
      if (height < atLeast) throw new Unreachable(`${rpc.name} is behind block ${atLeast}`);
      const data = `${BALANCE_OF}${address.slice(2).toLowerCase().padStart(64, "0")}`;
      return await ask(rpc, quantity, "eth_call", { to: token, data }, hexOf(height));
    },
    send: (raw) => send(rpc, raw),
    find: (attempt) => find(rpc, rules, attempt),
    listSent: (query) => listSent(rpc, rules, query),
  };
}

async function finalPoint(rpc: JsonRpc, { confirmations }: TempoRules): Promise<ChainPoint> {
  const head = await blockAt(rpc, "latest");
  const { height, at } = confirmations === 1 ? head : await blockAt(rpc, Math.max(0, head.height - confirmations + 1));
  return { height, at };
}

/** By the chain's own time: a node that is behind prepares what has expired already, never what is valid for too long. */
async function prepare(rpc: JsonRpc, rules: TempoRules, intent: LapsingIntent): Promise<UnsignedPayment> {
  const { chainId, feeToken, validForSeconds, confirmations } = rules;
  const [head, price] = await Promise.all([blockAt(rpc, "latest"), ask(rpc, quantity, "eth_gasPrice")]);
  const validBefore = head.at.getTime() / 1_000 + validForSeconds;
  // Of several payments, the sum of what each may use alone: together they use less.
  const each = await Promise.all(alonesIn(intent).map((alone) => gasOf(rpc, rules, alone, validBefore)));
  const gas = each.reduce((sum, one) => sum + one, 0n);
  if (gas > MOST_GAS) throw new Rejected(`it may use ${gas} gas, and a transaction may use ${MOST_GAS}`);
  const terms = { chainId, gas, maxFeePerGas: 2n * price, feeToken, validBefore };
  return {
    intent,
    bytes: await encodePayment(intent, terms),
    after: Math.max(0, head.height - confirmations + 1),
    expiry: { by: "time", last: new Date(validBefore * 1_000) },
    feeAtMost: { token: checksumAddress(feeToken.toLowerCase()), amountBase: feeBaseOf(gas, terms.maxFeePerGas) },
  };
}

/** Null where the transfer would be refused. */
async function costOf(rpc: JsonRpc, rules: TempoRules, intent: LapsingIntent): Promise<PaymentCost | null> {
  const { feeToken, validForSeconds } = rules;
  const { token, recipient } = intent;
  if (token === null) return null;
  const data = `${BALANCE_OF}${recipient.slice(2).toLowerCase().padStart(64, "0")}`;
  try {
    const { at } = await blockAt(rpc, "latest");
    const [gas, price, held] = await Promise.all([
      estimate(rpc, rules, callOf(intent), { sender: intent.sender, validBefore: at.getTime() / 1_000 + validForSeconds }),
      nextBaseFee(rpc),
      ask(rpc, quantity, "eth_call", { to: token, data }, "latest"),
    ]);
    return { fee: { token: checksumAddress(feeToken.toLowerCase()), amountBase: feeBaseOf(gas, price) }, isNewHolder: held === 0n };
  } catch (error) {
    if (error instanceof RpcFault) return null;
    throw error;
  }
}

/** Each payment as one of its own. */
function alonesIn(intent: LapsingIntent): LapsingIntent[] {
  const { sender, token } = intent;
  return membersIn(intent).map(({ recipient, amountBase, reference }) => ({ sender, token, recipient, amountBase, reference }));
}

/**
 * Several payments pass where each of them passes alone: they are to different recipients. Whether the wallet holds their sum is for its budget.
 */
async function simulateAll(rpc: JsonRpc, intent: LapsingIntent): Promise<LapsingTrial> {
  const trials = await Promise.all(alonesIn(intent).map((alone) => simulate(rpc, alone, "latest")));
  return trials.find(({ outcome }) => outcome !== "passes") ?? { outcome: "passes" };
}

async function simulate(rpc: JsonRpc, intent: LapsingIntent, at: string): Promise<LapsingTrial> {
  if (intent.recipient.toLowerCase() === FEE_MANAGER)
    return { outcome: "refused", reason: "The recipient takes the network's fees: the funds would be lost." };
  const revert = await trial(rpc, intent, at);
  if (revert === null) return { outcome: "passes" };
  const { outcome, reason } = explainRevert(revert.data);
  if (outcome !== "policy") return { outcome, reason };
  // Its policy also forbids senders. One that may not even pay itself is the trouble.
  const own = await trial(rpc, { ...intent, recipient: intent.sender }, at);
  return own === null ? { outcome: "refused", reason } : { outcome: "treasury", reason: "The token's policy refuses the treasury wallet." };
}

async function trial(rpc: JsonRpc, intent: LapsingIntent, at: string): Promise<RpcFault | null> {
  try {
    await ask(rpc, Hexadecimal, "eth_call", { from: intent.sender, ...callOf(intent) }, at);
    return null;
  } catch (error) {
    if (error instanceof RpcFault) return error;
    throw error;
  }
}

async function send(rpc: JsonRpc, raw: string): Promise<"accepted" | "known"> {
  try {
    await ask(rpc, Hexadecimal, "eth_sendRawTransaction", raw);
    return "accepted";
  } catch (error) {
    if (error instanceof Rejected && /already (imported|known)/i.test(error.message)) return "known";
    throw error instanceof RpcFault ? new Rejected(error.message) : error;
  }
}

/** What the node knows of an attempt. The final block is read first, so that everything up to it was there when the id was looked up. */
async function find(rpc: JsonRpc, rules: TempoRules, attempt: LookUp): Promise<LapsingReport> {
  const final = await finalPoint(rpc, rules);
  const receipt = await ask(rpc, Receipt.nullable(), "eth_getTransactionReceipt", attempt.id);
  if (receipt === null) {
    const isExpired = attempt.expiry.by === "time" && final.at.getTime() >= attempt.expiry.last.getTime();
    return { kind: "absent", history: await historySince(rpc, attempt.after + 1, final), isExpired };
  }
  const { blockHeight: height, blockHash } = receipt;
  if (height > final.height) return { kind: "seen", height, blockHash };
  const block = await blockAt(rpc, height);
  if (block.hash !== blockHash) throw new Unreachable(`${rpc.name} shows a receipt of a block that it does not have`);
  const used = { gas: Number(receipt.gasUsed) };
  const end = { kind: "final", height, at: block.at, blockHash, ...readEnd(receipt, rules), used } as const;
  if (receipt.succeeded) return { ...end, outcome: "paid" };
  const terms = decodePayment(attempt.bytes);
  const [first, ...others] = terms.payments;
  if (first === undefined || others.length > 0) return { ...end, outcome: "failed", reason: SEVERAL_FAILED, fault: "treasury" };
  return { ...end, outcome: "failed", ...(await whyFailed(rpc, receipt.sender, first, height)) };
}

/** The heights in which the node has every transaction: it still has a receipt of the first one there. Null: it has thrown some away. */
async function historySince(rpc: JsonRpc, from: number, to: ChainPoint): Promise<{ from: ChainPoint; to: ChainPoint } | null> {
  const first = await ask(rpc, Block.nullable(), "eth_getBlockByNumber", hexOf(Math.min(from, to.height)), false);
  if (first === null) return null;
  const [hash] = first.transactionHashes;
  if (hash !== undefined && (await ask(rpc, Receipt.nullable(), "eth_getTransactionReceipt", hash)) === null) return null;
  return { from: { height: first.height, at: first.at }, to };
}

/** By the events of every token that the settings name. Each payment's memo is in an event of its own. */
async function listSent(rpc: JsonRpc, { tokens, feeToken }: TempoRules, { wallet, since, isKnown }: SentQuery): Promise<SentPayment[]> {
  const history: EventHistory = {
    name: rpc.name,
    head: async () => await blockAt(rpc, "latest"),
    blockAt: async (height) => await ask(rpc, Block.nullable(), "eth_getBlockByNumber", hexOf(height), false),
    logs: (filter) => ask(rpc, Logs, "eth_getLogs", filter),
  };
  const events = await listEvents(history, { tokens, wallet, topics: [TRANSFER_TOPIC, MEMO_TOPIC], since });
  const fee = checksumAddress(feeToken.toLowerCase());
  return [...Map.groupBy(events, ({ id }) => id)].flatMap(([id, own]) => {
    const [first] = own;
    const moves = own.flatMap(({ log }) => movesOf(log)).filter(({ recipient }) => recipient.toLowerCase() !== FEE_MANAGER);
    if (first === undefined || moves.length === 0 || isKnown(id)) return [];
    const memos = own.flatMap(({ log: { topics } }) => (topics[0] === MEMO_TOPIC && topics[3] !== undefined ? [textOf(topics[3])] : []));
    const memo = memos.length === 1 ? (memos[0] ?? null) : null;
    return [{ id, height: first.height, at: first.at, memo, moves, feeToken: fee }];
  });
}

function movesOf(log: EventLog["log"]) {
  const move = tokenMoveIn(log);
  if (move === null) return [];
  const [token, sender, recipient] = [log.address, move.from, move.to].map((address) => checksumAddress(address.toLowerCase()));
  return [{ token: token ?? null, sender: sender ?? "", recipient: recipient ?? "", amountBase: move.amountBase }];
}

/** A memo's text ends at its zeros. */
function textOf(memo: string): string {
  return Buffer.from(memo.slice(2), "hex").toString("utf8").replace(/\0+$/, "");
}

async function whyFailed(
  rpc: JsonRpc,
  sender: string,
  { token, recipient, amountBase }: TempoPayment,
  height: number,
): Promise<{ reason: string; fault: "payment" | "treasury" }> {
  const again = await simulate(rpc, { sender, token, recipient, amountBase, reference: "again" }, hexOf(height));
  if (again.outcome === "passes") return { reason: "It was reverted, and would pass now.", fault: "treasury" };
  return { reason: again.reason, fault: again.outcome === "refused" ? "payment" : "treasury" };
}
