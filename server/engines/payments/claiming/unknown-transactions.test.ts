import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { findTransfer } from "#db/queries/transfers/transfers.ts";
import { listWallets } from "#db/queries/transfers/wallets.ts";
import type { Transfer } from "#domain/transfer.ts";
import { createTransferEngine, type TransferEngine } from "#server/engines/payments/engine.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import type { EvmNode } from "#server/ports.ts";
import { listOpenHalts } from "#server/services/halts/halt-scope.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { copyTestDatabase, type TestDatabase } from "#testing/database.ts";
import { type ProxyRule, type RpcProxy, startRpcProxy } from "#testing/rpc-proxy.ts";
import { type BenchOptions, openTransferBench, type TransferBench } from "#testing/transfers.ts";

/** While a wallet of a chain has transactions that the database does not know, nothing new is signed on that chain. */

let chain: TestChain;
let bench: TransferBench;
let backup: TestDatabase | null = null;
const proxies: RpcProxy[] = [];

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
afterEach(async () => {
  await backup?.close();
  backup = null;
  await bench.close();
  await Promise.all(proxies.splice(0).map((proxy) => proxy.stop()));
});
afterAll(() => chain.stop());

async function setUp(options: BenchOptions = {}): Promise<TransferEngine> {
  bench = await openTransferBench(chain, options);
  const worker = bench.newWorker();
  await passes(worker, 1);
  return worker;
}

async function behind(rule: ProxyRule): Promise<string> {
  const proxy = await startRpcProxy(chain.rpcUrl, rule);
  proxies.push(proxy);
  return proxy.url;
}

async function passes(worker: TransferEngine, count: number): Promise<void> {
  for (let pass = 0; pass < count; pass += 1) {
    await runTransfersOnce(worker, chain.chain);
    await chain.mine();
  }
}

/** The database as it is now, to come back to; no worker holds a wallet in it. */
async function keepBackup(): Promise<TestDatabase> {
  await bench.sql`update wallets set lease_owner = null, lease_until = null`;
  backup = await copyTestDatabase(bench);
  return backup;
}

/** It has no journal from before: what nodes say has to suffice. */
const workerOn = async (database: TestDatabase): Promise<TransferEngine> =>
  createTransferEngine({
    ctx: { ...bench.ctx, db: database.db, signers: bench.signersOf({ db: database.db, journal: await bench.journal.lost(database) }) },
    workerId: randomUUID(),
    onFinal: async () => {},
    timings: { restMs: 0, lookMs: 0, balanceMs: 0, leaseSeconds: 30 },
  });

const received = async ({ recipient, amountBase }: Transfer) => Number((await bench.tokenBalance(recipient)) / amountBase);
const causes = async (database: TestDatabase) => (await listOpenHalts({ db: database.db })).map(({ cause }) => cause);

