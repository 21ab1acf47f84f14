import { toFunctionSelector } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { localKeySigner } from "#server/adapters/signer/local-key.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import type { EvmTransaction } from "#server/ports.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { type ProxyRule, type RpcProxy, startRpcProxy } from "#testing/rpc-proxy.ts";
import { type BenchOptions, openTransferBench, type TransferBench } from "#testing/transfers.ts";

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

async function expectPaidOnce(...owed: Awaited<ReturnType<TransferBench["enqueuePayment"]>>[]): Promise<void> {
  for (const { id, recipient, amountBase } of owed) {
    expect(await bench.transfer(id)).toMatchObject({ state: "executed", failureReason: null });
    expect(await bench.tokenBalance(recipient)).toBe(amountBase);
    expect(await bench.finals(id)).toBe(1);
  }
}

describe("a node that fails", () => {
  it("after it took the transaction, without an answer, is sent the same bytes again and pays once", async () => {
    let swallowed = 0;
    const node = await proxy((method) => (method === "eth_sendRawTransaction" && ++swallowed <= 2 ? "swallow" : "pass"));
    await setUp({ rpcUrls: [node.url] });
    const owed = await bench.enqueuePayment();
    const worker = bench.newWorker();
    await runTransfersOnce(worker, chain.chain);
    expect(await bench.transfer(owed.id)).toMatchObject({ state: "signed", waitingReason: "No node of Test chain can be reached." });
    await bench.run(worker, [owed.id]);
    await expectPaidOnce(owed);
    expect((await bench.transaction(owed.id)).attempts).toHaveLength(1);
  });

  it("now and then, with or without having done what it was asked, makes it slower, and pays once", async () => {
    let calls = 0;
    const node = await proxy(() => (++calls % 13 === 0 ? "swallow" : calls % 11 === 0 ? "refuse" : "pass"));
    await setUp({ rpcUrls: [node.url] });
    const owed = [await bench.enqueuePayment(), await bench.enqueuePayment(), await bench.enqueuePayment()];
    await bench.run(
      bench.newWorker(),
      owed.map(({ id }) => id),
      60,
    );
    await expectPaidOnce(...owed);
  });

  it("altogether leaves everything waiting, visibly, and nothing failed; when it is back all goes on", async () => {
    const node = await proxy();
    await setUp({ rpcUrls: [node.url] });
    const sent = await bench.enqueuePayment();
    const worker = bench.newWorker();
    await runTransfersOnce(worker, chain.chain);
    node.rule = () => "refuse";
    const queued = await bench.enqueuePayment();
    for (let pass = 0; pass < 3; pass += 1) expect(await runTransfersOnce(worker, chain.chain)).toBe("idle");
    expect(await bench.transfer(sent.id)).toMatchObject({ state: "broadcast", waitingReason: "No node of Test chain can be reached." });
    expect(await bench.transfer(queued.id)).toMatchObject({ state: "queued", waitingReason: "No node of Test chain can be reached." });
    node.rule = () => "pass";
    // Another worker, as after a restart, clears what the first one wrote.
    await bench.letLeasesLapse();
    await bench.run(bench.newWorker(), [sent.id, queued.id]);
    await expectPaidOnce(sent, queued);
  });

  it("lacks a block below its newest leaves everything waiting, and says so; once it has the block, all is paid once", async () => {
    let lacking = "";
    const node = await proxy((method, [height]) => (method === "eth_getBlockByNumber" && height === lacking ? { result: null } : "pass"));
    await setUp({ rpcUrls: [node.url] });
    const sent = await bench.enqueuePayment();
    const worker = bench.newWorker();
    await runTransfersOnce(worker, chain.chain);
    lacking = `0x${(Number(await chain.call("eth_blockNumber")) + 1).toString(16)}`;
    await chain.mine(12);
    const queued = await bench.enqueuePayment();
    for (let pass = 0; pass < 3; pass += 1) expect(await runTransfersOnce(worker, chain.chain)).toBe("idle");
    const waitingReason = `A node of Test chain lacks block ${Number(lacking)}, but has newer ones: payments wait.`;
    expect(await bench.transfer(sent.id)).toMatchObject({ state: "broadcast", waitingReason });
    expect(await bench.transfer(queued.id)).toMatchObject({ state: "queued", waitingReason });
    lacking = "";
    await bench.run(worker, [sent.id, queued.id]);
    await expectPaidOnce(sent, queued);
  });

  it("lacks a block that the next one in the list has: the next one speaks for the chain until the first has it", async () => {
    let lacking = "";
    const first = await proxy((method, [height]) => (method === "eth_getBlockByNumber" && height === lacking ? { result: null } : "pass"));
    await setUp({ rpcUrls: [first.url, chain.rpcUrl] });
    const sent = await bench.enqueuePayment();
    const worker = bench.newWorker();
    await runTransfersOnce(worker, chain.chain);
    lacking = `0x${(Number(await chain.call("eth_blockNumber")) + 1).toString(16)}`;
    await chain.mine(12);
    await runTransfersOnce(worker, chain.chain);
    const queued = await bench.enqueuePayment();
    await bench.run(worker, [sent.id, queued.id]);
    await expectPaidOnce(sent, queued);
    expect(worker.memory.lacking.size).toBe(1);
    lacking = "";
    await runTransfersOnce(worker, chain.chain);
    expect(worker.memory.lacking.size).toBe(0);
  });

  it("is replaced by the next one in the list", async () => {
    const first = await proxy(() => "refuse");
    await setUp({ rpcUrls: [first.url, chain.rpcUrl] });
    const owed = await bench.enqueuePayment();
    await bench.run(bench.newWorker(), [owed.id]);
    await expectPaidOnce(owed);
  });

  it("cannot answer for whole blocks is asked for single receipts", async () => {
    const missing = { error: { code: -32601, message: "the method eth_getBlockReceipts does not exist" } };
    const node = await proxy((method) => (method === "eth_getBlockReceipts" ? missing : "pass"));
    await setUp({ rpcUrls: [node.url] });
    const owed = [await bench.enqueuePayment(), await bench.enqueuePayment()];
    await bench.run(
      bench.newWorker(),
      owed.map(({ id }) => id),
    );
    await expectPaidOnce(...owed);
    expect(node.calls).toContain("eth_getBlockReceipts");
  });

  it("says a recipient is refused is not believed when another node contradicts it", async () => {
    const liar = await proxy((method, params) => {
      const isPayment = method === "eth_call" && JSON.stringify(params).includes("0xa9059cbb");
      return isPayment ? { error: { code: 3, message: "execution reverted: no" } } : "pass";
    });
    await setUp({ rpcUrls: [liar.url, chain.rpcUrl] });
    const owed = await bench.enqueuePayment();
    await bench.run(bench.newWorker(), [owed.id], 3);
    expect(await bench.transfer(owed.id)).toMatchObject({ state: "queued", waitingReason: expect.stringContaining("nodes disagree") });
  });
});

