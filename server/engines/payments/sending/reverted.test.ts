import { toFunctionSelector } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { askRule } from "#db/queries/audit/rules/rule.ts";
import { transferRules } from "#db/queries/audit/rules/transfers.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import { findAnsweringNode } from "#server/services/ledger/answering-chain.ts";
import { auditChain } from "#server/services/ledger/audit-chain.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { type ProxyRule, type RpcProxy, startRpcProxy } from "#testing/rpc-proxy.ts";
import { type BenchOptions, newAddress, openTransferBench, type TransferBench } from "#testing/transfers.ts";

const TOKEN_OWNER = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";

let chain: TestChain;
let bench: TransferBench;
const proxies: RpcProxy[] = [];

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

async function setUp(options?: BenchOptions) {
  bench = await openTransferBench(chain, options);
}

async function proxy(rule?: ProxyRule): Promise<RpcProxy> {
  const made = await startRpcProxy(chain.rpcUrl, rule);
  proxies.push(made);
  return made;
}

const word = (value: string | bigint) => (typeof value === "bigint" ? value.toString(16) : value.slice(2).toLowerCase()).padStart(64, "0");

/** Somebody else's wallet with this much of the token, whose owner acts through the node. */
async function holder(amountBase: bigint): Promise<string> {
  const address = newAddress();
  await chain.call("anvil_setBalance", address, "0xde0b6b3a7640000");
  await chain.call("anvil_impersonateAccount", address);
  await chain.callToken("mint(address,uint256)", [address, amountBase]);
  await chain.mine();
  return address;
}

/** Every nonce of the transfer, and whether it was superseded. */
async function noncesOf(id: string) {
  const rows =
    await bench.sql`select nonce::int, superseded_at is not null as vain from transactions where transfer_id = ${id} order by nonce`;
  return rows.map(({ nonce, vain }) => [nonce, vain]);
}

async function expectPaidOnce(owed: Awaited<ReturnType<TransferBench["enqueuePayment"]>>): Promise<void> {
  expect(await bench.transfer(owed.id)).toMatchObject({ state: "executed", failureReason: null, waitingReason: null });
  expect(await bench.tokenBalance(owed.recipient)).toBe(owed.amountBase);
  expect(await bench.finals(owed.id)).toBe(1);
  expect(await violations()).toEqual([]);
}

async function violations(): Promise<string[]> {
  const info = bench.ctx.evm.find(chain.chain);
  const answering = info && (await findAnsweringNode(info));
  if (!answering) throw new Error("no node answers");
  const rules = await Promise.all(transferRules(null).map((rule) => askRule(bench.db, rule)));
  const found = [...rules, ...(await auditChain(bench.ctx, answering, { scope: null, endedSince: null }))];
  return found.flatMap(({ rule, violations: each }) => each.map(({ subject, detail }) => `${rule}: ${subject} ${detail}`));
}

describe("a recipient that is emptied between the simulation and the block", () => {
  it("is paid all the same: there is gas for what that costs more", async () => {
    await setUp();
    const recipient = await holder(5_000_000n);
    const owed = await bench.enqueuePayment({ recipient });
    const worker = bench.newWorker();
    await runTransfersOnce(worker, chain.chain);
    await chain.callToken("transfer(address,uint256)", [TOKEN_OWNER, 5_000_000n], recipient);
    await bench.run(worker, [owed.id]);
    await expectPaidOnce(owed);
    expect(await noncesOf(owed.id)).toEqual([[0, false]]);
  });

  it("is estimated again at a bump", async () => {
    let gas = "0x7530"; // 30,000: more than 40,000 too little
    const node = await proxy((method) => (method === "eth_estimateGas" ? { result: gas } : "pass"));
    await setUp({ rpcUrls: [node.url], bumpAfterSeconds: 0 });
    const owed = await bench.enqueuePayment();
    const worker = bench.newWorker();
    await runTransfersOnce(worker, chain.chain);
    gas = "0x186a0"; // 100,000
    await runTransfersOnce(worker, chain.chain);
    gas = "0x7530";
    await runTransfersOnce(worker, chain.chain);
    const limits = (await bench.transaction(owed.id)).attempts.map(({ gasLimit }) => gasLimit);
    expect([...new Set(limits)]).toEqual([70_000n, 150_000n]); // never less again
    await bench.run(worker, [owed.id]);
    await expectPaidOnce(owed);
  });
});

