import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { listLedgerBalances } from "#db/queries/ledger/ledger-balances.ts";
import type { By } from "#domain/access.ts";
import type { TransferEngine } from "#server/engines/payments/engine.ts";
import { listOpenHalts } from "#server/services/halts/halt-scope.ts";
import { auditDatabase } from "#server/services/ledger/audit-database.ts";
import { keepTreasuryOpen } from "#server/services/ledger/open-treasury.ts";
import { confirmProposal } from "#server/services/proposal-decisions/decide-proposal.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { processOf } from "#testing/database.ts";
import { addProvenPerson } from "#testing/people.ts";
import { type ProxyRule, type RpcProxy, startRpcProxy } from "#testing/rpc-proxy.ts";
import { newAddress, openTransferBench, type TransferBench } from "#testing/transfers.ts";
import { bookLoss } from "./book-loss.ts";
import { declareFunding } from "./declare-funding.ts";
import { settleLines } from "./settle-lines.ts";
import { watchCoin } from "./watch-coin.ts";
import { watchMovements } from "./watch-movements.ts";

const THIEF = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
/** Code for a wallet's address: it pays the amount in the second word to the address in the first, for anyone, as a stolen delegation does. */
const OBEYS = "0x60006000600060006020356000355af100";
const ETHER = 10n ** 18n;

let chain: TestChain;
let bench: TransferBench;
let node: RpcProxy;
let rule: ProxyRule;
let wallet: string;
let worker: TransferEngine;

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
beforeEach(async () => {
  rule = () => "pass";
  node = await startRpcProxy(chain.rpcUrl, (method, params) => rule(method, params));
  await begin([node.url, chain.rpcUrl]);
});
async function begin(rpcUrls: string[]): Promise<void> {
  bench = await openTransferBench(chain, { confirmations: 3, rpcUrls });
  wallet = bench.addresses[0] ?? "";
  worker = bench.newWorker();
  await bench.run(worker, [], 1);
  // The duties begin at the same time, on a young chain: before the books are open, there is nothing to explain.
  await watchCoin({ ...bench.ctx, db: processOf(bench.db, "worker") }, { ...info(), confirmations: 1_000 }, "wallet");
  await chain.mine(4);
  await keepTreasuryOpen(bench.ctx).run();
  expect(await watch()).toBe(false);
}
afterEach(async () => {
  await bench.close();
  await node.stop();
});
afterAll(() => chain.stop());

const info = () => {
  const found = bench.ctx.evm.find(chain.chain);
  if (found === null) throw new Error("there is a chain");
  return found;
};
/** A pass of the duty, with the worker's rights. */
async function watch(on = info(), mostRead?: number): Promise<boolean> {
  const ctx = { ...bench.ctx, db: processOf(bench.db, "worker") };
  await watchMovements(ctx, on, "wallet");
  const more = await watchCoin(ctx, on, "wallet", mostRead);
  await settleLines(ctx, on);
  return more;
}
const hex = (value: bigint) => `0x${value.toString(16)}`;
const word = (value: string) => value.slice(2).toLowerCase().padStart(64, "0");
async function send(transaction: object): Promise<string> {
  return String(await chain.call("eth_sendTransaction", { gas: "0x30d40", ...transaction }));
}
/** Contract code takes coins out of the wallet, without the wallet's nonce. */
async function takeInside(wei: bigint): Promise<void> {
  await chain.call("anvil_setCode", wallet, OBEYS);
  await send({ from: THIEF, to: wallet, data: `0x${word(newAddress())}${word(hex(wei))}` });
}
async function newestHash(): Promise<string> {
  return ((await chain.call("eth_getBlockByNumber", "latest", false)) as { hash: string }).hash;
}
const halts = async () => (await listOpenHalts(bench.ctx)).map(({ scope, cause }) => `${scope.kind} ${cause}`);
/** The lines that are not explained: state, direction, amount, and what names them. */
const suspense = async () =>
  (
    await bench.sql<{ line: string; hash: string }[]>`select concat_ws(' ', state, direction,
      case when place = -1 then 'value' when place = -2 then 'fee' when place < -2 then 'inside' end, amount_base) as line, hash from suspense_lines
    where resolution is null order by block_number, place`
  ).map(({ line, hash }) => [line, hash]);
const balance = async (account: string, currency = "ETH") =>
  (await listLedgerBalances(bench.db)).find((one) => one.account === account && one.currency === currency)?.amount ?? 0n;
