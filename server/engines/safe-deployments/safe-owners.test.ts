import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import type { Address } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { listWallets } from "#db/queries/transfers/wallets.ts";
import { safeDeployments } from "#db/schema/safe-deployments.ts";
import type { By } from "#domain/access.ts";
import { newId } from "#domain/ids.ts";
import { SAFE_VERSIONS, type SafeVersion } from "#domain/safe.ts";
import type { WalletState } from "#domain/wallet.ts";
import { deploySafeContracts, ensureSafe } from "#sandbox/chain/safes.ts";
import type { TransferEngine } from "#server/engines/payments/engine.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import { planSweep } from "#server/engines/payments/signing/plan-sweep.ts";
import { confirmProposal } from "#server/services/proposal-decisions/decide-proposal.ts";
import { createSafe } from "#server/services/safes/ask-deployment.ts";
import { completeOwner } from "#server/services/settlements/complete-owner.ts";
import type { OnFinal } from "#server/services/transfers/move-transfer.ts";
import { changeWalletState } from "#server/services/treasury/change-wallet-state.ts";
import { readTreasuryBoard } from "#server/services/treasury/read-treasury-board.ts";
import { replaceSafeOwner } from "#server/services/treasury/replace-safe-owner.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { addPartner } from "#testing/factories.ts";
import { addProvenPerson, refusalOf } from "#testing/people.ts";
import { addDeployingMember } from "#testing/safes.ts";
import { testContext } from "#testing/surface.ts";
import { type BenchOptions, openTransferBench, type TransferBench } from "#testing/transfers.ts";
import { processDeployments } from "./process-deployments.ts";

const BY: By = { actor: { type: "operator_key", apiKeyId: randomUUID() }, requestId: null };
const ORDER = { by: BY, reason: "its key is replaced" };

let chain: TestChain;
let bench: TransferBench;
beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
  await deploySafeContracts(chain.rpcUrl);
});
afterEach(() => bench.close());
afterAll(() => chain.stop());

/** A worker that has registered both of its wallets. */
async function setUp(options: BenchOptions = {}): Promise<TransferEngine> {
  // The sweeps here belong to no withdrawal.
  const onFinal: OnFinal = async (tx, ended) =>
    await completeOwner(
      tx,
      ended.filter(({ purpose }) => purpose === "deployment"),
    );
  bench = await openTransferBench(chain, { onFinal, wallets: 2, confirmations: 2, ...options });
  const worker = bench.newWorker();
  await bench.run(worker, [], 1);
  return worker;
}

const [OLD, NEW] = [0, 1];
const wallet = (index: number) => bench.addresses[index] as Address;
async function idOf(index: number): Promise<string> {
  const found = (await listWallets(bench.db)).find(({ address }) => address === wallet(index));
  if (found === undefined) throw new Error("the worker has not met that wallet");
  return found.id;
}
const become = async (state: WalletState) => await changeWalletState(bench.ctx, { ...ORDER, walletId: await idOf(OLD), state });
const replace = async (mode: "sandbox" | "live" = "sandbox") =>
  await replaceSafeOwner({ ...bench.ctx, mode }, { ...ORDER, walletId: await idOf(OLD) });
async function ownersOf(safe: string): Promise<readonly string[]> {
  const found = await bench.ctx.evm.find(chain.chain)?.nodes[0]?.safe(safe);
  return found?.owners ?? [];
}
const rows = (kind: "safe" | "owner_swap") => bench.db.select().from(safeDeployments).where(eq(safeDeployments.kind, kind));
const countOnBoard = async () =>
  (await readTreasuryBoard(bench.ctx)).flatMap(({ wallets }) => wallets).find(({ address }) => address === wallet(OLD))?.safes;

/** Everything a worker does, with a block after each pass. */
async function work(worker: TransferEngine, passes = 14): Promise<void> {
  for (let pass = 0; pass < passes; pass += 1) {
    await processDeployments(bench.ctx, chain.chain);
    await runTransfersOnce(worker, chain.chain);
    await bench.sql`update safe_deployments set look_at = clock_timestamp() where look_at is not null`;
    await chain.mine();
  }
}

