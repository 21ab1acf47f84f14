import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { listWallets } from "#db/queries/transfers/wallets.ts";
import { databaseErrorOf } from "#db/trouble.ts";
import { withConnection } from "#sandbox/postgres/server.ts";
import type { TransferEngine } from "#server/engines/payments/engine.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import { listOpenHalts } from "#server/services/halts/halt-scope.ts";
import { liftHalt } from "#server/services/treasury/lift-halt.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { type ProxyRule, type RpcProxy, startRpcProxy } from "#testing/rpc-proxy.ts";
import { type BenchOptions, openTransferBench, type TransferBench } from "#testing/transfers.ts";

let chain: TestChain;
let bench: TransferBench;
const proxies: RpcProxy[] = [];
const by = { actor: { type: "operator_key", apiKeyId: "00000000-0000-4000-8000-000000000001" } as const, requestId: null };

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
afterEach(async () => {
  await bench.close();
  await Promise.all(proxies.splice(0).map((proxy) => proxy.stop()));
});
afterAll(async () => {
  await chain.stop();
});

async function setUp(options?: BenchOptions): Promise<TransferEngine> {
  bench = await openTransferBench(chain, options);
  return bench.newWorker();
}

/** Reports the wallets' counts too high by this much, as often as `lies` says. */
async function liar(lies: (call: number, at: unknown) => boolean, by: number): Promise<RpcProxy> {
  let calls = 0;
  const rule: ProxyRule = (method, params) => {
    const lie = method === "eth_getTransactionCount" && lies(++calls, params[1]);
    return lie ? { result: `0x${(spent(params) + by).toString(16)}` } : "pass";
  };
  const proxy = await startRpcProxy(chain.rpcUrl, rule);
  proxies.push(proxy);
  return proxy;
}
/** What the chain would say: the liar gets it from the test, which knows. */
const truth = new Map<string, number>();
const spent = ([address]: unknown[]) => truth.get(String(address).toLowerCase()) ?? 0;

const wallet = async () => (await listWallets(bench.db))[0];
const key = () => bench.keys[0] ?? "0x";
const passes = async (worker: TransferEngine, count: number) => {
  for (let pass = 0; pass < count; pass += 1) {
    await runTransfersOnce(worker, chain.chain);
    await chain.mine();
  }
};
async function expectPaidOnce(...owed: Awaited<ReturnType<TransferBench["enqueuePayment"]>>[]): Promise<void> {
  for (const { id, recipient, amountBase } of owed) {
    expect(await bench.transfer(id)).toMatchObject({ state: "executed", failureReason: null });
    expect(await bench.tokenBalance(recipient)).toBe(amountBase);
  }
}

describe("a nonce that an unknown transaction has spent", () => {
  it("halts the wallet in the transaction that moves its sequence; nothing is signed until people lift it, and then once", async () => {
    const worker = await setUp();
    await passes(worker, 1);
    const hash = await bench.spendOutside(key(), 0);
    await chain.mine();
    const owed = await bench.enqueuePayment();
    await passes(worker, 8);
    const [halt] = await listOpenHalts(bench.ctx);
    expect(halt).toMatchObject({
      scope: { kind: "wallet", key: (await wallet())?.id },
      cause: "foreign_nonce",
      evidence: { from_nonce: 0, below_nonce: 1, transactions: [{ nonce: 0, hash, succeeded: true }], paid: [], unread: 0 },
    });
    expect(await wallet()).toMatchObject({ nextNonce: 1, trouble: null });
    const waits = "Halted: an unknown transaction has spent a treasury wallet's nonce.";
    expect(await bench.transfer(owed.id)).toMatchObject({ state: "queued", waitingReason: waits });
    expect(bench.lines).toContainEqual({ level: "error", message: expect.stringContaining("is halted") });
    await liftHalt({ ...bench.ctx, mode: "sandbox" }, { by, haltId: halt?.id ?? "", reason: "it was a person with the key" });
    await bench.run(worker, [owed.id]);
    await expectPaidOnce(owed);
    expect((await bench.transaction(owed.id)).nonce).toBe(1);
    expect(await listOpenHalts(bench.ctx)).toEqual([]);
  });

  it("stops all signing also while the halt cannot be written, and is written once it can be", async () => {
    const worker = await setUp({ wallets: 2 });
    await passes(worker, 1);
    await withConnection(bench.url, (sql) =>
      sql.unsafe(`create function refuse_halt() returns trigger language plpgsql as $$ begin raise exception 'no halts'; end $$;
        create trigger refuse_halt before insert on lane_halts for each row execute function refuse_halt()`),
    );
    await bench.spendOutside(key(), 0);
    await chain.mine();
    const owed = await bench.enqueuePayment();
    const failures: string[] = [];
    for (let pass = 0; pass < 8; pass += 1) {
      await passes(worker, 1).catch(async (error: unknown) => {
        failures.push(String(databaseErrorOf(error)?.message));
        await chain.mine();
      });
    }
    expect(new Set(failures)).toEqual(new Set(["no halts"]));
    expect(await listOpenHalts(bench.ctx)).toEqual([]);
    expect((await bench.sql`select from transactions`).length).toBe(0);
    expect(await bench.tokenBalance(owed.recipient)).toBe(0n);
    await withConnection(bench.url, (sql) => sql`drop trigger refuse_halt on lane_halts`);
    await passes(worker, 8);
    expect(await listOpenHalts(bench.ctx)).toMatchObject([{ cause: "foreign_nonce" }]);
    expect((await bench.sql`select from transactions`).length).toBe(0);
  });

  it("is met while nothing is owed, too", async () => {
    const worker = await setUp();
    await passes(worker, 1);
    await bench.spendOutside(key(), 0);
    await chain.mine();
    worker.memory.balancesReadAt.clear();
    for (let pass = 0; pass < 6; pass += 1) {
      worker.memory.balancesReadAt.clear();
      await passes(worker, 1);
    }
    expect(await listOpenHalts(bench.ctx)).toMatchObject([{ cause: "foreign_nonce" }]);
  });

  it("where one of ours was signed halts the wallet with the review: nothing else is signed either", async () => {
    const worker = await setUp();
    const owed = await bench.enqueuePayment();
    await runTransfersOnce(worker, chain.chain);
    await chain.call("anvil_dropTransaction", (await bench.transaction(owed.id)).attempts[0]?.hash);
    const hash = await bench.spendOutside(key(), 0);
    await chain.mine();
    const [reviewed] = await bench.run(worker, [owed.id]);
    expect(reviewed).toMatchObject({ state: "needs_review" });
    const later = await bench.enqueuePayment();
    await passes(worker, 4);
    expect(await bench.transfer(later.id)).toMatchObject({ state: "queued", waitingReason: expect.stringContaining("Halted") });
    expect(await listOpenHalts(bench.ctx)).toMatchObject([{ cause: "foreign_nonce", evidence: { transactions: [{ nonce: 0, hash }] } }]);
  });
});

