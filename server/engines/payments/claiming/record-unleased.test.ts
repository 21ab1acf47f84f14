import { generatePrivateKey } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { localKeySigner } from "#server/adapters/signer/local-key.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { Died } from "#testing/death.ts";
import { openTransferBench, type TransferBench } from "#testing/transfers.ts";

let chain: TestChain;
let bench: TransferBench;
beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
  bench = await openTransferBench(chain);
});
afterAll(async () => {
  await bench.close();
  await chain.stop();
});

it("a payment whose wallet has gone from the configuration says so, and goes out with its wallet's return", async () => {
  const owed = await bench.enqueuePayment();
  const dying = bench.newWorker({
    observe: (step) => {
      if (step === "stored") throw new Died("died before anything was sent");
    },
  });
  await expect(runTransfersOnce(dying, chain.chain)).rejects.toThrow(Died);

  const otherKey = generatePrivateKey();
  const elsewhere = bench.newWorker({ ctx: { ...bench.ctx, signers: bench.signersOf({ keys: [localKeySigner(async () => otherKey)] }) } });
  await runTransfersOnce(elsewhere, chain.chain);
  expect(await bench.transfer(owed.id)).toMatchObject({ state: "signed", waitingReason: null }); // the dead worker's lease still runs
  await bench.letLeasesLapse(60); // longer than a handover from worker to worker takes
  await runTransfersOnce(elsewhere, chain.chain);
  expect(await bench.transfer(owed.id)).toMatchObject({
    state: "signed",
    waitingReason: `It is signed by treasury wallet ${bench.addresses[0]}, which no worker holds: give that wallet back to the configuration.`,
  });

  const [done] = await bench.run(bench.newWorker(), [owed.id]);
  expect(done).toMatchObject({ state: "executed", waitingReason: null });
  expect(await bench.tokenBalance(owed.recipient)).toBe(owed.amountBase);
});