/** A Safe that an operator requested, owned by the first wallet. */
async function safeOf(worker: TransferEngine, version: SafeVersion = "1.4.1"): Promise<string> {
  const wish = { by: { ...BY, requestId: randomUUID() }, path: "/safes", idempotencyKey: null };
  const { id } = await createSafe(bench.ctx, { ...wish, chain: chain.chain, owners: [wallet(OLD)], threshold: 1, version });
  await work(worker);
  const [row] = await bench.db
    .select()
    .from(safeDeployments)
    .where(and(eq(safeDeployments.id, id), eq(safeDeployments.state, "deployed")));
  if (!row?.address) throw new Error("the Safe was not deployed");
  return row.address;
}

/** A withdrawal's sweep out of a Safe, as it is planned just now. */
async function enqueueSweep(safe: string, amountBase = 1_000_000n): Promise<string> {
  const sweep = { chain: chain.chain, safeAddress: safe, tokenAddress: chain.tokens.USDT, amountBase, recipient: wallet(NEW) };
  const call = await planSweep(bench.ctx, sweep);
  const ownerId = newId("withdrawal", new Date());
  return (await bench.enqueuePayment({ purpose: "sweep", ownerId, recipient: wallet(NEW), amountBase, call })).id;
}

describe("the owner of a new member's Safe", () => {
  it.each<{ states: WalletState[] }>([{ states: ["compromised"] }, { states: ["draining", "retired"] }, { states: ["draining"] }])(
    "is never a wallet that is $states",
    async ({ states }) => {
      await setUp();
      for (const state of states) await become(state);
      const member = await addDeployingMember(bench, chain.chain);
      await processDeployments(bench.ctx, chain.chain);
      const [row] = await bench.db.select().from(safeDeployments).where(eq(safeDeployments.memberId, member.id));
      expect(row?.owners).toEqual([wallet(NEW)]);
    },
  );

  it("is nobody while every wallet is stopped: it waits, and says why", async () => {
    await setUp({ wallets: 1 });
    await become("compromised");
    await addDeployingMember(bench, chain.chain);
    await processDeployments(bench.ctx, chain.chain);
    const [row] = await rows("safe");
    expect(row).toMatchObject({ state: "asked", waitingReason: "No treasury wallet that may own the Safe is active and in order." });
  });
});

