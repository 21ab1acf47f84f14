import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { wallets } from "#db/schema/wallets.ts";
import { completeOwner } from "#server/services/settlements/complete-owner.ts";
import { readTreasury } from "#server/services/treasury/read-treasury.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { startRpcProxy } from "#testing/rpc-proxy.ts";
import { expectConformance } from "#testing/settlement-conformance.ts";
import { type BenchOptions, newAddress, openTransferBench, type TransferBench } from "#testing/transfers.ts";
import { paymentDuties } from "./duties.ts";
import { runTransfersOnce } from "./run-transfers.ts";

let chain: TestChain;
let bench: TransferBench;
const open: TransferBench[] = [];

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});
afterAll(async () => {
  await chain.stop();
});

async function setUp(options?: BenchOptions) {
  bench = await openTransferBench(chain, options);
  open.push(bench);
  return bench;
}

describe("the settlement API on an EVM chain", () => {
  it("refuses, pays, holds and halts as on every family", async () => {
    await setUp({ onFinal: completeOwner, confirmations: 1 });
    const [info] = bench.ctx.evm.list();
    const [treasury = ""] = bench.addresses;
    if (info === undefined) throw new Error("there is no chain");
    await expectConformance({
      db: bench.db,
      sql: bench.sql,
      chain: info,
      evm: bench.ctx.evm,
      currency: "USDT",
      treasury,
      newWallet: newAddress,
      refused: {
        "the zero address": `0x${"0".repeat(40)}`,
        "another token": chain.tokens.USDC,
        "the treasury's in lower case": treasury.toLowerCase(),
        "a wrong checksum": "0x52908400098527886E0F7030069857D2E4169Ee7",
        "a Tron wallet": "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
      },
      async work() {
        await runTransfersOnce(bench.newWorker(), chain.chain);
        await bench.letLeasesLapse();
        await chain.mine();
      },
      costTolerance: 5,
      held: (owner) => bench.tokenBalance(owner),
    });
  });
});

describe("a transfer that is owed", () => {
  it("reaches the recipient to the last base unit, once, with the hash of the attempt that was mined", async () => {
    await setUp();
    const owed = await bench.enqueuePayment();
    const [done] = await bench.run(bench.newWorker(), [owed.id]);
    expect(done).toMatchObject({ state: "executed", waitingReason: null, failureReason: null });
    expect(await bench.tokenBalance(owed.recipient)).toBe(owed.amountBase);
    const { attempts, nonce } = await bench.transaction(owed.id);
    expect(attempts.map(({ hash }) => hash)).toEqual([done?.txHash]);
    expect(nonce).toBe(0);
    expect(await bench.finals(owed.id)).toBe(1);
    expect(bench.moves).toEqual(["queued signed", "signed broadcast", "broadcast mined", "mined executed"]);
  });

  it("is paid in the native coin where no token is named", async () => {
    await setUp();
    const owed = await bench.enqueuePayment({
      currency: "ETH",
      tokenAddress: null,
      tokenDecimals: 18,
      amountBase: 1_234_567_890_123_456_789n,
    });
    const [done] = await bench.run(bench.newWorker(), [owed.id]);
    expect(done?.state).toBe("executed");
    expect(await bench.etherBalance(owed.recipient)).toBe(1_234_567_890_123_456_789n);
  });

  it("is not final before the configured confirmations, its own block counted", async () => {
    await setUp({ confirmations: 4 });
    const owed = await bench.enqueuePayment();
    const worker = bench.newWorker();
    await runTransfersOnce(worker, chain.chain);
    const seen: string[] = [];
    for (let block = 1; block <= 4; block += 1) {
      await chain.mine();
      await runTransfersOnce(worker, chain.chain);
      seen.push((await bench.transfer(owed.id)).state);
    }
    expect(seen).toEqual(["mined", "mined", "mined", "executed"]);
  });

  it("is final by the node's finalized block where the configuration says so", async () => {
    await setUp({ useFinalizedTag: true, confirmations: 1 });
    const owed = await bench.enqueuePayment();
    const worker = bench.newWorker();
    await bench.run(worker, [owed.id], 3);
    expect((await bench.transfer(owed.id)).state).toBe("mined");
    await chain.mine(100);
    await bench.run(worker, [owed.id], 6);
    expect((await bench.transfer(owed.id)).state).toBe("executed");
  });

  it("carries a contract call in the payment's place, and creates a contract", async () => {
    await setUp();
    const approve = `0x095ea7b3${"11".repeat(20).padStart(64, "0")}${"1".padStart(64, "0")}`;
    const call = await bench.enqueuePayment({
      purpose: "deployment",
      amountBase: 5n,
      call: { to: chain.tokens.USDT, valueBase: 0n, data: approve },
    });
    const creation = await bench.enqueuePayment({
      purpose: "deployment",
      currency: "ETH",
      tokenAddress: null,
      amountBase: 0n,
      call: { to: null, valueBase: 0n, data: "0x600160005360016000f3" },
    });
    const done = await bench.run(bench.newWorker(), [call.id, creation.id]);
    expect(done.map(({ state }) => state)).toEqual(["executed", "executed"]);
    const receipt = (await chain.call("eth_getTransactionReceipt", done[1]?.txHash)) as { contractAddress: string };
    expect(await chain.call("eth_getCode", receipt.contractAddress, "latest")).toBe("0x01");
  });
});