describe("a node that counts a wallet's transactions wrongly", () => {
  it("once, at the wallet's very first look, makes it wait, and not one nonce is skipped", async () => {
    const node = await liar((call) => call === 1, 2);
    const worker = await setUp({ rpcUrls: [node.url] });
    const owed = await bench.enqueuePayment();
    await bench.run(worker, [owed.id]);
    await expectPaidOnce(owed);
    expect((await bench.transaction(owed.id)).nonce).toBe(0);
  });

  it("now and then, later, halts nothing and leaves no trouble behind", async () => {
    const node = await liar((call) => call > 2 && call % 3 === 0, 2);
    const worker = await setUp({ rpcUrls: [node.url] });
    const owed = [await bench.enqueuePayment(), await bench.enqueuePayment(), await bench.enqueuePayment()];
    await bench.run(
      worker,
      owed.map(({ id }) => id),
      30,
    );
    await expectPaidOnce(...owed);
    expect((await Promise.all(owed.map(({ id }) => bench.transaction(id)))).map(({ nonce }) => nonce).sort()).toEqual([0, 1, 2]);
    expect(await listOpenHalts(bench.ctx)).toEqual([]);
    await passes(worker, 3);
    await bench.enqueuePayment();
    await passes(worker, 4);
    expect((await wallet())?.trouble).toBeNull();
  });

  it("as often as it likes, over what was signed, halts nothing as long as its count at a block is right", async () => {
    let lies = false;
    const node = await liar((_, at) => lies && at === "latest", 1);
    const worker = await setUp({ rpcUrls: [node.url] });
    const owed = await bench.enqueuePayment();
    await runTransfersOnce(worker, chain.chain);
    await chain.call("anvil_dropTransaction", (await bench.transaction(owed.id)).attempts[0]?.hash);
    lies = true;
    await passes(worker, 12);
    expect(await bench.transfer(owed.id)).toMatchObject({ state: "broadcast", reviewReason: null });
    expect(await listOpenHalts(bench.ctx)).toEqual([]);
    lies = false;
    await bench.run(worker, [owed.id]);
    await expectPaidOnce(owed);
  });

  it("stubbornly is not believed while another node contradicts it; the wallet waits, says so, and goes on when that is over", async () => {
    let lies = false;
    const node = await liar(() => lies, 2);
    const worker = await setUp({ rpcUrls: [node.url, chain.rpcUrl] });
    await passes(worker, 1);
    lies = true;
    const owed = await bench.enqueuePayment();
    await passes(worker, 8);
    expect(await listOpenHalts(bench.ctx)).toEqual([]);
    expect((await wallet())?.trouble).toContain("not ours");
    expect(await bench.transfer(owed.id)).toMatchObject({
      state: "queued",
      waitingReason: expect.stringContaining("transactions that this service does not know"),
    });
    lies = false;
    await bench.run(worker, [owed.id]);
    await expectPaidOnce(owed);
    expect(await wallet()).toMatchObject({ trouble: null, nextNonce: 1 });
  });
});

describe("a gap below what is signed", () => {
  it("fills itself with empty transfers to the wallet itself, and everything behind it is paid once", async () => {
    const worker = await setUp();
    await passes(worker, 1);
    await bench.sql`update wallets set next_nonce = 2`; // as a count that was too high once left it
    const owed = [await bench.enqueuePayment(), await bench.enqueuePayment()];
    await bench.run(
      worker,
      owed.map(({ id }) => id),
      24,
    );
    await expectPaidOnce(...owed);
    const fillers = await bench.sql`select state, amount_base::text as amount from transfers where purpose = 'filler'`;
    expect(fillers).toEqual([
      { state: expect.stringMatching(/mined|executed/), amount: "0" },
      { state: expect.stringMatching(/mined|executed/), amount: "0" },
    ]);
    await bench.enqueuePayment();
    await passes(worker, 4);
    expect((await wallet())?.trouble).toBeNull();
    expect(await listOpenHalts(bench.ctx)).toEqual([]);
  });
});
