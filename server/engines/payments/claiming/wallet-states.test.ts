import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { listWallets } from "#db/queries/transfers/wallets.ts";
import { mayBecome, WALLET_STATES, type WalletState } from "#domain/wallet.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import { haltScope, listOpenHalts } from "#server/services/halts/halt-scope.ts";
import { bumpTransfer } from "#server/services/treasury/bump-transfer.ts";
import { changeWalletState } from "#server/services/treasury/change-wallet-state.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { addPartner } from "#testing/factories.ts";
import { liftHalts } from "#testing/halts.ts";
import { openTransferBench, type TransferBench } from "#testing/transfers.ts";

let chain: TestChain;
let bench: TransferBench;
const by = { actor: { type: "operator_key", apiKeyId: "00000000-0000-4000-8000-000000000001" } as const, requestId: null };
const reason = "because of a test";

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
afterEach(() => bench.close());
afterAll(() => chain.stop());

/** A wallet that has one payment on its way, and the worker that holds it. */
async function setUp() {
  bench = await openTransferBench(chain);
  const worker = bench.newWorker();
  const began = await bench.enqueuePayment();
  await runTransfersOnce(worker, chain.chain);
  const [wallet] = await listWallets(bench.db);
  const become = (state: WalletState) => changeWalletState(bench.ctx, { by, reason, walletId: wallet?.id ?? "", state });
  return { worker, began, become, walletId: wallet?.id ?? "" };
}

describe("a treasury wallet", () => {
  it("that drains signs nothing new, and what it has signed is seen through, at a higher fee if need be", async () => {
    const { worker, began, become } = await setUp();
    await become("draining");
    const later = await bench.enqueuePayment();
    await bumpTransfer(bench.ctx, { by, reason, transferId: began.id });
    await bench.run(worker, [began.id]);
    expect((await bench.transfer(began.id)).state).toBe("executed");
    expect((await bench.transaction(began.id)).attempts).toHaveLength(2);
    expect(await bench.transfer(later.id)).toMatchObject({ state: "queued", waitingReason: "No treasury wallet of this chain is active." });
    await become("active");
    await bench.run(worker, [later.id]);
    expect((await bench.transfer(later.id)).state).toBe("executed");
  });

  for (const state of ["retired", "compromised"] as const)
    it(`that is ${state} is never signed with again; what was sent before still ends`, async () => {
      const { worker, began, become, walletId } = await setUp();
      await become(state);
      const later = await bench.enqueuePayment();
      await bumpTransfer(bench.ctx, { by, reason, transferId: began.id });
      await bench.run(worker, [began.id]);
      expect((await bench.transfer(began.id)).state).toBe("executed");
      expect((await bench.transaction(began.id)).attempts).toHaveLength(1);
      expect((await bench.transfer(later.id)).state).toBe("queued");
      const halted = (await listOpenHalts(bench.ctx)).map(({ scope, cause, detail }) => ({ scope, cause, detail }));
      const scope = { kind: "wallet", key: walletId };
      expect(halted).toEqual(state === "compromised" ? [{ scope, cause: "key_compromised", detail: reason }] : []);
    });

  it("that is halted next to an empty one is not called empty, too", async () => {
    bench = await openTransferBench(chain, { wallets: 2, funded: false });
    const [rich = ""] = bench.addresses;
    await chain.fund(rich as `0x${string}`);
    const worker = bench.newWorker();
    await runTransfersOnce(worker, chain.chain);
    const wallet = (await listWallets(bench.db)).find(({ address }) => address === rich);
    const scope = { kind: "wallet" as const, key: wallet?.id ?? "" };
    await bench.db.transaction((tx) => haltScope(tx, { scope, cause: "operator", detail: reason }));
    const owed = await bench.enqueuePayment();
    await runTransfersOnce(worker, chain.chain);
    expect((await bench.transfer(owed.id)).waitingReason).toBe(
      "No treasury wallet on Test chain that signs just now holds 12.345678 USDT that is not promised yet.",
    );
  });

  it("whose key was in other hands never comes back, and only an admin says any of this", async () => {
    const { become, walletId } = await setUp();
    await become("compromised");
    for (const state of WALLET_STATES) await expect(become(state)).rejects.toMatchObject({ code: "invalid_state" });
    const viewer = { actor: { type: "user", userId: walletId, role: "approver", partnerId: null } as const, requestId: null };
    const order = changeWalletState(bench.ctx, { by: viewer, reason, walletId, state: "retired" });
    await expect(order).rejects.toMatchObject({ code: "forbidden" });
    expect(WALLET_STATES.filter((state) => mayBecome("retired", state))).toEqual(["active", "compromised"]);
  });

  it("that was to receive a sweep and is out of use by then does not: nothing leaves the Safe", async () => {
    const { worker } = await setUp();
    const lost = "0x000000000000000000000000000000000000C0fE";
    await bench.sql`insert into wallets (id, chain, address, fencing_token, state, created_at)
      values (gen_random_uuid(), ${chain.chain}, ${lost}, 0, 'compromised', now())`;
    const call = { to: lost, valueBase: 0n, data: "0x", sender: bench.addresses[0] ?? "" };
    const sweep = await bench.enqueuePayment({ purpose: "sweep", ownerId: "wd_1", recipient: lost, call });
    await bench.run(worker, [sweep.id]);
    expect(await bench.transfer(sweep.id)).toMatchObject({
      state: "failed",
      failureReason: expect.stringContaining("out of use"),
      txHash: null,
    });
  });
});

describe("a partner whose payouts are halted", () => {
  it("is paid nothing, others are; and it goes on when that is lifted", async () => {
    const { worker } = await setUp();
    const { partnerId } = await addPartner(bench.db);
    await bench.db.transaction((tx) => haltScope(tx, { scope: { kind: "partner", key: partnerId }, cause: "operator", detail: reason }));
    const theirs = await bench.enqueuePayment({ partnerId });
    const other = await bench.enqueuePayment();
    await bench.run(worker, [other.id]);
    expect((await bench.transfer(other.id)).state).toBe("executed");
    expect(await bench.transfer(theirs.id)).toMatchObject({ state: "queued", waitingReason: "Halted: stopped by an operator." });
    await liftHalts(bench.sql);
    await bench.run(worker, [theirs.id]);
    expect((await bench.transfer(theirs.id)).state).toBe("executed");
  });
});
