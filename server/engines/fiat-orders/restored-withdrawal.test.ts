import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { insertPool } from "#db/queries/fiat/fiat-pools.ts";
import { findWithdrawal } from "#db/queries/fiat/withdrawals.ts";
import { listHoldsOf } from "#db/queries/holds/payment-holds.ts";
import type { By } from "#domain/access.ts";
import { deploySafeContracts, ensureSafe } from "#sandbox/chain/safes.ts";
import { createTransferEngine } from "#server/engines/payments/engine.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import { planSweep } from "#server/engines/payments/signing/plan-sweep.ts";
import { drawUpWithdrawal } from "#server/services/fiat/draw-up-withdrawal.ts";
import { requestWithdrawal } from "#server/services/fiat/request-withdrawal.ts";
import { listOpenHalts } from "#server/services/halts/halt-scope.ts";
import { completeOwner } from "#server/services/settlements/complete-owner.ts";
import { compareTreasury } from "#server/services/treasury/compare-treasury.ts";
import { liftHalt } from "#server/services/treasury/lift-halt.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { copyTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner, addTerms, setClockOffset, setRate } from "#testing/factories.ts";
import { onlyRail, riggedRail } from "#testing/fiat.ts";
import { TEST_PROVIDERS } from "#testing/surface.ts";
import { openTransferBench, ownerless, type TransferBench } from "#testing/transfers.ts";
import { createFiatEngine, type SweepRequest } from "./engine.ts";
import { runOrdersOnce } from "./run-orders.ts";

const BY: By = { actor: { type: "operator_key", apiKeyId: "00000000-0000-4000-8000-000000000001" }, requestId: null };
const FUNDED = 100_000_000n;
let chain: TestChain;
let bench: TransferBench;
let backup: TestDatabase | null = null;
beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
  await deploySafeContracts(chain.rpcUrl);
});
afterEach(async () => {
  await backup?.close();
  await bench.close();
});
afterAll(() => chain.stop());

it("takes a withdrawal's crypto out of its Safe once, of whose sweep a restored database knows nothing", async () => {
  bench = await openTransferBench(chain, { onFinal: completeOwner });
  await bench.run(bench.newWorker(), [], 1);
  const saltNonce = BigInt(`0x${randomUUID().replaceAll("-", "")}`);
  const owner = bench.addresses[0] as `0x${string}`;
  const safe = await ensureSafe(chain.rpcUrl, { version: "1.4.1", owners: [owner], threshold: 1, saltNonce });
  await chain.fund(safe, { ether: 0, tokens: 100 });
  const partner = await addPartner(bench.db, { walletAddress: safe });
  await addTerms(bench.db);
  await setRate(bench.db, "0.0077");
  const limits = { minimumMinor: 1n, maximumMinor: 10_000_000n, lowWaterMinor: 0n };
  await insertPool(bench.db, { currency: "KES", totalMinor: 10_000_000n, ...limits }, new Date());
  // The same order is paid out once, however often it is asked for.
  const provider = riggedRail();
  const worldOf = (db: TestDatabase["db"]) => {
    const signers = bench.signersOf({ db, findUnowed: ownerless });
    const ctx = { ...bench.ctx, db, signers, chains: bench.ctx.evm, mode: "sandbox" as const, fiatProviders: TEST_PROVIDERS };
    const orders = createFiatEngine({ ctx, rails: onlyRail(provider.rail), planSweep: (sweep: SweepRequest) => planSweep(ctx, sweep) });
    const timings = { restMs: 0, lookMs: 0, balanceMs: 0, leaseSeconds: 30 };
    const transfers = createTransferEngine({
      ctx,
      workerId: randomUUID(),
      onFinal: completeOwner,
      timings,
    });
    const work = async (passes: number) => {
      for (let pass = 0; pass < passes; pass += 1) {
        await runTransfersOnce(transfers, chain.chain); // first: a sweep goes only to a wallet that a worker holds
        await runOrdersOnce(orders, "withdrawals");
        await chain.mine();
      }
    };
    return { ctx, work };
  };
  const before = worldOf(bench.db);
  const command = {
    ...partner,
    externalId: randomUUID(),
    externalUserId: null,
    amountMinor: 100_000n,
    currency: "KES",
    sourceCurrency: "USDT",
    chain: chain.chain,
    destination: { type: "mobile_money" as const, account: "+254700000000", name: "Wanjiru" },
    callbackUrl: null,
  };
  const { withdrawal } = await requestWithdrawal(before.ctx, command, () => drawUpWithdrawal(before.ctx, command));
  await bench.letLeasesLapse();
  backup = await copyTestDatabase(bench);
  provider.answers({ status: "succeeded", reference: "P-1", reason: null, instructions: null });
  await before.work(10);
  expect(await findWithdrawal(bench.db, withdrawal.id)).toMatchObject({ step: "paid" });
  const taken = async () => FUNDED - (await bench.tokenBalance(safe));
  expect(await taken()).toBe(withdrawal.sourceAmountBase);

  const after = worldOf(backup.db);
  await after.work(10);
  const halts = await listOpenHalts(after.ctx);
  expect(halts.map(({ cause }) => cause)).toEqual(["database_behind", "foreign_nonce"]);
  const [compared] = await compareTreasury(after.ctx);
  // Where the sweep was asked for again already, it matches what was paid. Then nobody can lift the halt before it is booked.
  expect(compared?.paid).toEqual([]);
  for (const { id } of halts) await liftHalt(after.ctx, { by: BY, haltId: id, reason: "compared" });
  await setClockOffset(backup.db, 10_000); // it rested for five seconds while its wallet was halted
  await after.work(12);
  expect(await taken()).toBe(withdrawal.sourceAmountBase);
  const holds = await listHoldsOf(backup.db, [withdrawal.id]);
  expect(holds).toMatchObject([{ purpose: "sweep", check: "unexplained_payment", outcome: "open" }]);
});
