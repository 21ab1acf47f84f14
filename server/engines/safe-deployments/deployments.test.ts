import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { type Address, getAddress, keccak256, zeroAddress } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { findSafeDeployment } from "#db/queries/safes/safe-deployments.ts";
import { ensureWallet } from "#db/queries/transfers/wallets.ts";
import { auditEntries } from "#db/schema/audit-log.ts";
import { members } from "#db/schema/members.ts";
import { safeDeployments } from "#db/schema/safe-deployments.ts";
import { transfers } from "#db/schema/transfers.ts";
import type { By } from "#domain/access.ts";
import type { Member } from "#domain/member.ts";
import { SAFE_CONTRACTS, SAFE_VERSIONS } from "#domain/safe.ts";
import type { EthTx, SafeDeployment } from "#domain/safe-deployment.ts";
import { deploySafeContracts, ensureSafe } from "#sandbox/chain/safes.ts";
import { codeHashOf } from "#server/adapters/chain/evm/safe/canonical.ts";
import { safeContracts } from "#server/adapters/chain/evm/safe/safe-contracts.ts";
import { TRANSFER_STEPS, type TransferEngine } from "#server/engines/payments/engine.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import type { EvmNode } from "#server/ports.ts";
import { deployMemberSafe, readMemberSafe } from "#server/services/members/member-safes.ts";
import { createSafe, createSafeContract } from "#server/services/safes/ask-deployment.ts";
import { awaitDeployment } from "#server/services/safes/await-deployment.ts";
import { completeOwner } from "#server/services/settlements/complete-owner.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { Died, runToDeath } from "#testing/death.ts";
import { startRpcProxy } from "#testing/rpc-proxy.ts";
import { addDeployingMember } from "#testing/safes.ts";
import { type BenchOptions, newAddress, openTransferBench, type TransferBench } from "#testing/transfers.ts";
import { processDeployments } from "./process-deployments.ts";

const BY: By = { actor: { type: "operator_key", apiKeyId: randomUUID() }, requestId: "req_test" };

/** A separate chain with Safe contracts, and one without. */
let chain: TestChain;
let bare: TestChain;
let bench: TransferBench;
let requests = 0;

beforeAll(async () => {
  [chain, bare] = await Promise.all([startTestChain({ noMining: true }), startTestChain({ noMining: true })]);
  await deploySafeContracts(chain.rpcUrl);
});
afterEach(() => bench.close());
afterAll(() => Promise.all([chain.stop(), bare.stop()]));

async function setUp({ on = chain, ...options }: BenchOptions & { on?: TestChain } = {}) {
  bench = await openTransferBench(on, { onFinal: completeOwner, ...options });
  // The service knows its wallets: a Safe is assigned to one that signs.
  for (const address of bench.addresses) await ensureWallet(bench.db, { chain: on.chain, address, now: new Date() });
  const worker = bench.newWorker();
  return { worker, node: bench.ctx.evm.list()[0]?.nodes[0] as EvmNode, treasury: bench.addresses[0] as Address };
}

const wish = (idempotencyKey: string | null = null) => ({
  by: { ...BY, requestId: `req_${++requests}` },
  path: "/safes",
  idempotencyKey,
  chain: chain.chain,
});
const wanted = (more: Partial<Parameters<typeof createSafe>[1]> = {}) => ({
  ...wish(),
  owners: [newAddress(), newAddress()],
  threshold: 2,
  version: "1.4.1" as const,
  ...more,
});

async function found(id: string): Promise<SafeDeployment> {
  const deployment = await findSafeDeployment(bench.db, id);
  if (deployment === null) throw new Error(`no deployment ${id}`);
  return deployment;
}

/** Everything a worker does, with a block mined after each pass, until the deployment has ended. */
async function run(worker: TransferEngine, id: string, { on = chain, passes = 24 } = {}): Promise<SafeDeployment> {
  for (let pass = 0; pass < passes; pass += 1) {
    await processDeployments(bench.ctx, on.chain);
    await runTransfersOnce(worker, on.chain);
    await bench.sql`update safe_deployments set look_at = clock_timestamp() where look_at is not null`;
    const now = await found(id);
    if (now.state === "deployed" || now.state === "failed") return now;
    await on.mine();
  }
  return await found(id);
}

