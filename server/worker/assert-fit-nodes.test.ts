import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { COIN_AS_TOKEN, type GasKind } from "#domain/gas.ts";
import type { LapsingChain, LapsingNode } from "#domain/lapsing-chain.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { type RpcProxy, startRpcProxy } from "#testing/rpc-proxy.ts";
import { NO_LAPSING_CHAINS } from "#testing/surface.ts";
import { openTransferBench, type TransferBench } from "#testing/transfers.ts";
import { assertFitNodes } from "./assert-fit-nodes.ts";

let chain: TestChain;
let bench: TransferBench;
let proxy: RpcProxy;
beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
afterEach(async () => {
  await chain.call("anvil_setCode", COIN_AS_TOKEN, "0x");
  await proxy.stop();
  await bench.close();
});
afterAll(() => chain.stop());

const start = (patienceMs?: number) => assertFitNodes({ evm: bench.ctx.evm, lapsing: NO_LAPSING_CHAINS, mode: "sandbox" }, patienceMs);

describe("a node that contradicts the settings", () => {
  it.each<{ shown: GasKind; set: GasKind }>([
    { shown: "same-as-token", set: "coin" },
    { shown: "coin", set: "same-as-token" },
    { shown: "token", set: "coin" },
  ])("refuses the start where gas is $shown and set as $set, and pays nothing later either", async ({ shown, set }) => {
    if (shown === "same-as-token") await chain.call("anvil_setCode", COIN_AS_TOKEN, "0x00");
    // Tempo answers the same figure for every address.
    const rule = (method: string) => (method === "eth_getBalance" && shown === "token" ? { result: "0x4242" } : "pass");
    proxy = await startRpcProxy(chain.rpcUrl, rule);
    bench = await openTransferBench(chain, { gas: set, rpcUrls: [proxy.url] });
    const sentence = `shows that the gas of ${chain.chain} is ${shown}, and its settings say ${set}`;
    await expect(start()).rejects.toMatchObject({ name: "ConfigError", problems: [expect.stringContaining(sentence)] });
    const owed = await bench.enqueuePayment();
    await bench.run(bench.newWorker(), [owed.id], 2);
    expect(await bench.transfer(owed.id)).toMatchObject({ state: "queued", waitingReason: "No node of Test chain can be reached." });
  });

  it("refuses the start where a node is of another chain, and names each", async () => {
    proxy = await startRpcProxy(chain.rpcUrl, (method) => (method === "eth_chainId" ? { result: "0x1" } : "pass"));
    bench = await openTransferBench(chain, { rpcUrls: [chain.rpcUrl, proxy.url] });
    await expect(start()).rejects.toMatchObject({ problems: [expect.stringContaining("is a node of chain 1, not of 31337")] });
  });

  it("refuses the start where payments lapse and a node is of another network, and in live mode where it says that it is a double", async () => {
    proxy = await startRpcProxy(chain.rpcUrl);
    bench = await openTransferBench(chain);
    const says = (name: string, identity: string, double: string | null) =>
      ({ name, identity: async () => identity, double: async () => double }) as unknown as LapsingNode;
    const tron = {
      chain: "tron:0x2b6653dc",
      identity: "0x2b6653dc",
      nodes: [says("one:1", "0xcd8690dc", null), says("two:2", "0x2b6653dc", "double of a node"), says("three:3", "0x2b6653dc", null)],
    } as unknown as LapsingChain;
    const lapsing = { list: () => [tron], find: () => null };
    const evm = bench.ctx.evm;
    const other = "CHAINS: one:1 is a node of 0xcd8690dc, not of 0x2b6653dc (tron:0x2b6653dc).";
    await expect(assertFitNodes({ evm, lapsing, mode: "sandbox" })).rejects.toMatchObject({ problems: [other] });
    const double = 'CHAINS: two:2 says that it is "double of a node", where live mode never pays (tron:0x2b6653dc).';
    await expect(assertFitNodes({ evm, lapsing, mode: "live" })).rejects.toMatchObject({ problems: [other, double] });
  });

  it("starts where the nodes agree, and where one is silent, without waiting for it", async () => {
    proxy = await startRpcProxy(chain.rpcUrl);
    proxy.mishap = () => "stall";
    bench = await openTransferBench(chain, { rpcUrls: [chain.rpcUrl, proxy.url], rpcTimeoutMs: 600_000 });
    await expect(start(50)).resolves.toBeUndefined();
  });
});
