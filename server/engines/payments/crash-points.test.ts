import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { Died, runToDeath } from "#testing/death.ts";
import { type BenchOptions, openTransferBench, type TransferBench } from "#testing/transfers.ts";
import { TRANSFER_STEPS, type TransferStep } from "./engine.ts";
import { runTransfersOnce } from "./run-transfers.ts";

let chain: TestChain;
let bench: TransferBench;

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
afterEach(async () => {
  await bench.close();
});
afterAll(async () => {
  await chain.stop();
});

async function setUp(options?: BenchOptions) {
  bench = await openTransferBench(chain, options);
}

/** A worker that dies the `nth` time it reaches a step. Its memory is lost. */
function doomed(step: TransferStep, nth = 1) {
  let seen = 0;
  return bench.newWorker({
    observe: (reached) => {
      if (reached === step && ++seen === nth) throw new Died(`died at ${step}`);
    },
  });
}

/** A held payment does not reach the others (`screen-payments.test.ts`), nor does a reorg (`forfeited-nonce.test.ts`). */
const PAYING = TRANSFER_STEPS.filter((step) => !step.startsWith("bump_") && !step.startsWith("forfeit_") && step !== "held");
/** At every other step the worker dies at the second of the transfers. */
const ONCE_A_PASS = new Set<TransferStep>(["claimed", "receipts_read"]);
const BUMPING = TRANSFER_STEPS.filter((step) => step.startsWith("bump_"));

describe("a worker that dies at a step, and another that goes on", () => {
  for (const step of PAYING) {
    it(`pays exactly once after a death at "${step}"`, async () => {
      await setUp();
      const owed = [
        await bench.enqueuePayment(),
        await bench.enqueuePayment(),
        await bench.enqueuePayment({ recipient: chain.blockedWallet }),
      ];
      expect(await runToDeath(doomed(step, ONCE_A_PASS.has(step) ? 1 : 2), chain), "the step was reached").toBe(true);
      await bench.letLeasesLapse();
      await expectPaidOnce(owed);
    });
  }

  for (const step of BUMPING) {
    it(`pays exactly once after a death at "${step}"`, async () => {
      await setUp({ bumpAfterSeconds: 0 });
      const owed = [await bench.enqueuePayment()];
      // Nothing is mined before the death, so that a higher fee is due.
      const worker = doomed(step);
      await expect(runPasses(worker, 3)).rejects.toBeInstanceOf(Died);
      await bench.letLeasesLapse();
      await expectPaidOnce(owed);
    });
  }

  it("pays exactly once however often workers die, wherever that is", async () => {
    await setUp({ wallets: 2 });
    const owed = [await bench.enqueuePayment(), await bench.enqueuePayment(), await bench.enqueuePayment(), await bench.enqueuePayment()];
    for (const step of [...PAYING, ...PAYING.toReversed()]) {
      await runToDeath(doomed(step, 1), chain, 2);
      await bench.letLeasesLapse();
    }
    await expectPaidOnce(owed);
  });
});

it("does not end a transfer whose owner cannot be completed: both happen or neither", async () => {
  let refusals = 2;
  await setUp({
    onFinal: async () => {
      refusals -= 1;
      if (refusals >= 0) throw new Error("the owner cannot be completed");
    },
  });
  const owed = await bench.enqueuePayment();
  const worker = bench.newWorker();
  await bench.run(worker, [owed.id], 5);
  const seen: string[] = bench.lines.filter(({ level }) => level === "error").map(({ message }) => message);
  expect(seen).toEqual(["a transfer could not be processed", "a transfer could not be processed"]);
  const [done] = await bench.run(worker, [owed.id]);
  expect(done).toMatchObject({ state: "executed", waitingReason: null });
});

describe("the transfers of a block", () => {
  it("end in one transaction", async () => {
    await setUp();
    const owed = [await bench.enqueuePayment(), await bench.enqueuePayment(), await bench.enqueuePayment()];
    await expectPaidOnce(owed);
    expect(await bench.sql`select distinct xmin::text from transfers`).toHaveLength(1);
  });

  it("end without the one that cannot be written, and that one later", async () => {
    const bad = { id: "", stands: true };
    await setUp({
      onFinal: async (_tx, transfers) => {
        if (bad.stands && transfers.some(({ id }) => id === bad.id)) throw new Error("the owner cannot be completed");
      },
    });
    const owed = [await bench.enqueuePayment(), await bench.enqueuePayment(), await bench.enqueuePayment()];
    const ids = owed.map(({ id }) => id);
    bad.id = ids[1] ?? "";
    const worker = bench.newWorker();
    const halfway = await bench.run(worker, ids, 8);
    expect(halfway.map(({ state }) => state)).toEqual(["executed", "mined", "executed"]);
    expect(halfway[1]?.waitingReason).toMatch(/internal error/);
    bad.stands = false;
    expect((await bench.run(worker, ids)).map(({ state }) => state)).toEqual(["executed", "executed", "executed"]);
  });
});

async function runPasses(worker: ReturnType<typeof doomed>, passes: number): Promise<void> {
  for (let pass = 0; pass < passes; pass += 1) await runTransfersOnce(worker, chain.chain);
}

async function expectPaidOnce(owed: Awaited<ReturnType<TransferBench["enqueuePayment"]>>[]): Promise<void> {
  const ids = owed.map(({ id }) => id);
  const done = await bench.run(bench.newWorker(), ids, 16);
  for (const transfer of done) {
    const blocked = transfer.recipient === chain.blockedWallet;
    expect(transfer.state).toBe(blocked ? "failed" : "executed");
    expect(await bench.tokenBalance(transfer.recipient)).toBe(blocked ? 0n : transfer.amountBase);
    expect(await bench.finals(transfer.id)).toBe(1);
  }
  // No nonce was burnt: every one up to the next is a transfer's.
  const wallets =
    await bench.sql`select next_nonce::int as next, (select count(*)::int from transactions where wallet_id = wallets.id) as used from wallets`;
  for (const { next, used } of wallets) expect(next).toBe(used);
}
