import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SYSTEM } from "#domain/access.ts";
import { isRefusal } from "#domain/refusal.ts";
import { expectCleanAudit } from "#testing/clean-audit.ts";
import { type FiatBench, openFiatBench } from "#testing/fiat.ts";
import { fundPool } from "./fund-pool.ts";
import { readPools } from "./read-books.ts";

let bench: FiatBench;
beforeAll(async () => {
  bench = await openFiatBench();
});
afterAll(async () => {
  await expectCleanAudit({ db: bench.db });
  await bench.close();
});

const fund = (amountMinor: bigint, reference: string, currency = "KES") =>
  bench.db.transaction((tx) => fundPool(tx, { by: SYSTEM, currency, amountMinor, reference, now: new Date() }));
const codeOf = (work: Promise<unknown>) => work.then(String, (error: unknown) => (isRefusal(error) ? error.code : String(error)));
const pool = async () => (await readPools(bench.ctx)).find(({ currency }) => currency === "KES");

describe("the operator's money in a pool", () => {
  it("is booked once for each reference, also when it is booked twice at once", async () => {
    const booked = await Promise.all([fund(5_000n, "bank-1"), fund(5_000n, "bank-1"), fund(5_000n, "bank-1")]);
    expect(booked.sort()).toEqual([false, false, true]);
    expect(await fund(-2_000n, "bank-2")).toBe(true);
    expect(await pool()).toMatchObject({ totalMinor: 1_003_000n, reservedMinor: 0n });
  });

  it("has the total of the ledger, next to what is promised", async () => {
    await bench.withdraw({ amountMinor: 100_000n });
    expect(await pool()).toMatchObject({ totalMinor: 1_003_000n, reservedMinor: 100_000n });
  });

  it("can go into no pool that is not there", async () => {
    expect(await codeOf(fund(1n, "bank-3", "JPY"))).toBe("not_found");
  });

  it("cannot be taken out where it is promised", async () => {
    expect(await codeOf(fund(-903_001n, "bank-4"))).toBe("insufficient_liquidity");
    expect(await fund(-903_000n, "bank-4")).toBe(true);
    expect(await pool()).toMatchObject({ totalMinor: 100_000n, reservedMinor: 100_000n });
  });
});