async function broken(): Promise<string[]> {
  const { rules } = await auditDatabase({ db: bench.db, evm: bench.ctx.evm });
  return rules.flatMap(({ rule, violations }) => violations.map(({ detail }) => `${rule}: ${detail}`));
}
async function twoPeople(): Promise<[By, By]> {
  return [(await addProvenPerson(bench.db, "admin")).by, (await addProvenPerson(bench.db, "admin")).by];
}
const live = () => ({ ...bench.ctx, chains: bench.ctx.evm, mode: "live" as const });
async function feeOf(hash: string): Promise<bigint> {
  const receipt = (await chain.call("eth_getTransactionReceipt", hash)) as { gasUsed: string; effectiveGasPrice: string };
  return BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice);
}

it("a reorg leads back no further than to where the books begin: what came before is in the opening balance", async () => {
  const snapshot = await chain.call("evm_snapshot");
  await chain.mine(2);
  await watch();
  await chain.call("evm_revert", snapshot);
  await chain.call("evm_increaseTime", 60);
  await chain.mine(3);
  await watch();
  expect(await suspense()).toEqual([]);
  expect((await broken()).filter((one) => one.includes("ETH"))).toEqual([]);
});

it("a node that is wrong once about a balance or a receipt shows no theft, and is read again", async () => {
  const larger = (result: unknown) => `0x${word(hex(BigInt(String(result)) + 250_000n))}`;
  const reverted = (receipt: unknown) => ({ ...(receipt as object), status: "0x0" });
  const isAboutBalances = (method: string, [asked]: unknown[]) =>
    method === "eth_call" && typeof asked === "object" && asked !== null && !("to" in asked);
  const kinds = [
    { is: isAboutBalances, alter: larger },
    { is: (method: string) => method === "eth_getTransactionReceipt", alter: reverted },
  ];
  for (const [kind, { is, alter }] of kinds.entries())
    for (const at of [1, 2, 3, 4]) {
      // Its coins move in the middle of what is read, and some of the chain's newest blocks are empty.
      const own = await bench.enqueuePayment({ currency: "ETH", tokenAddress: null, tokenDecimals: 18, amountBase: ETHER });
      expect(await bench.run(worker, [own.id])).toMatchObject([{ state: "executed" }]);
      await chain.mine(at);
      let questions = 0;
      rule = (method, params) => {
        if (!is(method, params)) return "pass";
        questions += 1;
        return questions === at ? { alter } : "pass";
      };
      const sole = { ...info(), nodes: info().nodes.slice(0, 1) };
      for (const _ of ["wrong", "right", "no new block"]) await watch(sole);
      expect([kind, at, await suspense(), await halts()]).toEqual([kind, at, [], []]);
    }
  rule = () => "pass";
  const deposit = await send({ from: THIEF, to: wallet, value: "0x7" });
  await chain.mine();
  await watch({ ...info(), nodes: info().nodes.slice(0, 1) });
  expect(await suspense()).toEqual([["seen in value 7", deposit]]);
});

it("two answers of a node about the block that is read already do not begin a search without an end", async () => {
  let questions = 0;
  rule = (method) => {
    if (method !== "eth_call") return "pass";
    questions += 1;
    return questions > 50 ? { error: { code: -32005, message: "too many" } } : { alter: () => `0x${word(hex(BigInt(questions)))}` };
  };
  expect(await watch()).toBe(false);
  expect(questions).toBeLessThan(5);
  expect([await suspense(), await halts()]).toEqual([[], []]);
});

it("coins that a thief signs away with the wallet's key are in suspense by their hash, with their fee; two people book the loss", async () => {
  const owed = await bench.enqueuePayment();
  expect(await bench.run(worker, [owed.id])).toMatchObject([{ state: "executed" }]);
  expect(await watch()).toBe(false);
  expect([await suspense(), await halts()]).toEqual([[], []]);

  await chain.call("anvil_impersonateAccount", wallet);
  const hash = await send({ from: wallet, to: newAddress(), value: hex(2n * ETHER) });
  await chain.mine();
  await watch();
  const fee = await feeOf(hash);
  expect(await suspense()).toEqual([
    [`seen out fee ${fee}`, hash],
    [`seen out value ${2n * ETHER}`, hash],
  ]);
  expect((await broken()).filter((one) => one.includes("ETH"))).toEqual([]);
  const held = await bench.enqueuePayment();
  expect(await bench.run(worker, [held.id], 5)).toMatchObject([{ state: "queued" }]);
  expect(await halts()).toEqual(["wallet foreign_nonce"]);
  await Promise.all([watch(), watch()]);
  expect(await balance("suspense")).toBe(2n * ETHER + fee);
  const [ana, ben] = await twoPeople();
  const { proposal } = await bookLoss(live(), { by: ana, chain: chain.chain, hashes: [hash], reason: "stolen" });
  await confirmProposal(live(), { by: ben, id: proposal.id });
  expect([await suspense(), await balance("suspense"), await balance("losses")]).toEqual([[], 0n, 2n * ETHER]);
  await watch();
  expect([await suspense(), (await broken()).filter((one) => one.includes("ETH"))]).toEqual([[], []]);
});