/** The result on the chain, field by field. */
async function expectOnChain(tx: EthTx, on = chain) {
  const mined = (await on.call("eth_getTransactionByHash", tx.txHash)) as Record<string, string>;
  expect({
    from: getAddress(String(mined.from)),
    to: mined.to === null ? null : getAddress(String(mined.to)),
    data: mined.input,
    valueBase: BigInt(String(mined.value)),
    gas: BigInt(String(mined.gas)),
    nonce: Number(mined.nonce),
    chainId: Number(mined.chainId),
  }).toEqual({ ...tx, txHash: undefined, contractAddress: undefined });
  const receipt = (await on.call("eth_getTransactionReceipt", tx.txHash)) as { contractAddress: string | null; status: string } | null;
  if (receipt?.contractAddress) expect(getAddress(receipt.contractAddress)).toBe(tx.contractAddress);
}

describe("a Safe that an operator asks for", () => {
  for (const version of SAFE_VERSIONS) {
    it(`of ${version} is deployed in the end as it was asked for, and the answer is its transaction`, async () => {
      const { worker, node } = await setUp();
      const command = wanted({ version });
      const { id } = await createSafe(bench.ctx, command);
      expect(await run(worker, id)).toMatchObject({ state: "deployed", failureReason: null });
      const tx = await awaitDeployment(bench.ctx, { id, keep: false });
      await expectOnChain(tx);
      expect(await node.safe(tx.contractAddress)).toEqual({
        address: tx.contractAddress,
        fallbackHandler: safeContracts.homes("fallback_handler", version)[0]?.address,
        guard: zeroAddress,
        masterCopy: safeContracts.homes("master_copy", version)[0]?.address,
        modules: [],
        nonce: 0,
        owners: command.owners,
        threshold: 2,
        version,
      });
      expect(keccak256((await node.code(tx.contractAddress)) as `0x${string}`)).toBe(codeHashOf("proxy", version));
    });
  }

  it("is another one each time, in the audit log each time", async () => {
    const { worker } = await setUp();
    const command = wanted();
    const one = await createSafe(bench.ctx, command);
    const two = await createSafe(bench.ctx, { ...command, ...wish() });
    const [first, second] = [await run(worker, one.id), await run(worker, two.id)];
    expect(first.address).not.toBe(second.address);
    const entries = await bench.db.select({ action: auditEntries.action, objectId: auditEntries.objectId }).from(auditEntries);
    expect(entries).toEqual([one, two].map(({ id }) => ({ action: "safe_deployment.requested", objectId: id })));
  });

  it("is refused with impossible owners, on a chain without Safes, and without the permission", async () => {
    await setUp();
    const refused = async (more: Partial<Parameters<typeof createSafe>[1]>) => {
      const error = await createSafe(bench.ctx, wanted(more)).catch((thrown: unknown) => thrown);
      return Object(error);
    };
    const owner = newAddress();
    const broken = owner.replace(/[a-f]/, (letter) => letter.toUpperCase()).replace(/[A-F](?=[^A-F]*$)/, (letter) => letter.toLowerCase());
    const badOwners = [zeroAddress, "0x0000000000000000000000000000000000000001", "0x12", "owner"];
    for (const bad of badOwners) {
      const refusal = await refused({ owners: [owner, bad] });
      expect(refusal).toMatchObject({ code: "invalid_wallet_address", particulars: { errors: [{ pointer: "/owners/1" }] } });
    }
    if (broken !== owner) expect(await refused({ owners: [broken] })).toMatchObject({ code: "invalid_wallet_address" });
    expect(await refused({ owners: [owner, owner.toLowerCase()] })).toMatchObject({ code: "validation_failed" });
    expect(await refused({ owners: [owner], threshold: 2 })).toMatchObject({ code: "validation_failed" });
    expect(await refused({ owners: [owner], threshold: 0 })).toMatchObject({ code: "validation_failed" });
    expect(await refused({ chain: "eip155:5", threshold: 1 })).toMatchObject({ code: "unsupported_chain" });
    const partner: By = { actor: { type: "api_key", apiKeyId: randomUUID(), partnerId: randomUUID() }, requestId: null };
    expect(await refused({ by: partner })).toMatchObject({ code: "forbidden" });
    expect(await bench.db.select().from(safeDeployments)).toEqual([]);
  });

  it("that somebody else has already deployed counts as deployed, although its own transaction failed", async () => {
    const { worker } = await setUp();
    const command = wanted();
    const { id } = await createSafe(bench.ctx, command);
    await processDeployments(bench.ctx, chain.chain);
    const owed = await found(id);
    const { owners, threshold } = command;
    const safe = await ensureSafe(chain.rpcUrl, { version: "1.4.1", owners, threshold, saltNonce: BigInt(owed.saltNonce ?? 0) });
    expect(safe).toBe(owed.address);
    expect(await run(worker, id)).toMatchObject({ state: "deployed", failureReason: null });
    await expect(awaitDeployment(bench.ctx, { id, keep: false })).rejects.toMatchObject({ code: "conflict" });
  });
});

