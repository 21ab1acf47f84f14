import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { SimulatedWallet } from "#domain/simulated-wallet.ts";
import { CONFIRMATIONS } from "#sandbox/chain/anvil.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { openTransferBench, type TransferBench } from "#testing/transfers.ts";
import { type SteeredNode, startSteeredNode } from "./steered-node.ts";

let chain: TestChain;
let node: SteeredNode;
let bench: TransferBench;

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
afterEach(async () => {
  await bench.close();
  await node.stop();
});
afterAll(async () => {
  await chain.stop();
});

async function setUp(options: { bumpAfterSeconds?: number } = {}): Promise<void> {
  node = await startSteeredNode(chain.rpcUrl);
  bench = await openTransferBench(chain, { rpcUrls: [node.url], confirmations: CONFIRMATIONS, ...options });
}

/** Addresses of this ending are the same in every run but for their middle, which is the test's own. */
function walletOf(ending: SimulatedWallet, own: string): `0x${string}` {
  return `0x${own.padEnd(34, "0")}${ending}`;
}

it("an address that asks for nothing is paid with its first transaction", async () => {
  await setUp();
  const owed = await bench.enqueuePayment();
  await bench.run(bench.newWorker(), [owed.id]);
  expect(await bench.transfer(owed.id)).toMatchObject({ state: "executed" });
  expect((await bench.transaction(owed.id)).attempts).toHaveLength(1);
});

it("what is stuck is paid once, by a further attempt that offers more", async () => {
  await setUp({ bumpAfterSeconds: 0 });
  const recipient = walletOf("999953", "a1");
  const owed = await bench.enqueuePayment({ recipient });
  await bench.run(bench.newWorker(), [owed.id], 30);
  expect(await bench.transfer(owed.id)).toMatchObject({ state: "executed" });
  const { attempts } = await bench.transaction(owed.id);
  const [first, second] = attempts;
  expect(attempts.length).toBeGreaterThan(1);
  expect(second && first && second.maxFeePerGas > first.maxFeePerGas).toBe(true);
  expect(await chain.call("eth_getTransactionByHash", first?.hash)).toBeNull();
  expect(await bench.tokenBalance(recipient)).toBe(owed.amountBase);
});

it("what is dropped once is paid once", async () => {
  await setUp();
  const recipient = walletOf("999954", "a2");
  const owed = await bench.enqueuePayment({ recipient });
  await bench.run(bench.newWorker(), [owed.id], 30);
  expect(await bench.transfer(owed.id)).toMatchObject({ state: "executed" });
  expect(bench.moves.filter((move) => move === "mined broadcast")).toHaveLength(1);
  expect(await bench.tokenBalance(recipient)).toBe(owed.amountBase);
});

it("a node that is away is no node that answers", async () => {
  await setUp();
  const away = await startSteeredNode("http://127.0.0.1:1");
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_blockNumber", params: [] });
  await expect(fetch(away.url, { method: "POST", body })).rejects.toThrow();
  await away.stop();
});