it("a node that gives balances after a block which it is only adding is read again, and nothing is halted", async () => {
  await bench.close();
  await begin([node.url]);
  await chain.mine();
  const head = String(await chain.call("eth_blockNumber"));
  let early = 1;
  rule = (method, params) => {
    if (method !== "eth_call" || params[1] !== head || early === 0) return "pass";
    early -= 1;
    return { alter: (result) => `0x${word(hex(BigInt(String(result)) - 5n))}` };
  };
  await watch();
  expect(early).toBe(0);
  await chain.mine();
  await watch();
  expect([await suspense(), await halts()]).toEqual([[], []]);
});

it("a deposit of the coin is in suspense by its hash, and hides no theft inside a contract call in its block: that has the block's", async () => {
  const treasury = await balance("treasury");
  const deposit = await send({ from: THIEF, to: wallet, value: hex(3n * ETHER) });
  await takeInside(ETHER);
  await chain.mine();
  const block = await newestHash();
  rule = (method) => (method === "eth_call" ? { result: `0x${"0".repeat(64)}` } : "pass");
  await watch();
  rule = () => "pass";
  const moved = (state: string) => [
    [`${state} out inside ${ETHER}`, block],
    [`${state} in value ${3n * ETHER}`, deposit],
  ];
  expect(await suspense()).toEqual(moved("seen"));
  expect(await halts()).toEqual(["wallet unexplained_outflow"]);
  await chain.mine(4);
  await watch();
  expect([await suspense(), await broken()]).toEqual([moved("booked"), []]);
  expect(await balance("treasury")).toBe(treasury + 2n * ETHER);

  const [ana, ben] = await twoPeople();
  const loss = await bookLoss(live(), { by: ana, chain: chain.chain, hashes: [block], reason: "a stolen delegation" });
  await confirmProposal(live(), { by: ben, id: loss.proposal.id });
  const about = { by: ana, chain: chain.chain, hash: deposit, currency: "ETH", amountBase: 3n * ETHER, reason: "our own" };
  const funding = await declareFunding(live(), about);
  await confirmProposal(live(), { by: ben, id: funding.proposal.id });
  await watch();
  expect([await suspense(), await balance("suspense"), await balance("losses"), await broken()]).toEqual([[], 0n, ETHER, []]);
});

it("finds the one block among hundreds in few questions, takes up where it stopped, and reads blocks where old balances are forgotten", async () => {
  let questions = 0;
  rule = (method) => {
    if (method === "eth_call" || method === "eth_getBlockByNumber") questions += 1;
    return "pass";
  };
  const sole = { ...info(), nodes: info().nodes.slice(0, 1) };
  const own = await bench.enqueuePayment({ currency: "ETH", tokenAddress: null, tokenDecimals: 18, amountBase: ETHER });
  expect(await bench.run(worker, [own.id])).toMatchObject([{ state: "executed" }]);
  await chain.mine(300);
  const first = await send({ from: THIEF, to: wallet, value: "0x1" });
  await chain.mine(300);
  await watch(sole);
  expect(await suspense()).toEqual([["booked in value 1", first]]);
  expect(questions).toBeLessThan(45);
  const hashes = [first];
  for (const value of ["0x2", "0x3", "0x4"]) {
    hashes.push(await send({ from: THIEF, to: wallet, value }));
    await chain.mine();
  }
  expect([await watch(sole, 2), (await suspense()).map(([, hash]) => hash)]).toEqual([true, hashes.slice(0, 3)]);
  expect([await watch(sole, 2), (await suspense()).map(([, hash]) => hash)]).toEqual([false, hashes]);
  const more = await send({ from: THIEF, to: wallet, value: "0x5" });
  await chain.mine(50);
  rule = (method) => (method === "eth_call" ? { error: { code: -32000, message: "missing trie node" } } : "pass");
  expect([await watch(sole), (await suspense()).map(([, hash]) => hash)]).toEqual([false, hashes]);
  await chain.mine(60);
  expect([await watch(sole), (await suspense()).map(([, hash]) => hash)]).toEqual([true, [...hashes, more]]);
});