describe("workers that process deployments", () => {
  it("at the same time owe each of them once", async () => {
    const { worker } = await setUp();
    const asked = await Promise.all([1, 2, 3, 4].map(() => createSafe(bench.ctx, wanted())));
    await Promise.all([1, 2, 3].map(() => processDeployments(bench.ctx, chain.chain)));
    expect(await bench.db.$count(transfers)).toBe(4);
    for (const { id } of asked) expect(await run(worker, id)).toMatchObject({ state: "deployed" });
    await Promise.all([1, 2, 3].map(() => processDeployments(bench.ctx, chain.chain)));
    expect(await chain.call("eth_getTransactionCount", bench.addresses[0], "latest")).toBe("0x4");
  });

  it("take a node that is silent or behind for no word against what was made", async () => {
    const node = await startRpcProxy(chain.rpcUrl);
    const { worker } = await setUp({ rpcUrls: [node.url] });
    const { id } = await createSafe(bench.ctx, wanted());
    node.rule = () => "refuse";
    expect(await processDeployments(bench.ctx, chain.chain)).toBe("idle");
    expect(await found(id)).toMatchObject({ state: "asked", waitingReason: "No node of Test chain can be reached." });
    node.rule = () => "pass";
    await bench.sql`update safe_deployments set look_at = clock_timestamp()`;
    for (let pass = 0; pass < 8 && (await found(id)).state !== "made"; pass += 1) {
      await processDeployments(bench.ctx, chain.chain);
      await runTransfersOnce(worker, chain.chain);
      await chain.mine();
    }
    const old = (await chain.call("eth_getBlockByNumber", "0x0", false)) as object;
    node.rule = (method) => (method === "eth_getBlockByNumber" ? { result: old } : "pass");
    await processDeployments(bench.ctx, chain.chain);
    expect(await found(id)).toMatchObject({ state: "made", waitingReason: "No node of Test chain can be reached." });
    node.rule = () => "pass";
    expect(await run(worker, id)).toMatchObject({ state: "deployed", waitingReason: null });
    await node.stop();
  });
});