describe("many at once", () => {
  it("are dealt out to several wallets and each paid once, by whole blocks' receipts", async () => {
    await setUp({ wallets: 3 });
    const owed = await Promise.all(Array.from({ length: 30 }, () => bench.enqueuePayment()));
    const done = await bench.run(
      bench.newWorker(),
      owed.map(({ id }) => id),
    );
    expect(new Set(done.map(({ state }) => state))).toEqual(new Set(["executed"]));
    for (const { recipient, amountBase } of owed) expect(await bench.tokenBalance(recipient)).toBe(amountBase);
    const rows = await bench.db.select({ nextNonce: wallets.nextNonce }).from(wallets);
    expect(rows.map(({ nextNonce }) => nextNonce)).toEqual([10, 10, 10]);
  });

  it("are all paid by the wallets that can pay the network's fee, though another has tokens and nothing on its way", async () => {
    await setUp({ wallets: 2 });
    const [poor] = bench.addresses;
    await chain.call("anvil_setBalance", poor, "0x0");
    const owed = await Promise.all(Array.from({ length: 6 }, () => bench.enqueuePayment()));
    await runTransfersOnce(bench.newWorker(), chain.chain);
    for (const { id } of owed) expect(await bench.transfer(id)).toMatchObject({ state: "broadcast", waitingReason: null });
  });

  it("of two workers racing for the same wallets each is paid once", async () => {
    await setUp({ wallets: 2 });
    const owed = await Promise.all(Array.from({ length: 12 }, () => bench.enqueuePayment()));
    const workers = [bench.newWorker(), bench.newWorker(), bench.newWorker()];
    for (let pass = 0; pass < 8; pass += 1) {
      // Leases expire while the workers use them: only the fence keeps them apart.
      await Promise.all([...workers.map((worker) => runTransfersOnce(worker, chain.chain)), bench.letLeasesLapse()]);
      await chain.mine();
    }
    // Whatever a worker still has from the last pass would keep a new one from it for as long as its lease.
    await bench.letLeasesLapse();
    await bench.run(
      bench.newWorker(),
      owed.map(({ id }) => id),
    );
    for (const { id, recipient, amountBase } of owed) {
      expect((await bench.transfer(id)).state).toBe("executed");
      expect(await bench.tokenBalance(recipient)).toBe(amountBase);
      expect(await bench.finals(id)).toBe(1);
    }
  });

  it("run on two chains at once, and one chain's dead node does not hold up the other", async () => {
    const second = await startTestChain({ noMining: true });
    try {
      const dead = {
        name: "Dead chain",
        rpcUrls: ["http://127.0.0.1:1"],
        confirmations: 2,
        native: { currency: "ETH", decimals: 18 },
        tokens: [],
      };
      const tokens = [{ currency: "USDT", address: second.tokens.USDT, decimals: 6 }];
      const alive = {
        chain: "eip155:31337",
        name: "Second chain",
        rpcUrls: [second.rpcUrl],
        confirmations: 2,
        native: { currency: "ETH", decimals: 18 },
        tokens,
      };
      await setUp({ others: [{ ...dead, chain: "eip155:5" }] });
      const other = await openTransferBench(second, { rpcUrls: alive.rpcUrls });
      open.push(other);
      const here = await bench.enqueuePayment();
      const there = await other.enqueuePayment();
      const stuck = await bench.enqueuePayment({ chain: "eip155:5" });
      const worker = bench.newWorker();
      const duties = ["transfers eip155:31337", "transfers eip155:5", "transfer leases", "chain heads", "unanswered screenings"];
      expect(paymentDuties(worker).map(({ name }) => name)).toEqual(duties);
      const [[done], [doneThere]] = await Promise.all([
        bench.run(worker, [here.id]),
        other.run(other.newWorker(), [there.id]),
        runTransfersOnce(worker, "eip155:5"),
      ]);
      expect([done?.state, doneThere?.state]).toEqual(["executed", "executed"]);
      expect(await bench.transfer(stuck.id)).toMatchObject({ state: "queued", waitingReason: "No node of Dead chain can be reached." });
    } finally {
      await second.stop();
    }
  });
});

