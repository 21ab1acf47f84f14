import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "#db/client.ts";
import { listLedgerBalances } from "#db/queries/ledger/ledger-balances.ts";
import { insertLedgerEntry } from "#db/queries/ledger/ledger-entries.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { findPayment } from "#db/queries/settlements/settlement-story.ts";
import { networkFeePaid } from "#domain/ledger.ts";
import { Receipt } from "#server/adapters/chain/evm/node-answers.ts";
import { renderPayment } from "#server/console/settlement-rows.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import { cancelTransfer } from "#server/services/treasury/cancel-transfer.ts";
import { resolveReview } from "#server/services/treasury/resolve-review.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { openTamperer } from "#testing/tamper.ts";
import { newAddress, openTransferBench, type TransferBench } from "#testing/transfers.ts";
import { findAnsweringNode } from "./answering-chain.ts";
import { auditDatabase } from "./audit-database.ts";
import { bookMissedFees } from "./book-missed-fees.ts";
import { correctNetworkFee, takeBackNetworkFees } from "./book-network-fee.ts";
import { keepTreasuryOpen } from "./open-treasury.ts";

const order = {
  by: { actor: { type: "operator_key", apiKeyId: "00000000-0000-4000-8000-000000000001" } as const, requestId: null },
  reason: "because of a test",
};

let chain: TestChain;
let bench: TransferBench;

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
afterEach(() => bench.close());
afterAll(() => chain.stop());

async function setUp() {
  bench = await openTransferBench(chain);
  const worker = bench.newWorker();
  await bench.run(worker, [], 1); // the worker registers its wallets
  await chain.mine(4);
  await keepTreasuryOpen(bench.ctx).run();
  return worker;
}

/** As the database's owner could, and undone again. */
async function tamper<Seen>(change: string, whileTampered: (tx: Database) => Promise<Seen>): Promise<Seen> {
  const tamperer = openTamperer(bench.url);
  return await tamperer.tamper(change, whileTampered).finally(tamperer.close);
}
const NOTHING_BOOKED = `with entries as (delete from ledger_entries where step = 'network_fees' returning id), fees as (delete from network_fees)
  delete from ledger_postings where entry_id in (select id from entries)`;

const booked = async (account: string, db: Database = bench.db) =>
  (await listLedgerBalances(db)).find((one) => one.account === account && one.currency === "ETH")?.amount ?? 0n;
/** What the chain itself says that a transaction cost. */
async function costOf(hash: string | null): Promise<bigint> {
  const receipt = (await chain.call("eth_getTransactionReceipt", hash)) as { gasUsed: string; effectiveGasPrice: string };
  return BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice);
}
/** Only rules about fees and the native coin: these transfers belong to no settlement. */
async function faults(db: Database = bench.db): Promise<string[]> {
  const { rules } = await auditDatabase({ ...bench.ctx, db });
  const ours = ["final_attempt_has_its_fee", "treasury_is_there", "executed_is_on_the_chain", "failed_is_not_on_the_chain"];
  return rules.flatMap(({ rule, violations }) =>
    ours.includes(rule) ? violations.filter(({ subject }) => !subject.endsWith("USDT")).map(({ detail }) => `${rule}: ${detail}`) : [],
  );
}