describe("a database that comes back from before a payment", () => {
  it("pays nothing again by another wallet of the chain, which has sent nothing since the backup", async () => {
    const worker = await setUp({ wallets: 2 });
    const lost = await bench.enqueuePayment();
    const restored = await keepBackup();
    await bench.run(worker, [lost.id]);
    expect(await received(lost)).toBe(1);
    await passes(await workerOn(restored), 10);
    expect(await findTransfer(restored.db, lost.id)).toMatchObject({
      state: "queued",
      waitingReason: "Halted: an unknown transaction has spent a treasury wallet's nonce.",
    });
    expect(await received(lost)).toBe(1);
    expect(await causes(restored)).toEqual(["foreign_nonce"]);
  });

  it("pays nothing again that only waits in the nodes' pools, though another worker holds the wallet that sent it", async () => {
    const worker = await setUp({ wallets: 2 });
    const lost = await bench.enqueuePayment();
    const restored = await keepBackup();
    await runTransfersOnce(worker, chain.chain); // signed, stored, sent; in no block yet
    const { walletAddress } = await bench.transaction(lost.id);
    await restored.sql`update wallets set lease_owner = 'the other worker', lease_until = clock_timestamp() + interval '1 day'
      where address = ${walletAddress}`;
    const again = await workerOn(restored);
    await runTransfersOnce(again, chain.chain);
    expect(await findTransfer(restored.db, lost.id)).toMatchObject({
      state: "queued",
      waitingReason: expect.stringContaining(walletAddress),
    });
    await chain.mine();
    await passes(again, 8);
    expect(await received(lost)).toBe(1);
  });

  it("pays nothing again by the very wallet, though what waits in the pools was signed in another order", async () => {
    const worker = await setUp();
    const owed = [await bench.enqueuePayment(), await bench.enqueuePayment(), await bench.enqueuePayment()];
    const restored = await keepBackup();
    // In the time that is lost the first one rested for a moment: the others have its nonces.
    await bench.sql`update transfers set rest_until = clock_timestamp() + interval '1 day' where id = ${owed[0]?.id ?? ""}`;
    await runTransfersOnce(worker, chain.chain);
    const again = await workerOn(restored);
    await runTransfersOnce(again, chain.chain);
    await chain.mine();
    await passes(again, 8);
    expect(await Promise.all(owed.map(received))).toEqual([0, 1, 1]);
    expect(await causes(restored)).toEqual(["foreign_nonce"]);
  });

  it("halts each wallet that is ahead, whichever was met first: each halt names its own transactions", async () => {
    const worker = await setUp({ wallets: 2 });
    const restored = await keepBackup();
    const lost = [await bench.enqueuePayment(), await bench.enqueuePayment()];
    await bench.run(
      worker,
      lost.map(({ id }) => id),
    );
    const senders = await Promise.all(lost.map(async ({ id }) => (await bench.transaction(id)).walletAddress));
    expect(new Set(senders).size).toBe(2);
    await passes(await workerOn(restored), 10);
    const halts = await listOpenHalts({ db: restored.db });
    expect(halts.map(({ cause, scope }) => [cause, scope.kind])).toEqual([
      ["foreign_nonce", "wallet"],
      ["foreign_nonce", "wallet"],
    ]);
    expect(halts.flatMap(({ evidence }) => evidence.transactions)).toHaveLength(2);
  });

  it("halts the wallet also while the unknown transaction is in no block, and the range names its nonce", async () => {
    const worker = await setUp();
    const lost = await bench.enqueuePayment();
    const restored = await keepBackup();
    await runTransfersOnce(worker, chain.chain);
    const hash = (await bench.transaction(lost.id)).attempts[0]?.hash ?? "";
    const again = await workerOn(restored);
    const raw = (await bench.transaction(lost.id)).attempts[0]?.rawBytes;
    for (let pass = 0; pass < 6; pass += 1) {
      await runTransfersOnce(again, chain.chain);
      // Blocks without it: it pays too little, say.
      await chain.call("anvil_dropTransaction", hash);
      await chain.mine();
      await chain.call("eth_sendRawTransaction", raw);
    }
    const [halt] = await listOpenHalts({ db: restored.db });
    expect(halt).toMatchObject({ cause: "foreign_nonce", evidence: { from_nonce: 0, below_nonce: 1, unread: 1 } });
    expect(await findTransfer(restored.db, lost.id)).toMatchObject({ state: "queued" });
  });
});

