import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { callbacks } from "#db/schema/callbacks.ts";
import { transfers } from "#db/schema/transfers.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { expectCleanAudit } from "#testing/clean-audit.ts";
import { Died } from "#testing/death.ts";
import { addPartner, addTerms, setRate, type TestPartner } from "#testing/factories.ts";
import { newAddress, openTransferBench, type TransferBench } from "#testing/transfers.ts";
import { bringOutbox } from "./bring-outbox.ts";
import { completeOwner } from "./complete-owner.ts";
import { confirmSettlement } from "./confirm-settlement.ts";
import { createSettlement } from "./create-settlement.ts";
import { readSettlement } from "./read-settlement.ts";

let chain: TestChain;
let bench: TransferBench;
let partner: TestPartner;

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
afterEach(async () => {
  await expectCleanAudit({ db: bench.db, evm: bench.ctx.evm });
  await bench.close();
});
afterAll(() => chain.stop());

/** A confirmed settlement, and the transfer that it owes. */
async function confirmed(walletAddress: string) {
  bench = await openTransferBench(chain, { onFinal: completeOwner });
  partner = await addPartner(bench.db);
  await addTerms(bench.db);
  await setRate(bench.db, "0.0077");
  const ctx = { db: bench.db, chains: bench.ctx.evm, policy: { driftToleranceBps: 10, signedApprovals: null, decisionTargetMinutes: 60 } };
  const settlement = await createSettlement(ctx, {
    ...partner,
    sourceAmountMinor: 1_000_000n,
    sourceCurrency: "KES",
    destinationCurrency: "USDT",
    externalMerchantId: "merchant-1",
    chain: chain.chain,
    walletAddress,
    callbackUrl: "http://localhost:9/callback",
  });
  await confirmSettlement(ctx, {
    ...partner,
    id: settlement.id,
    externalTxId: "ref-1",
    callbackUrl: null,
    expectedDestinationAmount: null,
  });
  await bringOutbox(ctx);
  const [owed] = await bench.db.select({ id: transfers.id }).from(transfers).where(eq(transfers.ownerId, settlement.id));
  return { settlement, transferId: owed?.id ?? "" };
}

async function callbacksTo(settlementId: string) {
  return await bench.db.select({ event: callbacks.event }).from(callbacks).where(eq(callbacks.subjectId, settlementId));
}

const read = (id: string) => readSettlement({ db: bench.db }, { partnerId: partner.partnerId, id });

describe("a confirmed settlement", () => {
  it("is executed with the hash that was mined, and its callback owed, exactly when its transfer is final", async () => {
    const { settlement, transferId } = await confirmed(newAddress());
    const [done] = await bench.run(bench.newWorker(), [transferId]);
    expect(await read(settlement.id)).toMatchObject({ status: "executed", txHash: done?.txHash });
    expect(await callbacksTo(settlement.id)).toEqual([{ event: "settlement.executed" }]);
    expect(await bench.tokenBalance(settlement.walletAddress)).toBe(settlement.quote.destinationAmountBase);
  });

  it("fails with the reason in plain words when the token blocks the recipient", async () => {
    const { settlement, transferId } = await confirmed(chain.blockedWallet);
    await bench.run(bench.newWorker(), [transferId]);
    expect(await read(settlement.id)).toMatchObject({ status: "failed", failureReason: "The token's blocklist refuses this recipient." });
    expect(await callbacksTo(settlement.id)).toEqual([{ event: "settlement.failed" }]);
  });

  it("is not executed by half: a death in the last transaction leaves transfer, settlement and callback as they were", async () => {
    const { settlement, transferId } = await confirmed(newAddress());
    const doomed = bench.newWorker({
      observe: (step) => {
        if (step === "final_written") throw new Died("died before the commit");
      },
    });
    await expect(bench.run(doomed, [transferId])).rejects.toBeInstanceOf(Died);
    expect((await bench.transfer(transferId)).state).toBe("mined");
    expect(await read(settlement.id)).toMatchObject({ status: "processing" });
    expect(await callbacksTo(settlement.id)).toEqual([]);
    await bench.letLeasesLapse();
    await bench.run(bench.newWorker(), [transferId]);
    expect(await read(settlement.id)).toMatchObject({ status: "executed" });
    expect(await callbacksTo(settlement.id)).toHaveLength(1);
  });
});
