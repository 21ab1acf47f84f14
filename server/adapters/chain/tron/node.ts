import { z } from "zod";
import type { LapsingIntent, LapsingNode, LapsingTrial, PaymentCost, UnsignedPayment } from "#domain/lapsing-chain.ts";
import { hexOfTron } from "#domain/tron-address.ts";
import {
  energyLimitFor,
  feeLimitFor,
  flatFee,
  missingSun,
  TRANSFER_ENERGY,
  type TronPrices,
  type TronResources,
} from "#domain/tron-fees.ts";
import { Rejected, Unreachable } from "#server/ports.ts";
import { checkUnsigned } from "./check-signed.ts";
import { explainTokenRevert } from "./explain-revert.ts";
import { find } from "./find.ts";
import { type TronHttp, tronHttp } from "./http.ts";
import { judgeRecipients, type KnownQuestions } from "./judge-recipients.ts";
import { listSent } from "./list-sent.ts";
import { Account, Block, Broadcast, Constant, Estimate, MaybeBlock, NodeInfo, Parameters, Resource } from "./node-answers.ts";
import { isReverted, tronHex } from "./play.ts";
import { encodeRaw, type TronTransfer, transferCall } from "./transaction.ts";

/** How long signed bytes are valid after the newest block: what Tron's own nodes give. A block takes three seconds. */
const VALID_FOR_MS = 60_000;

/** `apiKey`: what the node's provider knows us by. `tokens`: those that are paid, in base58check. */
export type TronNodeOptions = {
  timeoutMs?: number | undefined;
  validForMs?: number;
  apiKey?: string | null | undefined;
  tokens?: readonly string[];
};

/** A node of a Tron network. @throws Unreachable, Rejected */
export function tronNode(
  url: string,
  { timeoutMs = 10_000, validForMs = VALID_FOR_MS, apiKey = null, tokens = [] }: TronNodeOptions = {},
): LapsingNode {
  const http = tronHttp(url, timeoutMs, apiKey);
  const known: KnownQuestions = new Map();
  return {
    name: http.name,
    async identity() {
      const genesis = await http.ask(MaybeBlock, "getblockbynum", { num: 0 });
      if (genesis === null) throw new Unreachable(`${http.name} does not show the chain's first block`);
      return identityOf(genesis.hash);
    },
    async double() {
      const { configNodeInfo } = await http.ask(NodeInfo, "getnodeinfo");
      return /\bdouble\b/.test(configNodeInfo.codeVersion) ? configNodeInfo.codeVersion : null;
    },
    async finalPoint() {
      const { height, at } = await http.ask(Block, "getnowblock", {}, "solid");
      return { height, at };
    },
    prepare: (intent) => prepare(http, intent, validForMs),
    simulate: (unsigned) => simulate(http, unsigned),
    judgeRecipients: (recipients, token) => judgeRecipients(http, known, recipients, token),
    costOf: (intent) => costOf(http, intent, validForMs),
    async balance(address, token, atLeast = 0) {
      const { height } = await http.ask(Block, "getnowblock", {}, "solid");
      if (height < atLeast) throw new Unreachable(`${http.name} is behind block ${atLeast}`);
      return await balance(http, address, token);
    },
    send: (raw) => send(http, raw),
    find: (attempt) => find(http, attempt),
    listSent: (query) => listSent(http, tokens, query),
  };
}

/** The reference of a network in CAIP-2: the last four bytes of its first block's hash. */
export function identityOf(genesisHash: string): string {
  return `0x${genesisHash.slice(-8)}`;
}