describe("what is known before signing", () => {
  it("fails a recipient that the token blocks, in plain words, with nothing signed", async () => {
    await setUp();
    const owed = await bench.enqueuePayment({ recipient: chain.blockedWallet });
    const [failed] = await bench.run(bench.newWorker(), [owed.id]);
    expect(failed).toMatchObject({ state: "failed", failureReason: "The token's blocklist refuses this recipient.", txHash: null });
    expect(await bench.finals(owed.id)).toBe(1);
    const rows = await bench.db
      .select()
      .from(wallets)
      .where(eq(wallets.address, bench.addresses[0] ?? ""));
    expect(rows[0]?.nextNonce).toBe(0);
  });

  it("never pays the zero address, the token's contract or, for a settlement, the treasury itself", async () => {
    await setUp();
    const owed = [];
    for (const recipient of [`0x${"0".repeat(40)}`, chain.tokens.USDT.toLowerCase(), bench.addresses[0] ?? ""])
      owed.push(await bench.enqueuePayment({ recipient }));
    const done = await bench.run(
      bench.newWorker(),
      owed.map(({ id }) => id),
    );
    expect(done.map(({ state }) => state)).toEqual(["failed", "failed", "failed"]);
    expect(done.map(({ failureReason }) => failureReason)).toEqual([
      expect.stringContaining("zero address"),
      expect.stringContaining("token's own contract"),
      expect.stringContaining("own treasury"),
    ]);
  });

  it("waits with an empty treasury, says so, and goes on when it is filled", async () => {
    await setUp({ funded: false });
    const owed = await bench.enqueuePayment();
    const worker = bench.newWorker();
    await bench.run(worker, [owed.id], 2);
    expect(await bench.transfer(owed.id)).toMatchObject({
      state: "queued",
      waitingReason: "No treasury wallet on Test chain holds 12.345678 USDT that is not promised yet.",
    });
    expect(bench.lines.some(({ message }) => message === "a treasury wallet runs low")).toBe(true);
    await chain.fund(bench.addresses[0] as `0x${string}`, { ether: 0, tokens: 13 });
    await bench.run(worker, [owed.id], 2);
    expect((await bench.transfer(owed.id)).waitingReason).toContain("too little");
    await chain.fund(bench.addresses[0] as `0x${string}`, { ether: 1, tokens: 13 });
    const [done] = await bench.run(worker, [owed.id]);
    expect(done).toMatchObject({ state: "executed", waitingReason: null });
    expect(await bench.tokenBalance(owed.recipient)).toBe(owed.amountBase);
  });

  it("does not promise the same money twice: what is on its way counts", async () => {
    await setUp({ funded: false });
    await chain.fund(bench.addresses[0] as `0x${string}`, { ether: 1, tokens: 10 });
    const owed = await Promise.all([bench.enqueuePayment({ amountBase: 6_000_000n }), bench.enqueuePayment({ amountBase: 6_000_000n })]);
    const worker = bench.newWorker();
    await bench.run(
      worker,
      owed.map(({ id }) => id),
    );
    const states = await Promise.all(owed.map(async ({ id }) => (await bench.transfer(id)).state));
    expect(states.sort()).toEqual(["executed", "queued"]);
  });

  it("refuses to start on a chain whose token has other decimals than configured", async () => {
    await setUp({ tokens: [{ currency: "USDT", address: chain.tokens.USDT, decimals: 18 }] });
    const owed = await bench.enqueuePayment();
    await bench.run(bench.newWorker(), [owed.id], 2);
    const { heads } = await readTreasury(bench.ctx);
    expect(heads[0]?.trouble).toContain("has 6 decimals on the chain and 18 in the configuration");
    expect(await bench.transfer(owed.id)).toMatchObject({ state: "queued", waitingReason: expect.stringContaining("6 decimals") });
  });

  it("never listens to a node of another chain", async () => {
    await setUp({
      others: [
        {
          chain: "eip155:1",
          name: "Ethereum",
          rpcUrls: [chain.rpcUrl],
          confirmations: 1,
          native: { currency: "ETH", decimals: 18 },
          tokens: [],
        },
      ],
    });
    const owed = await bench.enqueuePayment({
      chain: "eip155:1",
      currency: "ETH",
      tokenAddress: null,
      tokenDecimals: 18,
      recipient: newAddress(),
    });
    expect(await runTransfersOnce(bench.newWorker(), "eip155:1")).toBe("idle");
    expect(await bench.transfer(owed.id)).toMatchObject({ state: "queued", waitingReason: "No node of Ethereum can be reached." });
  });
});