describe("a transaction that is not mined", () => {
  it("is sent again, the same bytes, when the node has dropped it", async () => {
    await setUp();
    const owed = await bench.enqueuePayment();
    const worker = bench.newWorker();
    await runTransfersOnce(worker, chain.chain);
    const hash = (await bench.transaction(owed.id)).attempts[0]?.hash;
    expect(await chain.call("anvil_dropTransaction", hash)).toBe(hash);
    expect(await chain.call("eth_getTransactionByHash", hash)).toBeNull();
    await bench.run(worker, [owed.id]);
    await expectPaidOnce(owed);
    expect((await bench.transfer(owed.id)).txHash).toBe(hash);
    expect(bench.lines.map(({ message }) => message)).toContain("the node lost a transaction: sending its bytes again");
  });

  it("is offered at a higher fee under the same nonce, with the same content, and exactly one of them is mined", async () => {
    await setUp({ bumpAfterSeconds: 0 });
    const owed = await bench.enqueuePayment();
    const worker = bench.newWorker();
    for (let pass = 0; pass < 4; pass += 1) await runTransfersOnce(worker, chain.chain);
    const { attempts } = await bench.transaction(owed.id);
    expect(attempts.length).toBeGreaterThanOrEqual(4);
    for (const [index, attempt] of attempts.entries()) {
      const before = attempts[index - 1];
      if (before) expect(attempt.maxFeePerGas * 1000n).toBeGreaterThanOrEqual(before.maxFeePerGas * 1125n);
    }
    const sent = await Promise.all(attempts.map(({ hash }) => chain.call("eth_getTransactionByHash", hash)));
    expect(sent.filter((one) => one !== null)).toHaveLength(1);
    await bench.run(worker, [owed.id]);
    await expectPaidOnce(owed);
    const after = await bench.transaction(owed.id);
    expect(after.attempts.map(({ hash }) => hash)).toContain(after.transfer.txHash);
    const nonces = await Promise.all(attempts.map(async ({ hash }) => (await chain.call("eth_getTransactionReceipt", hash)) !== null));
    expect(nonces.filter(Boolean).length).toBeLessThanOrEqual(1);
  });

  it("stays below the configured cap, and says that it waits for it", async () => {
    await setUp({ bumpAfterSeconds: 0, maxFeePerGasGwei: 2 });
    const owed = await bench.enqueuePayment();
    const worker = bench.newWorker();
    for (let pass = 0; pass < 12; pass += 1) await runTransfersOnce(worker, chain.chain);
    const { attempts, transfer } = await bench.transaction(owed.id);
    for (const { maxFeePerGas } of attempts) expect(maxFeePerGas).toBeLessThanOrEqual(2n * 10n ** 9n);
    expect(transfer.waitingReason).toContain("cap leaves no room");
    await bench.run(worker, [owed.id]);
    await expectPaidOnce(owed);
  });

  it("is not signed at all while the network's fee is above the cap", async () => {
    await setUp({ maxFeePerGasGwei: 0.000001 });
    const owed = await bench.enqueuePayment();
    await bench.run(bench.newWorker(), [owed.id], 2);
    expect(await bench.transfer(owed.id)).toMatchObject({
      state: "queued",
      waitingReason: "The network's fee is above the configured cap.",
    });
  });
});