it("a reorg takes a theft away, and another block brings it back with another fee", async () => {
  await chain.call("anvil_impersonateAccount", wallet);
  const before = await balance("treasury");
  const snapshot = await chain.call("evm_snapshot");
  const transaction = { from: wallet, to: newAddress(), value: "0x7", maxFeePerGas: hex(90n * 10n ** 9n), maxPriorityFeePerGas: "0x1" };
  await chain.call("anvil_setNextBlockBaseFeePerGas", hex(50n * 10n ** 9n));
  const hash = await send(transaction);
  await takeInside(9n);
  await chain.mine();
  await watch();
  const dear = await feeOf(hash);
  await chain.call("evm_revert", snapshot);
  await chain.call("anvil_setNextBlockBaseFeePerGas", hex(20n * 10n ** 9n));
  expect(await send(transaction)).toBe(hash);
  await chain.mine(5);
  await watch();
  await watch();
  const fee = await feeOf(hash);
  expect(fee).not.toBe(dear);
  expect((await suspense()).map(([line]) => line).toSorted()).toEqual([`booked out fee ${fee}`, "booked out value 7", "gone out inside 9"]);
  expect(await balance("treasury")).toBe(before - 7n - fee);
  expect((await broken()).filter((one) => one.includes("ETH"))).toEqual([]);
});

it("the operator fee of an OP Stack chain follows from the receipt, is booked with the rest, and nothing is in suspense", async () => {
  // A node of such a chain: it says the parameters in each receipt, and its balances have the fee taken off.
  const charged = new Map<string, { height: number; fee: bigint }>();
  let parameters: Record<string, string> = {};
  const charge = (receipt: unknown) => {
    const { from, gasUsed, blockNumber, transactionHash } = receipt as Record<string, string>;
    if (from?.toLowerCase() !== wallet.toLowerCase()) return receipt;
    const scaled = BigInt(gasUsed ?? 0) * 3_000_000n;
    const fee = (parameters.daFootprintGasScalar === undefined ? scaled / 1_000_000n : scaled * 100n) + 7n;
    const known = charged.get(transactionHash ?? "");
    if (known === undefined) charged.set(transactionHash ?? "", { height: Number(blockNumber), fee });
    return { ...(receipt as object), ...parameters };
  };
  const takenAt = (at: unknown) =>
    [...charged.values()].reduce((sum, { height, fee }) => (at === "latest" || Number(at) >= height ? sum + fee : sum), 0n);
  const less = (at: unknown) => (result: unknown) => `0x${(BigInt(String(result)) - takenAt(at)).toString(16).padStart(64, "0")}`;
  await bench.close();
  await begin([node.url]);
  rule = (method, params) => {
    if (method === "eth_getTransactionReceipt") return { alter: (result) => (result === null ? null : charge(result)) };
    if (method === "eth_getBlockReceipts") return { alter: (result) => (result as unknown[]).map(charge) };
    if (method === "eth_getBalance") return { alter: less(params[1]) };
    const [call, at] = params as [{ to?: string } | undefined, unknown];
    return method === "eth_call" && call?.to === undefined ? { alter: less(at) } : "pass";
  };
  const isthmus = { operatorFeeScalar: hex(3_000_000n), operatorFeeConstant: "0x7" };
  let fees = 0n;
  for (const [place, these] of [isthmus, { ...isthmus, daFootprintGasScalar: "0x190" }].entries()) {
    parameters = these;
    const owed = await bench.enqueuePayment();
    const [paid] = await bench.run(worker, [owed.id]);
    expect(paid?.state).toBe("executed");
    const own = [...charged].find(([hash]) => hash === paid?.txHash);
    fees += (await feeOf(paid?.txHash ?? "")) + (own?.[1].fee ?? 0n);
    expect([place, await balance("network_fees")]).toEqual([place, fees]);
    await chain.mine(4);
    await watch();
    expect([place, await suspense(), await halts()]).toEqual([place, [], []]);
  }
  expect((await broken()).filter((one) => one.includes("ETH"))).toEqual([]);
});