describe("replacing the owner of a wallet's Safes", () => {
  for (const version of SAFE_VERSIONS)
    for (const state of ["draining", "compromised"] as const)
      it(`gives a Safe of ${version} a wallet that signs, although the old one is ${state}`, async () => {
        const worker = await setUp();
        const safe = await safeOf(worker, version);
        await become(state);
        expect(await countOnBoard()).toBe(1);
        expect((await replace()).result).toBe(1);
        await work(worker);
        expect(await ownersOf(safe)).toEqual([wallet(NEW)]);
        expect(await rows("owner_swap")).toMatchObject([{ state: "deployed", owners: [wallet(OLD), wallet(NEW)], address: safe }]);
        expect(await rows("safe")).toMatchObject([{ owners: [wallet(NEW)] }]);
        expect(await countOnBoard()).toBe(0);
        // The new owner sent it: the old wallet's own transactions are not needed.
        const [sent] = await bench.sql`select w.address from transactions x join wallets w on w.id = x.wallet_id
          join transfers t on t.id = x.transfer_id where t.owner_id in (select id from safe_deployments where kind = 'owner_swap')`;
        expect(sent?.address).toBe(wallet(NEW));
      });

  it("lets a sweep that waited for the old owner run on, once, by the new one", async () => {
    const worker = await setUp();
    const safe = await safeOf(worker);
    await chain.fund(safe as Address, { ether: 0, tokens: 100 });
    const owed = await enqueueSweep(safe);
    await become("draining");
    await bench.run(worker, [owed], 3);
    expect(await bench.transfer(owed)).toMatchObject({ state: "queued", waitingReason: expect.stringContaining("Only wallet") });
    await replace();
    await work(worker, 20);
    expect(await bench.transfer(owed)).toMatchObject({ state: "executed", call: { sender: wallet(NEW) } });
    expect(await bench.tokenBalance(safe as Address)).toBe(99_000_000n);
  });

  it("swaps a partner's own Safe, which the service did not deploy, as the chain has it", async () => {
    const worker = await setUp();
    const saltNonce = BigInt(`0x${randomUUID().replaceAll("-", "")}`);
    const safe = await ensureSafe(chain.rpcUrl, { version: "1.3.0", owners: [wallet(OLD)], threshold: 1, saltNonce });
    await addPartner(bench.db, { walletAddress: safe });
    await become("draining");
    await expect(become("retired")).rejects.toMatchObject({
      code: "invalid_state",
      message: expect.stringContaining("1 Safe still belongs"),
    });
    expect((await replace()).result).toBe(1);
    await work(worker);
    expect(await ownersOf(safe)).toEqual([wallet(NEW)]);
    expect(await become("retired")).toMatchObject({ state: "retired" });
  });

  it("asks for each Safe once, even if people ask twice, and retires no wallet before", async () => {
    const worker = await setUp();
    await safeOf(worker);
    await become("draining");
    await expect(become("retired")).rejects.toMatchObject({ code: "invalid_state" });
    expect([(await replace()).result, (await replace()).result]).toEqual([1, 0]);
    await work(worker);
    expect(await rows("owner_swap")).toHaveLength(1);
    await expect(replace()).rejects.toMatchObject({ code: "invalid_state", message: "No Safe belongs to this wallet." });
    expect(await become("retired")).toMatchObject({ state: "retired" });
  });

  it("is done once a second person confirms it in live mode", async () => {
    const worker = await setUp();
    const safe = await safeOf(worker);
    await become("compromised");
    const [ana, ben] = [(await addProvenPerson(bench.db, "admin")).by, (await addProvenPerson(bench.db, "admin")).by];
    const live = { ...testContext(bench.db), ...bench.ctx, mode: "live" as const };
    const { proposal } = await replaceSafeOwner(live, { by: ana, walletId: await idOf(OLD), reason: "its key is compromised" });
    expect(await refusalOf(confirmProposal(live, { by: ana, id: proposal.id }))).toBe("same_approver");
    expect(await ownersOf(safe)).toEqual([wallet(OLD)]);
    expect((await confirmProposal(live, { by: ben, id: proposal.id })).result).toBe(1);
    await work(worker);
    expect(await ownersOf(safe)).toEqual([wallet(NEW)]);
  });

  it("waits for a second person in live mode, and is refused for an active wallet", async () => {
    const worker = await setUp();
    const safe = await safeOf(worker);
    await expect(replace()).rejects.toMatchObject({ code: "invalid_state" });
    await become("draining");
    expect(await replace("live")).toMatchObject({ result: null, proposal: { outcome: "open", kind: "safe_owner_swap" } });
    await work(worker, 4);
    expect([await rows("owner_swap"), await ownersOf(safe)]).toEqual([[], [wallet(OLD)]]);
  });

  it("says that it waits for the key where that is configured nowhere", async () => {
    const worker = await setUp();
    const safe = await safeOf(worker);
    await become("compromised");
    await replace();
    const [, kept] = bench.signers;
    const without = { ...bench.ctx, signers: bench.signersOf({ keys: kept === undefined ? [] : [kept] }) };
    await processDeployments(without, chain.chain);
    const reason = `Wallet ${wallet(OLD)} has to sign the swap itself, and its key is not configured here.`;
    expect(await rows("owner_swap")).toMatchObject([{ state: "asked", waitingReason: reason }]);
    expect(await ownersOf(safe)).toEqual([wallet(OLD)]);
  });

  it("ends where somebody else has swapped the owner manually, and records who owns the Safe", async () => {
    const worker = await setUp();
    const safe = await safeOf(worker);
    await become("draining");
    await replace();
    await work(worker);
    await bench.sql`update safe_deployments set owners = array[${wallet(OLD)}] where kind = 'safe'`;
    await replace();
    await processDeployments(bench.ctx, chain.chain);
    expect((await rows("owner_swap")).map(({ state }) => state).toSorted()).toEqual(["deployed", "failed"]);
    expect(await rows("safe")).toMatchObject([{ owners: [wallet(NEW)], address: safe }]);
    expect(await countOnBoard()).toBe(0);
  });
});
