import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "#db/client.ts";
import { listLedgerBalances } from "#db/queries/ledger/ledger-balances.ts";
import type { TransferEngine } from "#server/engines/payments/engine.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { type ProxyRule, type RpcProxy, startRpcProxy } from "#testing/rpc-proxy.ts";
import { openTamperer } from "#testing/tamper.ts";
import { openTransferBench, type TransferBench } from "#testing/transfers.ts";
import { findAnsweringNode } from "./answering-chain.ts";
import { auditTreasury } from "./audit-treasury.ts";
import { heldBeforeTransfers } from "./measure-treasury.ts";
import { openTreasury } from "./open-treasury.ts";

/** A deep reorg takes back what was final and booked: the books are compared, opened and funded meanwhile. */

const GWEI = 10n ** 9n;
const PAID = 12_345_678n;

let chain: TestChain;
let bench: TransferBench;
let node: RpcProxy;
/** Tampers with the answers of the node. */
let rule: ProxyRule = () => "pass";

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
afterEach(async () => {
  rule = () => "pass";
  await bench.close();
  await node.stop();
});
afterAll(() => chain.stop());

async function setUp(others: readonly string[] = []): Promise<TransferEngine> {
  node = await startRpcProxy(chain.rpcUrl, (method, params) => rule(method, params));
  bench = await openTransferBench(chain, { rpcUrls: [node.url, ...others], confirmations: 2 });
  const worker = bench.newWorker();
  await runTransfersOnce(worker, chain.chain);
  await chain.mine(3);
  await runTransfersOnce(worker, chain.chain);
  return worker;
}

async function answering() {
  const info = bench.ctx.evm.find(chain.chain);
  const found = info && (await findAnsweringNode(info));
  if (!found) throw new Error("no node answers");
  return found;
}
const open = async () => (await openTreasury(bench.ctx, await answering())).map(({ currency }) => currency);
/** These transfers belong to no settlement: the ledger has none of their tokens, but the coin's fees. */
const missing = async (currency = "ETH", db: Database = bench.db) =>
  (await auditTreasury({ db }, await answering())).violations.flatMap(({ subject, detail }) =>
    subject.endsWith(currency) ? [detail] : [],
  );

/** The wallet's balance in the books next to its real one. */
async function agrees(): Promise<void> {
  const balances = await listLedgerBalances(bench.db);
  const booked = (currency: string) => balances.find((one) => one.account === "treasury" && one.currency === currency)?.amount;
  const [wallet = ""] = bench.addresses;
  expect(booked("ETH")).toBe(await bench.etherBalance(wallet));
  expect(await missing()).toEqual([]);
}

async function passes(worker: TransferEngine, count: number): Promise<void> {
  for (let pass = 0; pass < count; pass += 1) {
    await runTransfersOnce(worker, chain.chain);
    await chain.mine();
  }
}

/** A block at that base fee, in gwei, which those after it come down from slowly. */
async function blockAt(gwei: bigint): Promise<void> {
  await chain.call("anvil_setNextBlockBaseFeePerGas", `0x${(gwei * GWEI).toString(16)}`);
  await chain.mine();
}

/** Payments at a high fee; and then the chain, at a low one, as it was before them. */
async function paidAndDropped(worker: TransferEngine, count = 2): Promise<void> {
  const snapshot = await chain.call("evm_snapshot");
  await blockAt(30n);
  const owed = await Promise.all(Array.from({ length: count }, () => bench.enqueuePayment({ amountBase: PAID })));
  await bench.run(
    worker,
    owed.map(({ id }) => id),
  );
  await chain.call("evm_revert", snapshot);
  await blockAt(1n);
  await chain.mine(20);
}

const orphaned = async () => (await bench.sql`select id from transfers where adrift_since is not null`).length;
const inTheAir = async () => (await bench.sql`select transaction_id from adrift_places`).length;

/** For a wallet that has not sent anything on this chain yet. */
const pending = async () => Number(await chain.call("eth_getTransactionCount", bench.addresses[0], "pending"));

/** Passes without a block, so that nothing is paid again meanwhile. */
async function until(worker: TransferEngine, isSo: () => Promise<boolean>): Promise<void> {
  for (let pass = 0; pass < 20 && !(await isSo()); pass += 1) await runTransfersOnce(worker, chain.chain);
  expect(await isSo()).toBe(true);
}

it("compares unopened books with nothing where their first payment is newer than the balances that were read", async () => {
  const worker = await setUp();
  const owed = await bench.enqueuePayment();
  await bench.run(worker, [owed.id]);
  const found = await answering();
  const token = found.info.tokens.find(({ currency }) => currency === "USDT");
  if (token === undefined) throw new Error("the chain has USDT");
  const [row] = await bench.sql<{ first: number }[]>`select min(block_number)::int as first from transfers`;
  const first = row?.first ?? 0;
  const before = (height: number) => heldBeforeTransfers(bench.ctx, found, token, { wallets: bench.addresses, height });
  const [wallet = ""] = bench.addresses;
  expect([await before(first - 1), await before(first)]).toEqual([null, (await bench.tokenBalance(wallet)) + owed.amountBase]);
});