async function prepare(http: TronHttp, intent: LapsingIntent, validForMs: number): Promise<UnsignedPayment> {
  if (intent.token === null) throw new Rejected("this service pays tokens on Tron, not the coin");
  const [head, final, prices, trial] = await Promise.all([
    http.ask(Block, "getnowblock"),
    http.ask(Block, "getnowblock", {}, "solid"),
    readPrices(http),
    play(http, { ...intent, token: intent.token }),
  ]);
  // What the trial refuses is judged by `simulate`: here it costs what a transfer costs.
  const feeLimitSun = feeLimitFor(trial.isReverted ? TRANSFER_ENERGY : trial.energy, prices);
  if (feeLimitSun === null) throw new Rejected("the transfer needs more energy than the chain lets a transaction pay for");
  const expiration = head.at.getTime() + validForMs;
  const raw = encodeRaw({
    owner: intent.sender,
    token: intent.token,
    recipient: intent.recipient,
    amountBase: intent.amountBase,
    // A solidified block stays, so these bytes stay valid whatever becomes of the newest blocks.
    refBlock: final,
    timestamp: head.at.getTime(),
    expiration,
    feeLimitSun,
    memo: intent.reference,
  });
  const amountBase = feeLimitSun + flatFee(raw.length, intent.reference !== "", prices);
  return {
    intent,
    bytes: Buffer.from(raw).toString("hex"),
    after: final.height,
    expiry: { by: "time", last: new Date(expiration) },
    feeAtMost: { token: null, amountBase },
  };
}

/** What is burnt where no energy or bandwidth of a stake is left. Null where the transfer would be refused. */
async function costOf(http: TronHttp, intent: LapsingIntent, validForMs: number): Promise<PaymentCost | null> {
  if (intent.token === null) return null;
  const [{ bytes }, { isReverted, energy }, prices, held] = await Promise.all([
    prepare(http, intent, validForMs),
    play(http, { ...intent, token: intent.token }),
    readPrices(http),
    balance(http, intent.recipient, intent.token),
  ]);
  if (isReverted) return null;
  const amountBase = energy * prices.energySun + flatFee(bytes.length / 2, intent.reference !== "", prices);
  return { fee: { token: null, amountBase }, isNewHolder: held === 0n };
}

async function simulate(http: TronHttp, unsigned: UnsignedPayment): Promise<LapsingTrial> {
  const transfer = checkUnsigned(unsigned);
  const [trial, prices, resources] = await Promise.all([play(http, transfer), readPrices(http), readResources(http, transfer.owner)]);
  if (trial.isReverted) return await explain(http, transfer, trial.returned);
  const energy = energyLimitFor(trial.energy);
  if (transfer.feeLimitSun < trial.energy * prices.energySun)
    return { outcome: "treasury", reason: "Energy has become dearer since the payment was prepared." };
  const missing = missingSun(resources, { energy, rawBytes: unsigned.bytes.length / 2, hasMemo: transfer.memo !== "" }, prices);
  if (missing === 0n) return { outcome: "passes" };
  return { outcome: "treasury", reason: "The treasury holds too little energy and TRX for the chain's fee." };
}

/** Many tokens do not say whom they block: the sender is, when they also refuse what it sends to itself. */
async function explain(http: TronHttp, transfer: TronTransfer, returned: string): Promise<LapsingTrial> {
  const { reason, treasury, blocked } = await explainTokenRevert(returned, transfer.owner);
  if (!blocked || treasury) return { outcome: treasury ? "treasury" : "refused", reason };
  const toItself = await play(http, { ...transfer, recipient: transfer.owner, amountBase: 0n });
  if (!toItself.isReverted) return { outcome: "refused", reason };
  return { outcome: "treasury", reason: "The token's blocklist refuses the treasury's wallet." };
}

type Trial = { isReverted: boolean; energy: bigint; returned: string };