describe("what the database does know", () => {
  it("waits in the pools, and the chain goes on signing by every wallet and worker", async () => {
    const first = await setUp({ wallets: 2 });
    for (let pass = 0; pass < 4; pass += 1) {
      await bench.enqueuePayment();
      await runTransfersOnce(first, chain.chain);
    }
    await bench.sql`update wallets set lease_owner = null, lease_until = null
      where address = (select address from wallets order by address limit 1)`;
    const second = bench.newWorker();
    const later = [await bench.enqueuePayment(), await bench.enqueuePayment()];
    await runTransfersOnce(second, chain.chain);
    await runTransfersOnce(first, chain.chain);
    for (const { id } of later) expect((await bench.transfer(id)).state).toBe("broadcast");
    expect(await listOpenHalts(bench.ctx)).toEqual([]);
  });

  it("is what another worker signs, stores and sends at the moment in which the nodes are asked", async () => {
    const first = await setUp({ wallets: 2 });
    await bench.sql`update wallets set lease_owner = null, lease_until = null
      where address = (select address from wallets order by address limit 1)`;
    const second = bench.newWorker();
    await runTransfersOnce(second, chain.chain);
    const [found] = bench.ctx.evm.list();
    if (!found) throw new Error("no chain is configured");
    let isAsked = false;
    const nodes = found.nodes.map(
      (node): EvmNode => ({
        ...node,
        nonce: async (address, at) => {
          if (at === "pending" && !isAsked) {
            isAsked = true;
            await bench.enqueuePayment();
            await runTransfersOnce(second, chain.chain);
          }
          return await node.nonce(address, at);
        },
      }),
    );
    const slow = { ...found, nodes };
    first.ctx = { ...first.ctx, evm: { list: () => [slow], find: () => slow } };
    const owed = await bench.enqueuePayment();
    await runTransfersOnce(first, chain.chain);
    expect(isAsked).toBe(true);
    expect((await bench.transfer(owed.id)).state).toBe("broadcast");
    expect((await listWallets(bench.db)).map(({ nextNonce, trouble }) => [nextNonce, trouble])).toEqual([
      [1, null],
      [1, null],
    ]);
  });
});

describe("a node that is wrong about a pool", () => {
  const wrong =
    (lies: () => boolean): ProxyRule =>
    (method, params) =>
      method === "eth_getTransactionCount" && params[1] === "pending" && lies() ? { result: "0x9" } : "pass";

  it("once, holds the chain up for that moment and halts nothing", async () => {
    let left = 0;
    const worker = await setUp({ rpcUrls: [await behind(wrong(() => left-- > 0))] });
    left = 1;
    const owed = await bench.enqueuePayment();
    await passes(worker, 1);
    expect(await bench.transfer(owed.id)).toMatchObject({
      state: "queued",
      waitingReason: expect.stringContaining("before that is judged"),
    });
    await bench.run(worker, [owed.id]);
    expect(await bench.transfer(owed.id)).toMatchObject({ state: "executed" });
    expect(await listOpenHalts(bench.ctx)).toEqual([]);
  });

  it("for as long as it likes, halts nothing while a second node contradicts; nothing is signed meanwhile", async () => {
    let isWrong = false;
    const worker = await setUp({ rpcUrls: [await behind(wrong(() => isWrong)), chain.rpcUrl] });
    isWrong = true;
    const owed = await bench.enqueuePayment();
    await passes(worker, 6);
    expect(await bench.transfer(owed.id)).toMatchObject({ state: "queued" });
    expect(await listOpenHalts(bench.ctx)).toEqual([]);
    isWrong = false;
    await bench.run(worker, [owed.id]);
    expect(await bench.transfer(owed.id)).toMatchObject({ state: "executed" });
  });

  it("by refusing to answer, is asked for what is in blocks", async () => {
    const refuses: ProxyRule = (method, params) =>
      method === "eth_getTransactionCount" && params[1] === "pending"
        ? { error: { code: -32602, message: "unsupported block tag" } }
        : "pass";
    const worker = await setUp({ rpcUrls: [await behind(refuses)] });
    const owed = await bench.enqueuePayment();
    await bench.run(worker, [owed.id]);
    expect(await bench.transfer(owed.id)).toMatchObject({ state: "executed" });
    await bench.spendOutside(bench.keys[0] ?? "0x", 1);
    await chain.mine();
    const later = await bench.enqueuePayment();
    await passes(worker, 6);
    expect(await bench.transfer(later.id)).toMatchObject({ state: "queued" });
    expect(await listOpenHalts(bench.ctx)).toMatchObject([{ cause: "foreign_nonce" }]);
  });
});
