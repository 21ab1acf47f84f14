import { afterEach, describe, expect, it } from "vitest";
import { listLedgerBalances } from "#db/queries/ledger/ledger-balances.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import { keepTreasuryOpen } from "#server/services/ledger/open-treasury.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { chainEngine } from "#testing/chain-engine.ts";
import { type OpStackNode, startOpStackNode } from "#testing/op-stack-node.ts";
import { type BenchOptions, openTransferBench, type TransferBench } from "#testing/transfers.ts";

const GWEI = 10n ** 9n;
/** In `npm run test:engines`, as many as it takes to see each step of a rise. */
const COUNT = chainEngine() === "optimism" ? 300 : 60;

let chain: TestChain;
let bench: TransferBench;
let rollup: OpStackNode | null = null;

afterEach(async () => {
  await bench.close();
  await rollup?.stop();
  rollup = null;
  await chain.stop();
});

async function setUp(options: BenchOptions = {}) {
  bench = await openTransferBench(chain, options);
  const worker = bench.newWorker();
  await bench.run(worker, [], 1); // the worker registers its wallets
  await chain.mine(4);
  await keepTreasuryOpen(bench.ctx).run();
  return worker;
}

const enqueue = (count: number) => Promise.all(Array.from({ length: count }, () => bench.enqueuePayment()));
const statesOf = async (ids: readonly string[]) => Object.groupBy(await Promise.all(ids.map(bench.transfer)), ({ state }) => state);

/** Each was paid once, and the coin that is gone is booked as fees, to the wei. */
async function expectPaid(payments: readonly { id: string; recipient: string; amountBase: bigint }[]) {
  for (const { recipient, amountBase } of payments) expect(await bench.tokenBalance(recipient)).toBe(amountBase);
  const [wallet = ""] = bench.addresses;
  const gone = 100n * 10n ** 18n - (await bench.etherBalance(wallet));
  const balances = await listLedgerBalances(bench.db);
  const fees = balances.find(({ account, currency }) => account === "network_fees" && currency === "ETH")?.amount ?? 0n;
  expect(fees).toBe(gone);
  return fees;
}

describe("fees that rise while payments are made", () => {
  it("keep payments above the cap waiting with the reason, and all are paid once the base fee is back", async () => {
    chain = await startTestChain({ noMining: true });
    const setBaseFee = (gwei: bigint) => chain.call("anvil_setNextBlockBaseFeePerGas", `0x${(gwei * GWEI).toString(16)}`);
    await setBaseFee(2n);
    await chain.mine();
    const worker = await setUp({ maxFeePerGasGwei: 20, bumpAfterSeconds: 1 });
    const payments = await enqueue(12);
    const ids = payments.map(({ id }) => id);
    // Ten blocks to twenty times the base fee, and two that stay there.
    for (const gwei of [4n, 8n, 12n, 16n, 20n, 24n, 28n, 32n, 36n, 40n, 40n, 40n]) {
      payments.push(...(await enqueue(1)));
      await runTransfersOnce(worker, chain.chain);
      await setBaseFee(gwei);
      await chain.mine();
    }
    ids.push(...payments.slice(12).map(({ id }) => id));
    await runTransfersOnce(worker, chain.chain);
    const waiting = (await statesOf(ids)).queued ?? [];
    expect(waiting.length).toBeGreaterThan(0);
    expect([...new Set(waiting.map(({ waitingReason }) => waitingReason))]).toEqual([expect.stringMatching(/40.*cap|cap.*40|above/)]);
    for (const gwei of [20n, 8n, 2n]) {
      await setBaseFee(gwei);
      await bench.run(worker, ids, 1);
    }
    const executed = async () => (await statesOf(ids)).executed?.length;
    for (let round = 0; round < 20 && (await executed()) !== payments.length; round += 1) {
      await setBaseFee(2n);
      await bench.run(worker, ids, 2);
    }
    expect(await executed()).toBe(payments.length);
    await expectPaid(payments);
  });

  it("are booked to the wei when the fee for data grows tenfold in the middle of many payments, of which none fails", async () => {
    chain = await startTestChain({ engine: "optimism" });
    rollup = await startOpStackNode(chain);
    await rollup.setPrice(5n * GWEI);
    const worker = await setUp({ dataFee: "op-stack", rpcUrls: [rollup.url] });
    const before = await rollup.taken();
    // Half of them are paid at the price before, and what is signed already then meets the other one.
    const payments = await enqueue(COUNT / 2);
    await runTransfersOnce(worker, chain.chain);
    const cheap = (await rollup.taken()) - before;
    payments.push(...(await enqueue(COUNT / 2)));
    await rollup.setPrice(50n * GWEI);
    const ids = payments.map(({ id }) => id);
    await bench.run(worker, ids, 20);
    expect((await statesOf(ids)).executed?.length).toBe(COUNT);
    const fees = await expectPaid(payments);
    const data = (await rollup.taken()) - before;
    expect(data - cheap).toBeGreaterThan(8n * cheap);
    expect(fees).toBeGreaterThan(data);
  });
});
