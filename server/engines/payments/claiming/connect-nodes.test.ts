import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { TransferEngine } from "#server/engines/payments/engine.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { type RpcProxy, startRpcProxy } from "#testing/rpc-proxy.ts";
import { openTransferBench, type TransferBench } from "#testing/transfers.ts";
import { connectChains, connectNodes } from "./connect-nodes.ts";
import { headsDuty } from "./heads-duty.ts";

/** Longer than any test: anyone who waits for it hangs. */
const FOR_EVER_MS = 600_000;
const PATIENT = { timeout: 30_000 };

let chain: TestChain;
let bench: TransferBench;
let node: RpcProxy;
beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
afterEach(async () => {
  await node.stop();
  await bench.close();
});
afterAll(() => chain.stop());

async function setUp(): Promise<{ worker: TransferEngine; heard: string[] }> {
  node = await startRpcProxy(chain.rpcUrl);
  bench = await openTransferBench(chain, { rpcUrls: [node.url], rpcTimeoutMs: FOR_EVER_MS });
  const heard: string[] = [];
  const meter = { ...bench.ctx.meter, chainHead: (note: { chain: string }) => void heard.push(note.chain) };
  return { worker: bench.newWorker({ ctx: { ...bench.ctx, meter } }), heard };
}

describe("asking how the chains are", () => {
  it("waits for no node, and asks a silent one again only when it has answered", async () => {
    const { worker, heard } = await setUp();
    const { run } = headsDuty(worker);
    const signal = new AbortController().signal;
    let questions = 0;
    node.delayMs = 200;
    node.mishap = () => {
      questions += 1;
      return null;
    };
    await run(signal);
    await run(signal);
    await expect.poll(() => heard, PATIENT).toEqual([chain.chain]);
    const once = questions;
    await expect.poll(() => run(signal).then(() => heard.length), PATIENT).toBe(2);
    expect(once).toBeLessThanOrEqual(4); // the chain's id and its kind of gas, asked once, and the block
    expect(questions).toBe(once + 1);
  });
});

describe("hearing every chain once", () => {
  it("ends when each has reported its head, however slow", async () => {
    const { worker, heard } = await setUp();
    node.delayMs = 200;
    await connectChains(worker, FOR_EVER_MS);
    expect(heard).toEqual([chain.chain]);
  });

  it("goes on without a node that keeps silent, long before that one is given up, and is reported as no trouble", async () => {
    const { worker, heard } = await setUp();
    node.mishap = () => "stall";
    const [found] = worker.ctx.evm.list();
    if (found === undefined) throw new Error("the bench has a chain");
    const givenUp = connectNodes(worker, found).catch(() => {});
    expect(await Promise.race([connectChains(worker, 50).then(() => "goes on"), givenUp.then(() => "gave up")])).toBe("goes on");
    expect(heard).toEqual([]);
  });
});
