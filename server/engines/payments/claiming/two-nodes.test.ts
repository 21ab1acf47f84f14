import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { type ProxyRule, type RpcProxy, startRpcProxy } from "#testing/rpc-proxy.ts";
import { type BenchOptions, openTransferBench, type TransferBench } from "#testing/transfers.ts";

let chain: TestChain;
let bench: TransferBench;
let node: RpcProxy;
let witness: RpcProxy;

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
afterEach(async () => {
  await bench.close();
  await Promise.all([node.stop(), witness.stop()]);
});
afterAll(async () => {
  await chain.stop();
});

/** Two nodes of one chain, or the first alone, that misbehave as the test sets them. */
async function setUp(options: BenchOptions = {}, nodes = 2) {
  [node, witness] = [await startRpcProxy(chain.rpcUrl), await startRpcProxy(chain.rpcUrl)];
  bench = await openTransferBench(chain, { rpcUrls: [node.url, witness.url].slice(0, nodes), ...options });
}

async function expectPaidOnce({ id, recipient, amountBase }: Awaited<ReturnType<TransferBench["enqueuePayment"]>>): Promise<void> {
  expect(await bench.transfer(id)).toMatchObject({ state: "executed", failureReason: null, waitingReason: null });
  expect(await bench.tokenBalance(recipient)).toBe(amountBase);
  expect(await bench.finals(id)).toBe(1);
}

const REFUSED: ProxyRule = (method, params) => {
  const isPayment = method === "eth_call" && JSON.stringify(params).includes("0xa9059cbb");
  return isPayment ? { error: { code: 3, message: "execution reverted: no" } } : "pass";
};

/** A node on a fork of its own: each block that is asked for by its number is another one there. */
const forked: ProxyRule = (method, [at]) =>
  method === "eth_getBlockByNumber" && at !== "latest" && at !== "finalized" ? { result: otherBlock(Number(at)) } : "pass";

function otherBlock(height: number): object {
  const hash = `0x${"f".repeat(64)}`;
  return { number: `0x${height.toString(16)}`, hash, parentHash: hash, timestamp: "0x1", baseFeePerGas: "0x1", transactions: [] };
}

describe("nodes that do not answer", () => {
  it("are written once each, and the chain once, however often they are asked, and once when they answer again", async () => {
    await setUp();
    const worker = bench.newWorker();
    const rounds = async () => {
      for (let round = 0; round < 10; round += 1) await runTransfersOnce(worker, chain.chain);
    };
    await rounds();
    expect(bench.lines).toEqual([]);
    node.rule = () => "refuse";
    await rounds();
    witness.rule = () => "refuse";
    await rounds();
    const silent = { level: "warn", message: "a node does not answer as it should" };
    expect(bench.lines).toEqual([silent, silent, { level: "warn", message: "a chain is unavailable" }]);
    [node.rule, witness.rule] = [() => "pass", () => "pass"];
    await rounds();
    const answers = { level: "info", message: "a node answers again" };
    expect(bench.lines.slice(3)).toEqual([answers, answers, { level: "info", message: "a chain is available again" }]);
  });
});

describe("a refusal that was only simulated", () => {
  it("waits for a second node that is silent, whether it always was or falls silent now, and is final with its word", async () => {
    await setUp();
    node.rule = REFUSED;
    witness.rule = () => "refuse";
    const owed = await bench.enqueuePayment();
    const worker = bench.newWorker();
    await bench.run(worker, [owed.id], 3);
    const waits = { state: "queued", waitingReason: expect.stringContaining("A second node must confirm that") };
    expect(await bench.transfer(owed.id)).toMatchObject(waits);
    witness.rule = (method) => (method === "eth_call" || method === "eth_estimateGas" ? "refuse" : "pass");
    await bench.run(worker, [owed.id], 3);
    expect(await bench.transfer(owed.id)).toMatchObject(waits);
    witness.rule = REFUSED;
    const [failed] = await bench.run(worker, [owed.id]);
    expect(failed).toMatchObject({ state: "failed", failureReason: expect.stringContaining(`"no"`) });
  });

  it("is none where a single node gives it once or twice, and is final at its third head", async () => {
    await setUp({}, 1);
    const worker = bench.newWorker();
    for (const times of [1, 2]) {
      let left = times;
      node.rule = (...request) => {
        const answer = left > 0 ? REFUSED(...request) : "pass";
        if (answer !== "pass") left -= 1;
        return answer;
      };
      const owed = await bench.enqueuePayment();
      await bench.run(worker, [owed.id]);
      expect(left).toBe(0);
      await expectPaidOnce(owed);
    }
    node.rule = REFUSED;
    const refused = await bench.enqueuePayment();
    for (let pass = 0; pass < 5; pass += 1) await runTransfersOnce(worker, chain.chain);
    expect(await bench.transfer(refused.id)).toMatchObject({ state: "queued", waitingReason: expect.stringContaining("must repeat") });
    const [failed] = await bench.run(worker, [refused.id]);
    expect(failed).toMatchObject({ state: "failed", failureReason: expect.stringContaining(`"no"`) });
    expect(await bench.tokenBalance(refused.recipient)).toBe(0n);
  });

  it("is none where the second node pays", async () => {
    await setUp();
    node.rule = REFUSED;
    const owed = await bench.enqueuePayment();
    const worker = bench.newWorker();
    await bench.run(worker, [owed.id], 3);
    expect(await bench.transfer(owed.id)).toMatchObject({ state: "queued", waitingReason: expect.stringContaining("nodes disagree") });
    node.rule = () => "pass";
    await bench.run(worker, [owed.id]);
    await expectPaidOnce(owed);
  });
});