describe("what a deep fork took back", () => {
  it("neither moved nor cost anything while it is gone: books that are opened then are right for good", async () => {
    const worker = await setUp();
    await paidAndDropped(worker);
    await until(worker, async () => (await orphaned()) === 2);
    expect(await open()).toContain("ETH");
    await passes(worker, 14);
    expect(await orphaned()).toBe(0);
    await agrees();
  });

  it("counts as the chain has it now, before anybody has noted that it is final again", async () => {
    const worker = await setUp();
    await open();
    await paidAndDropped(worker);
    await until(worker, async () => (await orphaned()) === 2 && (await pending()) === 2);
    await chain.mine(4);
    expect(await orphaned()).toBe(2);
    expect(await missing()).toEqual([]);
    expect(await missing("USDT")).toEqual([expect.stringMatching(/^24\.691356 USDT is missing/)]);
    await passes(worker, 14);
    await agrees();
  });

  it("moves nothing twice: not the fee of a nonce that was superseded, and that is spent again for less", async () => {
    const worker = await setUp();
    await open();
    const snapshot = await chain.call("evm_snapshot");
    await blockAt(30n);
    let lies = 1;
    rule = (method) => (method === "eth_estimateGas" && lies-- > 0 ? { result: "0x0" } : "pass");
    const owed = await bench.enqueuePayment();
    await bench.run(worker, [owed.id]);
    await chain.call("evm_revert", snapshot);
    await blockAt(1n);
    await chain.mine(20);
    await until(worker, async () => (await inTheAir()) === 1);
    await until(worker, async () => (await pending()) > 0);
    await chain.mine(4);
    expect(await inTheAir()).toBe(1);
    await passes(worker, 30);
    expect(await inTheAir()).toBe(0);
    await agrees();
  });

  it("is not looked at by the books before the worker has seen it: nothing is opened on a chain that nobody has read", async () => {
    const worker = await setUp();
    await paidAndDropped(worker);
    expect(await orphaned()).toBe(0);
    expect(await open()).toEqual([]);
    await passes(worker, 14);
    expect(await open()).toContain("ETH");
    await agrees();
    await paidAndDropped(worker);
    await passes(worker, 14);
    await agrees();
  });
});

describe("a balance that one node alone shows", () => {
  it("is never booked: each configured node must show it, and one that is silent shows nothing", async () => {
    await setUp([chain.rpcUrl]);
    const more = (answer: unknown) => `0x${(BigInt(String(answer)) + 250_000n * 10n ** 18n).toString(16)}`;
    rule = (method) => (method === "eth_getBalance" ? { alter: more } : "pass");
    expect(await open()).not.toContain("ETH");
    rule = () => "pass";
    expect(await open()).toContain("ETH");
    await agrees();
    await bench.close();
    await node.stop();

    await setUp(["http://127.0.0.1:9"]);
    expect(await open()).toEqual([]);
  });
});

describe("coins that are missing", () => {
  it("are not what a node does not know yet that has stayed behind: another one speaks for the chain", async () => {
    await setUp([chain.rpcUrl]);
    const old = await chain.call("eth_getBlockByNumber", "latest", false);
    await chain.call("evm_increaseTime", 60);
    await chain.fund(bench.addresses[0] ?? "0x", { ether: 5_000, tokens: 0 });
    await chain.mine(4);
    await open();
    rule = (method, [at]) => (method === "eth_getBlockByNumber" && at === "latest" ? { result: old } : "pass");
    expect(await missing()).toEqual([]);
    await agrees();
  });

  it("are reported with the transactions whose cost is not booked, or not as the chain has it", async () => {
    const worker = await setUp();
    await open();
    const owed = [await bench.enqueuePayment(), await bench.enqueuePayment()];
    await bench.run(
      worker,
      owed.map(({ id }) => id),
    );
    const [first, second] = await Promise.all(owed.map(async ({ id }) => (await bench.transfer(id)).txHash));
    const tamperer = openTamperer(bench.url);
    const change = `with gone as (delete from network_fees where hash = '${first}' returning id),
      entries as (delete from ledger_entries where cause = 'transaction' and cause_id in (select id from gone) returning id)
      delete from ledger_postings where entry_id in (select id from entries)`;
    const finding = await tamperer.tamper(change, async (tx) => await missing("ETH", tx));
    await tamperer.close();
    expect(finding).toEqual([expect.stringMatching(new RegExp(`is missing at height \\d+: ${first} cost \\d+, and 0 is booked$`))]);
    expect(finding.join()).not.toContain(second);
  });
});