/** Plays a transfer on the newest block. The larger of the node's two estimates counts; many nodes answer only the first. */
async function play(
  http: TronHttp,
  transfer: Pick<TronTransfer, "recipient" | "amountBase" | "token"> & ({ owner: string } | { sender: string }),
): Promise<Trial> {
  const call = {
    owner_address: tronHex("owner" in transfer ? transfer.owner : transfer.sender),
    contract_address: tronHex(transfer.token),
    function_selector: "transfer(address,uint256)",
    parameter: transferCall(transfer).slice(8),
  };
  const [played, estimate] = await Promise.all([
    http.ask(Constant, "triggerconstantcontract", call),
    http.ask(Estimate, "estimateenergy", call).catch(() => null),
  ]);
  if (played.result.code !== undefined && played.result.code !== "SUCCESS")
    throw new Rejected(`${http.name} cannot play the transfer (${played.result.code})`);
  const energy = BigInt(Math.max(played.energy_used, estimate?.energy_required ?? 0));
  if (!isReverted(played) && energy === 0n) throw new Unreachable(`${http.name} does not say how much energy the transfer needs`);
  return { isReverted: isReverted(played), energy, returned: played.constant_result.join("") };
}

async function readPrices(http: TronHttp): Promise<TronPrices> {
  const parameters = await http.ask(Parameters, "getchainparameters");
  const read = (key: string) => {
    const value = parameters.get(key);
    if (value === undefined) throw new Unreachable(`${http.name} does not answer the parameter ${key}`);
    return BigInt(value);
  };
  return {
    energySun: read("getEnergyFee"),
    bandwidthSun: read("getTransactionFee"),
    memoSun: read("getMemoFee"),
    largestFeeLimitSun: read("getMaxFeeLimit"),
  };
}

async function readResources(http: TronHttp, address: string): Promise<TronResources> {
  const [{ balance: balanceSun }, has] = await Promise.all([
    http.ask(Account, "getaccount", { address: tronHex(address) }),
    http.ask(Resource, "getaccountresource", { address: tronHex(address) }),
  ]);
  const left = (limit: number, used: number) => BigInt(Math.max(0, limit - used));
  return {
    balanceSun,
    energy: left(has.EnergyLimit, has.EnergyUsed),
    freeBandwidth: left(has.freeNetLimit, has.freeNetUsed),
    stakedBandwidth: left(has.NetLimit, has.NetUsed),
  };
}

async function balance(http: TronHttp, address: string, token: string | null): Promise<bigint> {
  if (token === null) return (await http.ask(Account, "getaccount", { address: tronHex(address) }, "solid")).balance;
  const call = {
    owner_address: tronHex(address),
    contract_address: tronHex(token),
    function_selector: "balanceOf(address)",
    parameter: hexOfTron(address).slice(2).padStart(64, "0"),
  };
  const { result, constant_result } = await http.ask(Constant, "triggerconstantcontract", call, "solid");
  if (result.code !== undefined) throw new Rejected(`${http.name} knows no token ${token} (${result.code})`);
  const read = z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .safeParse(constant_result[0]);
  if (!read.success) throw new Rejected(`there is no token contract at ${token}`);
  return BigInt(`0x${read.data}`);
}

/** What nodes refuse for reasons of their own. A refusal for any other reason is about the bytes, or about the sender's account. */
const PASSING = new Set(["SERVER_BUSY", "NO_CONNECTION", "NOT_ENOUGH_EFFECTIVE_CONNECTION", "BLOCK_UNSOLIDIFIED", "OTHER_ERROR"]);

/** A node that refused bytes calls them a duplicate from then on, so `known` does not prove that they are on their way. */
async function send(http: TronHttp, raw: string): Promise<"accepted" | "known"> {
  const { result, code, message } = await http.ask(Broadcast, "broadcasthex", { transaction: raw });
  if (result && (code === undefined || code === "SUCCESS")) return "accepted";
  if (code === "DUP_TRANSACTION_ERROR") return "known";
  if (code === undefined || PASSING.has(code)) throw new Unreachable(`${http.name} cannot take the transaction now (${code ?? "no code"})`);
  throw new Rejected(`${http.name} refused the transaction: ${code}${message ? ` (${printable(message)})` : ""}`);
}

function printable(words: string): string {
  return words.replace(/[^\x20-\x7e]/g, " ").slice(0, 120);
}