describe("a payment that ran out of gas", () => {
  it("is made again under the next nonce once the first is final, and is paid once", async () => {
    let lies = 1;
    const node = await proxy((method) => (method === "eth_estimateGas" && lies-- > 0 ? { result: "0x0" } : "pass"));
    await setUp({ rpcUrls: [node.url], confirmations: 3 });
    const owed = await bench.enqueuePayment();
    const worker = bench.newWorker();
    await runTransfersOnce(worker, chain.chain);
    for (let block = 1; block < 3; block += 1) {
      await chain.mine();
      await runTransfersOnce(worker, chain.chain);
      expect(await noncesOf(owed.id)).toEqual([[0, false]]); // reverted, and not final yet: no second one
    }
    await bench.run(worker, [owed.id]);
    await expectPaidOnce(owed);
    expect(await noncesOf(owed.id)).toEqual([
      [0, true],
      [1, false],
    ]);
    expect(bench.moves).toContain("mined queued");
  });

  it("again and again is for a person to look at, and every nonce moved nothing", async () => {
    const node = await proxy((method) => (method === "eth_estimateGas" ? { result: "0x0" } : "pass"));
    await setUp({ rpcUrls: [node.url], confirmations: 1 });
    const owed = await bench.enqueuePayment();
    const [reviewed] = await bench.run(bench.newWorker(), [owed.id], 30);
    expect(reviewed).toMatchObject({ state: "needs_review", reviewReason: expect.stringContaining("5 times") });
    expect(await bench.tokenBalance(owed.recipient)).toBe(0n);
    expect(await noncesOf(owed.id)).toHaveLength(5);
  });

  it("and that an operator wanted cancelled is not made again", async () => {
    const node = await proxy((method) => (method === "eth_estimateGas" ? { result: "0x0" } : "pass"));
    await setUp({ rpcUrls: [node.url], confirmations: 1 });
    const owed = await bench.enqueuePayment();
    const worker = bench.newWorker();
    await runTransfersOnce(worker, chain.chain);
    await chain.mine();
    await bench.sql`update transfers set cancel_requested_at = clock_timestamp() where id = ${owed.id}`;
    const [failed] = await bench.run(worker, [owed.id]);
    expect(failed).toMatchObject({ state: "failed", failureReason: "An operator cancelled the payment before it was made." });
    expect(await violations()).toEqual([]);
  });

  it("and is a deployment, whose nonce was in the answer, fails", async () => {
    let lies = 1;
    const node = await proxy((method) => (method === "eth_estimateGas" && lies-- > 0 ? { result: "0x0" } : "pass"));
    await setUp({ rpcUrls: [node.url], confirmations: 1 });
    const data = toFunctionSelector("approve(address,uint256)") + word(newAddress()) + word(1n);
    const owed = await bench.enqueuePayment({
      purpose: "deployment",
      amountBase: 0n,
      call: { to: chain.tokens.USDT, valueBase: 0n, data },
    });
    const [failed] = await bench.run(bench.newWorker(), [owed.id]);
    expect(failed).toMatchObject({ state: "failed", failureReason: "It ran out of gas." });
    expect(await noncesOf(owed.id)).toEqual([[0, false]]);
  });

  it("on one node's word alone is not made again while a second one is configured", async () => {
    let lies = 1;
    const node = await proxy((method) => (method === "eth_estimateGas" && lies-- > 0 ? { result: "0x0" } : "pass"));
    const witness = await proxy();
    await setUp({ rpcUrls: [node.url, witness.url], confirmations: 1 });
    const owed = await bench.enqueuePayment();
    const worker = bench.newWorker();
    await runTransfersOnce(worker, chain.chain);
    witness.rule = () => "refuse";
    await bench.run(worker, [owed.id], 4);
    expect(await bench.transfer(owed.id)).toMatchObject({
      state: "mined",
      waitingReason: expect.stringContaining("second node must confirm"),
    });
    expect(await noncesOf(owed.id)).toEqual([[0, false]]);
    witness.rule = () => "pass";
    await bench.run(worker, [owed.id]);
    await expectPaidOnce(owed);
  });
});

describe("an issuer's pause", () => {
  it("is no end: a payment waits for it before and after it is signed, and is paid once when it is over", async () => {
    await setUp();
    const [worker, signed] = [bench.newWorker(), await bench.enqueuePayment()];
    await runTransfersOnce(worker, chain.chain);
    await chain.callToken("pause()");
    await chain.mine();
    const queued = await bench.enqueuePayment();
    try {
      await bench.run(worker, [signed.id, queued.id], 6);
      for (const { id } of [signed, queued])
        expect(await bench.transfer(id)).toMatchObject({ state: "queued", waitingReason: "The token's issuer has paused all transfers." });
    } finally {
      await chain.callToken("unpause()");
      await chain.mine();
    }
    await bench.run(worker, [signed.id, queued.id]);
    await expectPaidOnce(signed);
    await expectPaidOnce(queued);
  });
});

describe("a treasury that is too short for what was signed", () => {
  it("ends no payment: what the chain reverted waits for the treasury and is paid once", async () => {
    const treasury = { lies: false };
    const node = await proxy((method, params) => {
      // A node that shows twice the treasury's balance.
      const asked = JSON.stringify(params);
      const isBalance = method === "eth_call" && asked.includes("0x70a08231") && treasury.lies;
      return isBalance ? { result: `0x${word(40_000_000n)}` } : "pass";
    });
    await setUp({ rpcUrls: [node.url] });
    await chain.call("anvil_impersonateAccount", bench.addresses[0]);
    await chain.callToken("transfer(address,uint256)", [TOKEN_OWNER, 1_000_000_000_000n - 20_000_000n], bench.addresses[0] ?? "");
    await chain.mine();
    await chain.call("anvil_stopImpersonatingAccount", bench.addresses[0]);
    treasury.lies = true;
    const worker = bench.newWorker();
    const owed = [await bench.enqueuePayment(), await bench.enqueuePayment()];
    await runTransfersOnce(worker, chain.chain);
    treasury.lies = false;
    await bench.run(
      worker,
      owed.map(({ id }) => id),
      6,
    );
    const states = await Promise.all(owed.map(async ({ id }) => (await bench.transfer(id)).state));
    expect(states.toSorted()).toEqual(["executed", "queued"]);
    await chain.callToken("mint(address,uint256)", [bench.addresses[0] ?? "", 20_000_000n]);
    await chain.mine();
    await bench.run(
      worker,
      owed.map(({ id }) => id),
    );
    for (const one of owed) await expectPaidOnce(one);
  });
});