describe("a contract that Safes are built on", () => {
  for (const version of SAFE_VERSIONS) {
    for (const contract of SAFE_CONTRACTS) {
      it(`(${contract} ${version}) is deployed once a call, with the canonical code`, async () => {
        const { worker, node } = await setUp();
        const one = await createSafeContract(bench.ctx, { ...wish(), contract, version });
        const two = await createSafeContract(bench.ctx, { ...wish(), contract, version });
        await run(worker, one.id);
        await run(worker, two.id);
        const txs = await Promise.all([one, two].map(({ id }) => awaitDeployment(bench.ctx, { id, keep: false })));
        expect(new Set(txs.map(({ contractAddress }) => contractAddress)).size).toBe(2);
        for (const tx of txs) {
          await expectOnChain(tx);
          expect(tx.to).toBeNull();
          expect(keccak256((await node.code(tx.contractAddress)) as `0x${string}`)).toBe(codeHashOf(contract, version));
        }
      });
    }
  }

  it("is deployed by the service itself where the chain has none, once for all Safes that wait for it", async () => {
    const { worker, node } = await setUp({ on: bare, confirmations: 2 });
    const asked = [await createSafe(bench.ctx, wanted()), await createSafe(bench.ctx, wanted())];
    for (const { id } of asked) expect(await run(worker, id, { on: bare, passes: 30 })).toMatchObject({ state: "deployed" });
    const shared = await bench.db.select().from(safeDeployments).where(eq(safeDeployments.shared, true));
    expect(shared.map(({ kind, state }) => `${kind} ${state}`).sort()).toEqual(SAFE_CONTRACTS.map((kind) => `${kind} deployed`).sort());
    for (const { kind, address } of shared) {
      if (kind === "safe" || kind === "owner_swap") throw new Error("a Safe is not shared");
      expect(address).toBe(safeContracts.homes(kind, "1.4.1")[0]?.address);
      expect(safeContracts.recognise(await node.code(address ?? ""))).toEqual({ contract: kind, version: "1.4.1" });
    }
  });

  it("that an operator has deployed serves Safes on a chain without the well-known deployers", async () => {
    const deployers = ["0x4e59b44847b379578588920cA78FbF26c0B4956C", "0x914d7Fec6aaC8cd542e72Bca78B30650d45643d7"];
    for (const deployer of deployers) await bare.call("anvil_setCode", deployer, "0x");
    const { worker, node } = await setUp({ on: bare, confirmations: 1 });
    const { id } = await createSafeContract(bench.ctx, { ...wish(), contract: "master_copy", version: "1.3.0" });
    const { address } = await run(worker, id, { on: bare });
    const safe = await createSafe(bench.ctx, wanted({ version: "1.3.0" }));
    const made = await run(worker, safe.id, { on: bare, passes: 30 });
    expect(made).toMatchObject({ state: "deployed" });
    expect(await node.safe(made.address ?? "")).toMatchObject({ masterCopy: address, version: "1.3.0", owners: made.owners });
    const shared = await bench.db.select({ kind: safeDeployments.kind }).from(safeDeployments).where(eq(safeDeployments.shared, true));
    expect(shared.map(({ kind }) => kind).sort()).toEqual(["fallback_handler", "proxy_factory"]);
  });

  it("is not taken for deployed when the chain holds other code than the canonical", async () => {
    const { worker } = await setUp();
    const { id } = await createSafeContract(bench.ctx, { ...wish(), contract: "fallback_handler", version: "1.4.1" });
    for (let pass = 0; pass < 8 && (await found(id)).state !== "made"; pass += 1) {
      await processDeployments(bench.ctx, chain.chain);
      await runTransfersOnce(worker, chain.chain);
      await chain.mine();
    }
    await chain.call("anvil_setCode", (await found(id)).address, "0x6001");
    expect(await run(worker, id)).toMatchObject({
      state: "failed",
      failureReason: expect.stringContaining("is not the one that was to be deployed"),
    });
  });
});