describe("a reorganisation", () => {
  it("below the confirmations takes it back to broadcast; it is paid once in the end", async () => {
    await setUp({ confirmations: 5 });
    const owed = await bench.enqueuePayment();
    const worker = bench.newWorker();
    await runTransfersOnce(worker, chain.chain);
    await chain.mine(2);
    await runTransfersOnce(worker, chain.chain);
    const before = await bench.transfer(owed.id);
    expect(before.state).toBe("mined");
    await chain.call("anvil_reorg", 3, []);
    await runTransfersOnce(worker, chain.chain);
    expect(bench.moves).toContain("mined broadcast");
    expect(bench.lines.map(({ message }) => message)).toContain("the chain was reorganised");
    const [done] = await bench.run(worker, [owed.id], 20);
    expect(done?.blockHash).not.toBe(before.blockHash);
    await expectPaidOnce(owed);
  });

  it("that puts the transaction into another block ends once, there", async () => {
    await setUp({ confirmations: 5 });
    const owed = await bench.enqueuePayment();
    const worker = bench.newWorker();
    await runTransfersOnce(worker, chain.chain);
    await chain.mine(1);
    await runTransfersOnce(worker, chain.chain);
    const raw = (await bench.transaction(owed.id)).attempts[0]?.rawBytes;
    await chain.call("anvil_reorg", 2, [[raw, 1]]);
    await bench.run(worker, [owed.id], 20);
    await expectPaidOnce(owed);
  });

  it("that makes the chain shorter is followed too", async () => {
    await setUp({ confirmations: 4 });
    const owed = await bench.enqueuePayment();
    const worker = bench.newWorker();
    await runTransfersOnce(worker, chain.chain);
    const snapshot = await chain.call("evm_snapshot");
    await chain.mine(3);
    await runTransfersOnce(worker, chain.chain);
    expect((await bench.transfer(owed.id)).state).toBe("mined");
    await chain.call("evm_revert", snapshot);
    await bench.run(worker, [owed.id], 24);
    await expectPaidOnce(owed);
  });

  it("deeper than the confirmations jams nothing: what the chain forgot is sent again, the same bytes, before what comes later", async () => {
    await setUp({ confirmations: 2 });
    const first = await bench.enqueuePayment();
    const worker = bench.newWorker();
    const snapshot = await chain.call("evm_snapshot");
    await bench.run(worker, [first.id]);
    await expectPaidOnce(first);
    await chain.call("evm_revert", snapshot);
    expect(await bench.tokenBalance(first.recipient)).toBe(0n);
    const second = await bench.enqueuePayment();
    await bench.run(worker, [second.id], 24);
    await expectPaidOnce(first, second);
  });
});