describe("what the worker saw", () => {
  it("is kept for figures: heads, balances, wallets", async () => {
    await setUp();
    await runTransfersOnce(bench.newWorker(), chain.chain);
    const seen = await readTreasury(bench.ctx);
    expect(seen.heads[0]).toMatchObject({ chain: chain.chain, nodesUp: 1, nodesTotal: 1, trouble: null });
    expect(seen.balances.map(({ currency, amountBase, low }) => [currency, amountBase, low])).toEqual([
      ["ETH", 100n * 10n ** 18n, false],
      ["USDC", 1_000_000_000_000n, false],
      ["USDT", 1_000_000_000_000n, false],
    ]);
    expect(seen.wallets).toEqual([expect.objectContaining({ address: bench.addresses[0], state: "active", trouble: null })]);
  });
});

describe("what is promised", () => {
  it("counts what was mined above the height at which balances are read: a head that goes back a block signs nothing twice over", async () => {
    const node = await startRpcProxy(chain.rpcUrl);
    try {
      await setUp({ rpcUrls: [node.url], funded: false, confirmations: 12 });
      await chain.fund(bench.addresses[0] as `0x${string}`, { ether: 10, tokens: 1 });
      const worker = bench.newWorker();
      const first = await bench.enqueuePayment({ amountBase: 600_000n });
      await runTransfersOnce(worker, chain.chain);
      await chain.mine();
      await runTransfersOnce(worker, chain.chain);
      expect((await bench.transfer(first.id)).state).toBe("mined");
      // The same node, or the backend behind it that answers now, is one block behind.
      const behind = Number(await chain.call("eth_blockNumber")) - 1;
      const block = await chain.call("eth_getBlockByNumber", `0x${behind.toString(16)}`, false);
      node.rule = (method, [at]) => (method === "eth_getBlockByNumber" && at === "latest" ? { result: block } : "pass");
      const more = [await bench.enqueuePayment({ amountBase: 300_000n }), await bench.enqueuePayment({ amountBase: 300_000n })];
      await runTransfersOnce(worker, chain.chain);
      const states = await Promise.all(more.map(async ({ id }) => (await bench.transfer(id)).state));
      expect(states.toSorted()).toEqual(["broadcast", "queued"]);
      expect(await bench.transfer(more[1]?.id ?? "")).toMatchObject({ waitingReason: expect.stringContaining("not promised yet") });
    } finally {
      await node.stop();
    }
  });

  it("has room for what an OP-stack chain charges besides the gas: for data, and for its operator", async () => {
    const [oracle, operatorFee] = ["0x420000000000000000000000000000000000000f", "0x275aedd2"];
    let [data, operator] = [10n ** 20n, 1n];
    const node = await startRpcProxy(chain.rpcUrl, (method, params) => {
      const text = JSON.stringify(params).toLowerCase();
      if (method !== "eth_call" || !text.includes(oracle)) return "pass";
      return { result: `0x${(text.includes(operatorFee) ? operator : data).toString(16)}` };
    });
    try {
      await setUp({ rpcUrls: [node.url], dataFee: "op-stack" });
      const owed = await bench.enqueuePayment();
      const worker = bench.newWorker();
      for (const fees of [
        [10n ** 20n, 1n],
        [1n, 10n ** 20n],
      ] as const) {
        [data, operator] = fees;
        await bench.run(worker, [owed.id], 2);
        expect(await bench.transfer(owed.id)).toMatchObject({
          state: "queued",
          waitingReason: expect.stringContaining("too little ETH for the network's fee"),
        });
        await bench.letLeasesLapse();
      }
      [data, operator] = [10n ** 15n, 10n ** 15n];
      const [done] = await bench.run(worker, [owed.id]);
      expect(done?.state).toBe("executed");
    } finally {
      await node.stop();
    }
  });
});