describe("the answer to the caller", () => {
  it("comes as soon as the transaction is in a block, while a worker works", async () => {
    const { worker } = await setUp();
    const { id } = await createSafe(bench.ctx, wanted());
    const answer = awaitDeployment(bench.ctx, { id, keep: false });
    await processDeployments(bench.ctx, chain.chain);
    await runTransfersOnce(worker, chain.chain);
    await chain.mine();
    await runTransfersOnce(worker, chain.chain);
    const tx = await answer;
    expect(await chain.call("eth_getTransactionReceipt", tx.txHash)).toMatchObject({ status: "0x1" });
    await expectOnChain(tx);
  });

  it("is the signed transaction when no block comes in time; its nonce and its contract's address hold", async () => {
    const { worker } = await setUp();
    const { id } = await createSafeContract(bench.ctx, { ...wish(), contract: "master_copy", version: "1.3.0" });
    await processDeployments(bench.ctx, chain.chain);
    await runTransfersOnce(worker, chain.chain);
    const early = await awaitDeployment(bench.ctx, { id, keep: false, patienceMs: 0 });
    const done = await run(worker, id);
    const late = await awaitDeployment(bench.ctx, { id, keep: false });
    expect(late).toEqual(early);
    expect(done.address).toBe(early.contractAddress);
  });

  it("is that nothing was done, and nothing ever will be, while the worker is away", async () => {
    const { worker } = await setUp();
    const queued = await createSafe(bench.ctx, wanted());
    await processDeployments(bench.ctx, chain.chain);
    const asked = await createSafe(bench.ctx, wanted());
    for (const { id } of [queued, asked]) {
      await expect(awaitDeployment(bench.ctx, { id, keep: false, patienceMs: 0 })).rejects.toMatchObject({
        code: "temporarily_unavailable",
        particulars: { retryAfterSeconds: 10 },
      });
    }
    for (const { id } of [queued, asked]) expect(await run(worker, id, { passes: 4 })).toMatchObject({ state: "failed" });
    expect((await bench.db.select().from(transfers)).map(({ state, txHash }) => [state, txHash])).toEqual([["failed", null]]);
    expect(await chain.call("eth_getTransactionCount", bench.addresses[0], "latest")).toBe("0x0");
  });

  it("is the same under the same Idempotency-Key, however often and whenever it is asked; the action is done once", async () => {
    const { worker } = await setUp();
    const command = wanted({ idempotencyKey: "once" });
    const { id } = await createSafe(bench.ctx, command);
    await expect(awaitDeployment(bench.ctx, { id, keep: true, patienceMs: 0 })).rejects.toMatchObject({ code: "temporarily_unavailable" });
    const repeats = await Promise.all(
      [1, 2, 3].map(() => createSafe(bench.ctx, { ...command, by: { ...BY, requestId: `req_${++requests}` } })),
    );
    expect(repeats.map((repeat) => repeat.id)).toEqual([id, id, id]);
    expect(await run(worker, id)).toMatchObject({ state: "deployed" });
    const again = await createSafe(bench.ctx, command);
    expect(again.id).toBe(id);
    expect(await bench.db.select().from(transfers)).toHaveLength(1);
    await expect(createSafe(bench.ctx, { ...command, threshold: 1 })).rejects.toMatchObject({ code: "idempotency_key_reused" });
    const elsewhere = await createSafe(bench.ctx, { ...command, path: "/elsewhere" });
    expect(elsewhere.id).not.toBe(id);
    await bench.sql`update safe_deployments set request_until = clock_timestamp() - interval '1 second'`;
    expect((await createSafe(bench.ctx, { ...command, threshold: 1 })).id).not.toBe(id);
  });

  it("is a conflict with the reason when the deployment has failed", async () => {
    const { worker } = await setUp({ funded: false });
    const { id } = await createSafe(bench.ctx, wanted());
    await processDeployments(bench.ctx, chain.chain);
    await runTransfersOnce(worker, chain.chain);
    const waiting = awaitDeployment(bench.ctx, { id, keep: true, patienceMs: 0 });
    await expect(waiting).rejects.toMatchObject({ particulars: { detail: expect.stringContaining("holds too little ETH") } });
    await bench.sql`update safe_deployments set state = 'failed', failure_reason = 'It was refused.', look_at = null where id = ${id}`;
    await expect(awaitDeployment(bench.ctx, { id, keep: true })).rejects.toMatchObject({ code: "conflict", message: "It was refused." });
  });
});