describe("what a chain takes for our transactions", () => {
  it("is booked by the receipt when the transfer ends: payments, reverts and cancellations, and the coin agrees to the wei", async () => {
    const worker = await setUp();
    const paid = await bench.enqueuePayment();
    await bench.run(worker, [paid.id]);
    const reverted = await bench.enqueuePayment({ recipient: newAddress() });
    await runTransfersOnce(worker, chain.chain);
    // The token is gone when the payment is mined.
    const code = await chain.call("eth_getCode", chain.tokens.USDT, "latest");
    await chain.call("anvil_setCode", chain.tokens.USDT, "0x5f5ffd");
    const [failed] = await bench.run(worker, [reverted.id]);
    await chain.call("anvil_setCode", chain.tokens.USDT, code);
    const unwanted = await bench.enqueuePayment();
    await runTransfersOnce(worker, chain.chain);
    await cancelTransfer(bench.ctx, { ...order, transferId: unwanted.id, onFinal: async () => {} });
    const [cancelled] = await bench.run(worker, [unwanted.id]);
    expect([failed?.state, cancelled?.state]).toEqual(["failed", "failed"]);
    const costs = await Promise.all(
      [(await bench.transfer(paid.id)).txHash, failed?.txHash ?? null, cancelled?.txHash ?? null].map(costOf),
    );
    expect(await booked("network_fees")).toBe(costs.reduce((sum, cost) => sum + cost, 0n));
    const rows = await bench.sql`select fee_base::text as fee from network_fees order by booked_at`;
    expect(rows.map(({ fee }) => BigInt(fee))).toEqual(costs);
    expect(await booked("treasury")).toBe(await bench.etherBalance(bench.addresses[0] ?? ""));
    expect(await faults()).toEqual([]);
  });

  it("leaves no room for a theft: a single wei that is missing is found", async () => {
    const worker = await setUp();
    const owed = await bench.enqueuePayment();
    await bench.run(worker, [owed.id]);
    const [wallet = ""] = bench.addresses;
    const left = (await bench.etherBalance(wallet)) - 1n;
    await chain.call("anvil_setBalance", wallet, `0x${left.toString(16)}`);
    await chain.mine(4);
    expect(await faults()).toEqual([expect.stringMatching(/^treasury_is_there: 0\.000000000000000001 ETH is missing at height \d+$/)]);
  });

  it("is reckoned with while a transaction is in a final block and its transfer has not ended yet", async () => {
    const worker = await setUp();
    const owed = await bench.enqueuePayment();
    await runTransfersOnce(worker, chain.chain);
    await chain.mine(5);
    expect(await booked("network_fees")).toBe(0n);
    expect(await faults()).toEqual([]);
    await bench.run(worker, [owed.id]);
    expect(await booked("network_fees")).toBeGreaterThan(0n);
    expect(await faults()).toEqual([]);
  });

  it("is booked once, however often the transfer comes to an end", async () => {
    const worker = await setUp();
    const code = await chain.call("eth_getCode", chain.tokens.USDT, "latest");
    await chain.call("anvil_setCode", chain.tokens.USDT, "0x366028108015603c1b015f5260205ff3");
    await chain.mine();
    const owed = await bench.enqueuePayment();
    const [reviewed] = await bench.run(worker, [owed.id]);
    expect(reviewed?.state).toBe("needs_review");
    const cost = await costOf(reviewed?.txHash ?? null);
    const resolve = (resolution: Parameters<typeof resolveReview>[1]["resolution"]) =>
      resolveReview(bench.ctx, { ...order, transferId: owed.id, resolution, onFinal: async () => {} });
    await resolve({ outcome: "resume" });
    await bench.run(worker, [owed.id]);
    await resolve({ outcome: "failed", reason: "The token moved nothing." });
    await chain.call("anvil_setCode", chain.tokens.USDT, code);
    expect(await booked("network_fees")).toBe(cost);
    expect(await faults()).toEqual([]);
  });

  it("follows the chain through any number of deep forks, also back to a height or a block where it was before", async () => {
    const worker = await setUp();
    const { id: transferId } = await bench.enqueuePayment();
    await bench.run(worker, [transferId]);
    const hash = (await bench.transfer(transferId)).txHash ?? "";
    const before = (await booked("network_fees")) - (await costOf(hash));
    const [info] = bench.ctx.evm.list();
    if (!info) throw new Error("no chain is configured");
    const now = await readBusinessNow(bench.db);
    const mined = (blockHeight: number, feeBase: bigint) =>
      bench.db.transaction((tx) =>
        correctNetworkFee(tx, info, { transferId, receipt: { hash, blockHeight, gasUsed: 21_000n, feeBase } }, now),
      );
    const dropped = (blockNumber: number) =>
      bench.db.transaction((tx) => takeBackNetworkFees(tx, info, { transferId, hashes: [hash], blockNumber }, now));
    for (const [height, fee] of [
      [40, 500n],
      [40, 590n],
      [41, 500n],
      [40, 590n],
      [40, 590n],
    ] as const) {
      await mined(height, fee);
      expect(await booked("network_fees")).toBe(before + fee);
    }
    for (let time = 0; time < 2; time += 1) {
      await dropped(40);
      expect(await booked("network_fees")).toBe(before);
      await dropped(40);
      expect(await booked("network_fees")).toBe(before);
      await mined(40, 610n);
      expect(await booked("network_fees")).toBe(before + 610n);
    }
  });

  it("must be booked, and be what the receipt says: the audit finds what is not", async () => {
    const worker = await setUp();
    const owed = await bench.enqueuePayment();
    await bench.run(worker, [owed.id]);
    const found = await tamper("update network_fees set fee_base = fee_base + 1", (tx) => faults(tx));
    expect(found.map((fault) => fault.split(":")[0]).sort()).toEqual(["executed_is_on_the_chain", "final_attempt_has_its_fee"]);
  });

  it("of transactions that ended before receipts were read is booked by a reconciliation, but not what was summed up then", async () => {
    const worker = await setUp();
    const before = await bench.enqueuePayment();
    await bench.run(worker, [before.id]);
    const after = await bench.enqueuePayment();
    await bench.run(worker, [after.id]);
    const [answering] = await Promise.all(bench.ctx.evm.list().map(findAnsweringNode));
    if (!answering) throw new Error("no node");
    const [{ blockNumber, txHash }, coin] = [await bench.transfer(before.id), { currency: "ETH", chain: chain.chain, decimals: 18 }];
    const summed = { ...networkFeePaid(coin, await costOf(txHash), `${chain.chain}:ETH:${blockNumber}`), cause: "treasury" as const };
    await tamper(NOTHING_BOOKED, async (tx) => {
      expect((await faults(tx)).filter((fault) => fault.startsWith("final_attempt_has_its_fee"))).toHaveLength(2);
      await insertLedgerEntry(tx, summed, await readBusinessNow(tx));
      expect(await bookMissedFees({ db: tx }, answering, null)).toBe(1);
      expect(await bookMissedFees({ db: tx }, answering, null)).toBe(0);
      expect(await booked("treasury", tx)).toBe(await bench.etherBalance(bench.addresses[0] ?? ""));
      expect(await faults(tx)).toEqual([]);
    });
  });

  it("holds what a rollup takes for the data besides the gas", () => {
    const answer = {
      transactionHash: `0x${"11".repeat(32)}`,
      blockHash: `0x${"22".repeat(32)}`,
      blockNumber: "0x7",
      status: "0x0",
      gasUsed: "0x5208",
      effectiveGasPrice: "0x3b9aca00",
      from: newAddress(),
      logs: [],
    };
    expect(Receipt.parse({ ...answer, l1Fee: "0x64" }).feeBase).toBe(21_000n * 1_000_000_000n + 100n);
    expect(Receipt.parse(answer).feeBase).toBe(21_000n * 1_000_000_000n);
    // The operator fee: by the formula of Isthmus (rounded down), and since Jovian by another one.
    const operator = { operatorFeeScalar: "0x2faf", operatorFeeConstant: "0x9" };
    expect(Receipt.parse({ ...answer, ...operator }).feeBase).toBe(21_000n * 1_000_000_000n + 256n + 9n);
    const jovian = { ...answer, ...operator, l1Fee: "0x1", daFootprintGasScalar: "0x190" };
    expect(Receipt.parse(jovian).feeBase).toBe(21_000n * 1_000_000_000n + 1n + 21_000n * 12_207n * 100n + 9n);
  });

  it("is shown with the payment, and only to operators", async () => {
    const worker = await setUp();
    const owed = await bench.enqueuePayment();
    const [done] = await bench.run(worker, [owed.id]);
    const payment = await findPayment(bench.db, "settlement", owed.ownerId);
    const [info] = bench.ctx.evm.list();
    if (!payment || !info) throw new Error("nothing was paid");
    const cost = await costOf(done?.txHash ?? null);
    expect(payment.feeBase).toBe(cost);
    expect(renderPayment(payment, info, true).network_fee).toEqual({ amount: expect.stringMatching(/^0\.0/), currency: "ETH" });
    expect(renderPayment(payment, info, false).network_fee).toBeNull();
  });
});
