import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listCallbacksOf } from "#db/queries/callbacks/callbacks.ts";
import { listPools } from "#db/queries/fiat/fiat-pools.ts";
import { expectCleanAudit, WITHOUT_CHAIN } from "#testing/clean-audit.ts";
import { Died } from "#testing/death.ts";
import { setClockOffset } from "#testing/factories.ts";
import { type FiatBench, openFiatBench } from "#testing/fiat.ts";
import { FIAT_STEPS, type FiatStep } from "./engine.ts";
import { runOrdersOnce } from "./run-orders.ts";

let bench: FiatBench;
beforeEach(async () => {
  bench = await openFiatBench();
});
afterEach(async () => {
  await expectCleanAudit({ db: bench.db }, { without: WITHOUT_CHAIN });
  await bench.close();
});

/** A worker that dies the `nth` time it reaches a step. */
function doomed(step: FiatStep, nth = 1) {
  let seen = 0;
  return bench.newEngine({
    observe: (reached) => {
      if (reached === step && ++seen === nth) throw new Died(`died at ${step}`);
    },
  });
}

/** Runs a worker until it dies; false if it never reached the step. The chain mines meanwhile. */
async function runToDeath(step: FiatStep, ids: readonly string[], nth = 1): Promise<boolean> {
  const worker = doomed(step, nth);
  for (let pass = 0; pass < 4; pass += 1) {
    try {
      await runOrdersOnce(worker, "withdrawals");
      await runOrdersOnce(worker, "topups");
    } catch (error) {
      if (error instanceof Died) return true;
      throw error;
    }
    await moveChain(ids);
  }
  return false;
}

async function moveChain(ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    for (const purpose of ["sweep", "topup"] as const) {
      const transfer = await bench.transferOf(purpose, id);
      if (transfer?.state === "queued") await bench.endTransfer(purpose, id, { txHash: "0xaa" });
    }
  }
}

/** Another worker does all that is left. */
async function finish(ids: readonly string[]): Promise<void> {
  await bench.letLeasesLapse();
  for (let pass = 0; pass < 6; pass += 1) {
    await setClockOffset(bench.db, pass * 3_700_000);
    await runOrdersOnce(bench.newEngine(), "withdrawals");
    await runOrdersOnce(bench.newEngine(), "topups");
    await moveChain(ids);
  }
}

async function expectDoneOnce(withdrawals: readonly string[], topups: readonly string[]): Promise<void> {
  for (const id of withdrawals) expect((await bench.withdrawal(id)).step).toBe("paid");
  for (const id of topups) expect((await bench.topup(id)).step).toBe("sent");
  const moved = BigInt(topups.length - withdrawals.length) * 100_000n;
  expect((await listPools(bench.db))[0]).toMatchObject({ totalMinor: 1_000_000n + moved, reservedMinor: 0n });
  const ids = [...withdrawals, ...topups];
  expect((await listCallbacksOf(bench.db, ids)).map(({ subjectId }) => subjectId).sort()).toEqual(ids.sort());
  expect(await bench.sql`select 1 from transfers`).toHaveLength(ids.length);
}

describe("a worker that dies at a step, and another that goes on", () => {
  for (const step of FIAT_STEPS) {
    it(`does everything once after a death at "${step}"`, async () => {
      const withdrawals = [(await bench.withdraw()).id, (await bench.withdraw()).id];
      const topups = step.startsWith("sweep") ? [] : [(await bench.topUp()).id];
      bench.provider.answers(
        { status: "pending", reference: "R-1", instructions: null },
        { status: "succeeded", reference: "R-1", reason: null, instructions: null },
      );
      expect(await runToDeath(step, [...withdrawals, ...topups], 2), "the step was reached").toBe(true);
      await finish([...withdrawals, ...topups]);
      await expectDoneOnce(withdrawals, topups);
    });
  }

  it("does everything once however often workers die, wherever that is", async () => {
    const withdrawals = [(await bench.withdraw()).id, (await bench.withdraw()).id, (await bench.withdraw()).id];
    const topups = [(await bench.topUp()).id, (await bench.topUp()).id];
    const ids = [...withdrawals, ...topups];
    for (const step of [...FIAT_STEPS, ...FIAT_STEPS.toReversed()]) {
      await runToDeath(step, ids);
      await bench.letLeasesLapse();
    }
    bench.provider.answers({ status: "succeeded", reference: "R-1", reason: null, instructions: null });
    await finish(ids);
    await expectDoneOnce(withdrawals, topups);
  });
});

describe("two workers", () => {
  it("that race give each order to the provider once", async () => {
    const withdrawals = await Promise.all(Array.from({ length: 6 }, async () => (await bench.withdraw()).id));
    const topups = await Promise.all(Array.from({ length: 6 }, async () => (await bench.topUp()).id));
    const workers = Array.from({ length: 4 }, () => bench.newEngine({ batch: 4 }));
    for (let pass = 0; pass < 4; pass += 1) {
      await Promise.all(workers.flatMap((worker) => [runOrdersOnce(worker, "withdrawals"), runOrdersOnce(worker, "topups")]));
      await moveChain([...withdrawals, ...topups]);
    }
    const given = bench.provider.asked.map(({ id }) => id).sort();
    expect(given).toEqual([...withdrawals, ...topups].sort());
  });

  it("of which one lost its lease: what it planned is not written", async () => {
    const { id } = await bench.withdraw();
    const slow = bench.newEngine({
      planSweep: async ({ safeAddress }) => {
        await bench.letLeasesLapse();
        await runOrdersOnce(bench.newEngine(), "withdrawals");
        return { to: safeAddress, valueBase: 0n, data: "0xdead" };
      },
    });
    await runOrdersOnce(slow, "withdrawals");
    expect((await bench.transferOf("sweep", id))?.call?.data).toBe("0x6a761202");
    expect((await bench.withdrawal(id)).step).toBe("sweeping");
  });
});
