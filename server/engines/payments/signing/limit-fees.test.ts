import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { setClockOffset } from "#testing/factories.ts";
import { type RpcProxy, startRpcProxy } from "#testing/rpc-proxy.ts";
import { openTransferBench, type TransferBench } from "#testing/transfers.ts";

let chain: TestChain;
let bench: TransferBench;

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
afterEach(() => bench.close());
afterAll(() => chain.stop());

const USDT = 1_000_000n;
/** What its partner reads. */
const kindOf = async (id: string) =>
  (await bench.sql<{ kind: string }[]>`select waiting_kind as kind from transfers where id = ${id}`)[0]?.kind;

describe("a payment whose fee is too large a share of it", () => {
  let node: RpcProxy;
  afterEach(() => node.stop());

  it("waits with a sentence, lets larger ones pass, and is paid by itself once the fee has fallen", async () => {
    node = await startRpcProxy(chain.rpcUrl);
    bench = await openTransferBench(chain, { rpcUrls: [node.url], coinValue: { USDT: 3_000 }, maxFeePercent: 10 });
    // A base fee of 1,000 gwei: a transfer of about 100,000 gas costs 0.1 ETH, which is 300 USDT.
    node.rule = (method) =>
      method === "eth_getBlockByNumber" ? { alter: (block) => ({ ...(block as object), baseFeePerGas: "0xe8d4a51000" }) } : "pass";
    const small = await bench.enqueuePayment({ amountBase: 100n * USDT });
    const large = await bench.enqueuePayment({ amountBase: 100_000n * USDT });
    const worker = bench.newWorker();
    await bench.run(worker, [large.id]);
    expect(await bench.transfer(large.id)).toMatchObject({ state: "executed" });
    const waiting = await bench.transfer(small.id);
    expect([waiting.state, await kindOf(small.id)]).toEqual(["queued", "chain_unavailable"]);
    expect(waiting.waitingReason).toMatch(
      /^The network's fee, about 0\.\d+ ETH, is more than 10\.00 % of the payment: it waits for a lower one\.$/,
    );
    expect(await bench.tokenBalance(small.recipient)).toBe(0n);
    node.rule = () => "pass";
    await bench.run(worker, [small.id]);
    expect(await bench.transfer(small.id)).toMatchObject({ state: "executed", waitingReason: null });
    expect(await bench.tokenBalance(small.recipient)).toBe(100n * USDT);
  });
});

describe("the budget for fees", () => {
  /** With room for about three payments at most at once, however many there are. */
  const budget = async () => {
    const { baseFeePerGas } = (await chain.call("eth_getBlockByNumber", "latest", false)) as { baseFeePerGas: string };
    const each = 100_000n * (2n * BigInt(baseFeePerGas) + 2n * 10n ** 9n);
    return Number(each * 3n) / 1e18;
  };
  const states = async (ids: readonly string[]) => (await Promise.all(ids.map(bench.transfer))).map(({ state }) => state);

  it("is kept by many payments at once, pass by pass, and has room again an hour later", async () => {
    bench = await openTransferBench(chain, { feeBudgetPerHour: await budget() });
    const ids: string[] = [];
    for (let number = 0; number < 12; number += 1) ids.push((await bench.enqueuePayment()).id);
    const worker = bench.newWorker();
    await runTransfersOnce(worker, chain.chain);
    const first = (await states(ids)).filter((state) => state !== "queued").length;
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThan(6);
    const [waiting] = (await Promise.all(ids.map(bench.transfer))).filter(({ state }) => state === "queued");
    expect(await kindOf(waiting?.id ?? "")).toBe("chain_unavailable");
    expect(waiting?.waitingReason).toContain("has spent this hour's budget for the network's fees");
    // What is final counts by its real cost, so there is room again, and an end to it.
    await bench.run(worker, ids, 12);
    const spent = (await states(ids)).filter((state) => state === "executed").length;
    expect(spent).toBeGreaterThanOrEqual(first);
    const used = await bench.sql<{ fee: string }[]>`select coalesce(sum(fee_base), 0)::text as fee from network_fees`;
    expect(Number(used[0]?.fee) / 1e18).toBeLessThanOrEqual((await budget()) + 1e-12);
    await setClockOffset(bench.db, 3_700_000);
    for (let hour = 2; hour < 8 && (await states(ids)).includes("queued"); hour += 1) {
      await bench.run(worker, ids, 12);
      await setClockOffset(bench.db, hour * 3_700_000);
    }
    expect(new Set(await states(ids))).toEqual(new Set(["executed"]));
  });
});