describe("what ends a payment", () => {
  it("is not one node's fork, however small the amount: nothing is executed while a second node has another block there", async () => {
    await setUp();
    const owed = await bench.enqueuePayment();
    const worker = bench.newWorker();
    witness.rule = forked;
    await bench.run(worker, [owed.id], 8);
    expect(await bench.transfer(owed.id)).toMatchObject({ state: "mined", waitingReason: expect.stringContaining("nodes disagree") });
    expect(await bench.finals(owed.id)).toBe(0);
    witness.rule = () => "pass";
    await bench.run(worker, [owed.id]);
    await expectPaidOnce(owed);
  });

  it("is one node's word for a small payment while the other is silent, and never for a large one", async () => {
    await setUp({ twoNodesFrom: { USDT: 20 } });
    witness.rule = () => "refuse";
    const [small, large] = [
      await bench.enqueuePayment({ amountBase: 19_999_999n }),
      await bench.enqueuePayment({ amountBase: 20_000_000n }),
    ];
    const worker = bench.newWorker();
    await bench.run(worker, [small.id, large.id], 8);
    await expectPaidOnce(small);
    expect(await bench.transfer(large.id)).toMatchObject({
      state: "mined",
      waitingReason: expect.stringContaining("A second node must confirm"),
    });
    witness.rule = () => "pass";
    await bench.run(worker, [large.id]);
    await expectPaidOnce(large);
  });

  it("is no large payment that the second node has in a block, but not deep enough yet", async () => {
    await setUp({ twoNodesFrom: { USDT: 0 }, confirmations: 3 });
    const owed = await bench.enqueuePayment();
    const worker = bench.newWorker();
    await bench.run(worker, [owed.id], 2);
    const { blockNumber } = await bench.transfer(owed.id);
    const shallow = await chain.call("eth_getBlockByNumber", `0x${Number(blockNumber).toString(16)}`, false);
    witness.rule = (method, [at]) => (method === "eth_getBlockByNumber" && at === "latest" ? { result: shallow } : "pass");
    await bench.run(worker, [owed.id], 6);
    expect((await bench.transfer(owed.id)).state).toBe("mined");
    witness.rule = () => "pass";
    await bench.run(worker, [owed.id]);
    await expectPaidOnce(owed);
  });

  it("is no failure that the second node's receipt contradicts", async () => {
    await setUp();
    const owed = await bench.enqueuePayment();
    const worker = bench.newWorker();
    await bench.run(worker, [owed.id], 2);
    const { txHash } = await bench.transfer(owed.id);
    const receipt = (await chain.call("eth_getTransactionReceipt", txHash)) as object;
    node.rule = (method) => (method === "eth_getTransactionReceipt" ? { result: { ...receipt, status: "0x0", logs: [] } } : "pass");
    await bench.run(worker, [owed.id], 6);
    expect(await bench.transfer(owed.id)).toMatchObject({ state: "mined", waitingReason: expect.stringContaining("nodes disagree") });
    node.rule = () => "pass";
    await bench.run(worker, [owed.id]);
    await expectPaidOnce(owed);
  });

  it("is at no fee that the second node's receipt contradicts", async () => {
    await setUp();
    const owed = await bench.enqueuePayment();
    const worker = bench.newWorker();
    await bench.run(worker, [owed.id], 2);
    const dearer = (result: unknown) => ({ ...(result as object), effectiveGasPrice: "0x174876e800" });
    node.rule = (method) => (method === "eth_getTransactionReceipt" ? { alter: dearer } : "pass");
    await bench.run(worker, [owed.id], 6);
    expect(await bench.transfer(owed.id)).toMatchObject({ state: "mined", waitingReason: expect.stringContaining("nodes disagree") });
    node.rule = () => "pass";
    await bench.run(worker, [owed.id]);
    await expectPaidOnce(owed);
  });
});
