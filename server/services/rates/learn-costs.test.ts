import { afterAll, beforeAll, expect, it } from "vitest";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { startRpcProxy } from "#testing/rpc-proxy.ts";
import { type BenchOptions, openTransferBench, type TransferBench } from "#testing/transfers.ts";
import { learnCosts } from "./estimate-cost.ts";
import { recallCost } from "./recent-costs.ts";

let chain: TestChain;
const closing: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(async () => {
  for (const close of closing.reverse()) await close();
  await chain.stop();
});

/** With a worker that has entered its wallet. */
async function setUp(options: BenchOptions = {}): Promise<TransferBench> {
  const bench = await openTransferBench(chain, options);
  closing.push(() => bench.close());
  await runTransfersOnce(bench.newWorker(), chain.chain);
  return bench;
}

const costsOf = ({ ctx, addresses: [walletAddress] }: TransferBench) =>
  ["USDT", "USDC"].map((destinationCurrency) =>
    recallCost(ctx.chains, { chain: chain.chain, destinationCurrency, walletAddress: walletAddress ?? "" }),
  );

it("a process knows before its first quote what a payment to a holder of each token costs", async () => {
  const bench = await setUp();
  expect(costsOf(bench)).toEqual([null, null]);
  await learnCosts(bench.ctx);
  for (const cost of costsOf(bench)) expect(cost?.amountBase).toBeGreaterThan(0n);
});

it("and goes on without it where no node answers", async () => {
  let isAway = false;
  const node = await startRpcProxy(chain.rpcUrl, () => (isAway ? "swallow" : "pass"));
  closing.push(() => node.stop());
  const bench = await setUp({ rpcUrls: [node.url], rpcTimeoutMs: 60_000 });
  isAway = true;
  await learnCosts(bench.ctx);
  expect(costsOf(bench)).toEqual([null, null]);
});