describe("a nonce that something else has spent", () => {
  it("puts the transfer under review, by two nodes' word, and it is never sent again", async () => {
    const witness = await proxy();
    await setUp({ rpcUrls: [chain.rpcUrl, witness.url] });
    const owed = await bench.enqueuePayment();
    const worker = bench.newWorker();
    await runTransfersOnce(worker, chain.chain);
    await chain.call("anvil_dropTransaction", (await bench.transaction(owed.id)).attempts[0]?.hash);
    await bench.spendOutside(bench.keys[0] as `0x${string}`, 0);
    await chain.mine();
    witness.rule = () => "refuse";
    await bench.run(worker, [owed.id], 8);
    expect(await bench.transfer(owed.id)).toMatchObject({
      state: "broadcast",
      waitingReason: expect.stringContaining("second node must confirm"),
    });
    witness.rule = () => "pass";
    const [reviewed] = await bench.run(worker, [owed.id], 8);
    expect(reviewed).toMatchObject({ state: "needs_review", reviewReason: expect.stringContaining("not ours"), txHash: null });
    const sends = witness.calls.length;
    await bench.run(worker, [owed.id], 3);
    expect(await bench.tokenBalance(owed.recipient)).toBe(0n);
    expect(await bench.finals(owed.id)).toBe(0);
    expect(witness.calls.slice(sends)).not.toContain("eth_sendRawTransaction");
  });
});

describe("a transaction that the chain reverts", () => {
  it("ends in failed at the confirmations' depth, with the replayed reason", async () => {
    await setUp();
    const owed = await bench.enqueuePayment();
    const worker = bench.newWorker();
    await runTransfersOnce(worker, chain.chain);
    // The issuer blocks the recipient after the payment was signed, in the same block but before it.
    await blockWallet(owed.recipient);
    const [failed] = await bench.run(worker, [owed.id]);
    expect(failed).toMatchObject({ state: "failed", failureReason: "The token's blocklist refuses this recipient." });
    expect(failed?.txHash).toMatch(/^0x/);
    expect(await bench.finals(owed.id)).toBe(1);
  });

  it("although the receipt says success goes under review when the token did not say that it moved the amount", async () => {
    const node = await proxy();
    await setUp({ rpcUrls: [node.url] });
    const owed = await bench.enqueuePayment();
    const worker = bench.newWorker();
    await runTransfersOnce(worker, chain.chain);
    const { hash } = (await bench.transaction(owed.id)).attempts[0] ?? { hash: "" };
    await chain.mine();
    const receipt = (await chain.call("eth_getTransactionReceipt", hash)) as object;
    node.rule = (method) => (method === "eth_getTransactionReceipt" ? { result: { ...receipt, logs: [] } } : "pass");
    const [reviewed] = await bench.run(worker, [owed.id]);
    expect(reviewed).toMatchObject({ state: "needs_review", reviewReason: expect.stringContaining("does not say that it moved") });
  });
});

async function blockWallet(wallet: string): Promise<void> {
  const owner = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
  const data = `${toFunctionSelector("blockWallet(address)")}${wallet.slice(2).toLowerCase().padStart(64, "0")}`;
  await chain.call("eth_sendTransaction", {
    from: owner,
    to: chain.tokens.USDT,
    data,
    gas: "0x30d40",
    maxFeePerGas: "0x174876e800",
    maxPriorityFeePerGas: "0x174876e800",
  });
}

describe("a signer", () => {
  it("that changes a single field is found out before anything is stored or sent, and burns no nonce", async () => {
    const key = generatePrivateKey();
    const honest = localKeySigner(async () => key);
    let tamper = true;
    const signer = {
      kind: honest.kind,
      address: honest.address,
      signTransaction: (unsigned: EvmTransaction) =>
        honest.signTransaction(tamper ? { ...unsigned, to: privateKeyToAddress(generatePrivateKey()) } : unsigned),
    };
    await setUp({ signers: [signer], funded: false });
    await chain.fund(privateKeyToAddress(key));
    const owed = await bench.enqueuePayment();
    const worker = bench.newWorker();
    await bench.run(worker, [owed.id], 3);
    expect(await bench.transfer(owed.id)).toMatchObject({
      state: "queued",
      waitingReason: "The treasury wallet's signer refuses to sign.",
    });
    tamper = false;
    await bench.run(worker, [owed.id]);
    await expectPaidOnce(owed);
    expect((await bench.transaction(owed.id)).nonce).toBe(0);
  });

  it("that cannot be opened leaves everything waiting, and says so", async () => {
    const broken = {
      kind: "keystore" as const,
      address: () => Promise.reject(new Error("wrong password")),
      signTransaction: () => Promise.reject(new Error("never")),
    };
    await setUp({ signers: [broken], funded: false });
    const owed = await bench.enqueuePayment();
    await bench.run(bench.newWorker(), [owed.id], 2);
    expect(await bench.transfer(owed.id)).toMatchObject({ state: "queued", waitingReason: "No treasury wallet's signer can be opened." });
  });
});