describe("a member's Safe", () => {
  const addMember = () => addDeployingMember(bench, chain.chain);
  const state = async ({ id }: Member) => {
    const [row] = await bench.db.select().from(members).where(eq(members.id, id));
    return row;
  };
  const deploymentOf = async ({ id }: Member) => {
    const rows = await bench.db.select().from(safeDeployments).where(eq(safeDeployments.memberId, id));
    return rows.map((row) => row.id);
  };

  it("is 1.4.1, owned by the service's own wallet alone, and the member's wallet once it is deployed", async () => {
    const { worker, node, treasury } = await setUp();
    const member = await addMember();
    const query = { partnerId: member.partnerId, name: member.externalUserId };
    await expect(readMemberSafe(bench.ctx, query)).rejects.toMatchObject({ code: "not_found" });
    await processDeployments(bench.ctx, chain.chain);
    const predicted = await state(member);
    expect(predicted).toMatchObject({ safeStatus: "deploying", walletAddress: expect.stringMatching(/^0x/) });
    await run(worker, (await deploymentOf(member))[0] ?? "");
    expect(await state(member)).toMatchObject({ safeStatus: "deployed", walletAddress: predicted?.walletAddress });
    const safe = await readMemberSafe(bench.ctx, query);
    expect(safe).toMatchObject({ address: predicted?.walletAddress, owners: [treasury], threshold: 1, version: "1.4.1" });
    expect(await node.safe(safe.address)).toEqual(safe);
  });

  it("is owed once, and again only after it failed", async () => {
    const { worker } = await setUp();
    const member = await addMember();
    await bench.db.transaction((tx) => deployMemberSafe(tx, bench.ctx, member));
    const [id = "", ...others] = await deploymentOf(member);
    expect(others).toEqual([]);
    await processDeployments(bench.ctx, chain.chain);
    await chain.call("anvil_setCode", (await found(id)).address, "0x6001");
    expect(await run(worker, id)).toMatchObject({ state: "failed" });
    expect(await state(member)).toMatchObject({ safeStatus: "failed", walletAddress: null });
    const query = { partnerId: member.partnerId, name: member.id };
    await expect(readMemberSafe(bench.ctx, query)).rejects.toMatchObject({ code: "not_found" });
    await bench.db.transaction((tx) => deployMemberSafe(tx, bench.ctx, member));
    expect(await deploymentOf(member)).toHaveLength(2);
  });

  it("is none where the member brought a wallet of its own that is no Safe, and foreign members are not found", async () => {
    await setUp();
    const own = { id: randomUUID(), externalUserId: "own", phone: "+254712345679", safeStatus: null, walletAddress: newAddress() };
    const member = { ...(await addMember()), ...own };
    await bench.db.insert(members).values(member);
    const read = (partnerId: string) => readMemberSafe(bench.ctx, { partnerId, name: member.externalUserId });
    await expect(read(member.partnerId)).rejects.toMatchObject({ code: "not_found", message: "The member's wallet is no Safe." });
    await expect(read(randomUUID())).rejects.toMatchObject({ code: "not_found", message: "There is no such member." });
  });

  it("is lost to no reorganisation", async () => {
    const { worker } = await setUp({ confirmations: 4 });
    const member = await addMember();
    const [id = ""] = await deploymentOf(member);
    await processDeployments(bench.ctx, chain.chain);
    await runTransfersOnce(worker, chain.chain);
    await chain.mine(2);
    await runTransfersOnce(worker, chain.chain);
    await chain.call("anvil_reorg", 2, []);
    expect(await chain.call("eth_getCode", (await found(id)).address, "latest")).toBe("0x");
    expect(await run(worker, id)).toMatchObject({ state: "deployed" });
    expect(bench.moves).toContain("mined broadcast");
  });

  // No check applies to these: none of them is held.
  const STEPS = TRANSFER_STEPS.filter((step) => !/^(bump|forfeit)_/.test(step) && step !== "held");
  for (const step of STEPS) {
    it(`is deployed once though a worker dies at "${step}"`, async () => {
      await setUp();
      const member = await addMember();
      const [id = ""] = await deploymentOf(member);
      await processDeployments(bench.ctx, chain.chain);
      expect(
        await runToDeath(bench.newWorker({ observe: (reached) => void (reached === step && die(step)) }), chain),
        "the step was reached",
      ).toBe(true);
      await bench.letLeasesLapse();
      expect(await run(bench.newWorker(), id)).toMatchObject({ state: "deployed" });
      expect(await state(member)).toMatchObject({ safeStatus: "deployed" });
      expect(await chain.call("eth_getTransactionCount", bench.addresses[0], "latest")).toBe("0x1");
    });
  }
});

function die(step: string): never {
  throw new Died(`died at ${step}`);
}
