import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { scopedTo } from "#db/client.ts";
import { findPool, listPools } from "#db/queries/fiat/fiat-pools.ts";
import { findWithdrawal, sumPromisedOfSafe } from "#db/queries/fiat/withdrawals.ts";
import { withdrawals } from "#db/schema/fiat-orders.ts";
import { formatDecimal } from "#domain/decimal.ts";
import { isRefusal } from "#domain/refusal.ts";
import { addPartner, setRate } from "#testing/factories.ts";
import { type FiatBench, MEMBER_SAFE, openFiatBench, SAFE } from "#testing/fiat.ts";
import { drawUpWithdrawal, type RequestWithdrawal } from "./draw-up-withdrawal.ts";
import { readWithdrawal } from "./read-orders.ts";
import { requestWithdrawal } from "./request-withdrawal.ts";

let bench: FiatBench;
beforeEach(async () => {
  bench = await openFiatBench();
});
afterEach(() => bench.close());

const request = async (command: RequestWithdrawal) =>
  await requestWithdrawal(bench.ctx, command, () => drawUpWithdrawal(bench.ctx, command));
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (isRefusal(error) ? error.code : error),
  );
const refusalOf = (values: Partial<RequestWithdrawal>) => codeOf(request(bench.withdrawalOf(values)));
const stored = async () => (await bench.db.select().from(withdrawals)).length;
const pool = async () => (await listPools(bench.db)).find(({ currency }) => currency === "KES");

describe("what is promised to others", () => {
  it("counts for every caller, though the database limits it to its own rows", async () => {
    const { withdrawal } = await request(bench.withdrawalOf());
    const { partnerId } = await addPartner(bench.db);
    const another = scopedTo(bench.db, { of: "partner", id: partnerId });
    expect(await findWithdrawal(another, withdrawal.id)).toBeNull();
    const [pools, reserved, promised] = await Promise.all([
      listPools(another),
      findPool(another, "KES"),
      sumPromisedOfSafe(another, { ...withdrawal }),
    ]);
    expect(pools).toEqual(await listPools(bench.db));
    expect(reserved?.reservedMinor).toBe(100_000n);
    expect(promised).toBe(withdrawal.sourceAmountBase);
  });
});

describe("a requested withdrawal", () => {
  it("is priced at once, reserves its amount in the pool and waits for its sweep", async () => {
    const { withdrawal, repeated } = await request(bench.withdrawalOf());
    expect(repeated).toBe(false);
    expect(withdrawal).toMatchObject({
      step: "reserved",
      amountMinor: 100_000n,
      feeMinor: 1_500n,
      sourceAmountBase: 7_815_501n,
      safeAddress: SAFE,
      memberId: null,
      txHash: null,
    });
    // 1015.00 / 129.87012987, rounded up to 6 decimals
    expect(formatDecimal(withdrawal.exchangeRate)).toBe("129.87012987");
    expect(await pool()).toMatchObject({ totalMinor: 1_000_000n, reservedMinor: 100_000n });
    expect(await readWithdrawal(bench.ctx, { partnerId: bench.partner.partnerId, id: withdrawal.id })).toEqual(withdrawal);
  });

  it("may be out of a member's Safe", async () => {
    const { withdrawal } = await request(bench.withdrawalOf({ externalUserId: "user-1" }));
    expect(withdrawal).toMatchObject({ safeAddress: MEMBER_SAFE, memberId: bench.memberId, externalUserId: "user-1" });
  });

  it("cannot be read by another partner", async () => {
    const { withdrawal } = await request(bench.withdrawalOf());
    const other = await addPartner(bench.db);
    for (const id of [withdrawal.id, "wd_none", "tx_1", `${withdrawal.id}\u0000`]) {
      expect(await codeOf(readWithdrawal(bench.ctx, { partnerId: other.partnerId, id }))).toBe("not_found");
    }
  });
});

describe("the same external_id", () => {
  it("with the same request answers what exists, however far that has come and whatever has become of pool and Safe", async () => {
    const command = bench.withdrawalOf();
    const first = await request(command);
    bench.state.safeBalanceBase = 0n;
    await setRate(bench.db, "0.01");
    expect(await request(command)).toEqual({ withdrawal: first.withdrawal, repeated: true });
    expect(await stored()).toBe(1);
  });

  it.each<[string, Partial<RequestWithdrawal>]>([
    ["amount", { amountMinor: 100_001n }],
    ["account", { destination: { type: "mobile_money", account: "+254700000001", name: "Wanjiru" } }],
    ["name", { destination: { type: "mobile_money", account: "+254700000000", name: "Njeri" } }],
    ["callback_url", { callbackUrl: null }],
    ["Safe", { externalUserId: "user-1" }],
  ])("with another %s is a conflict", async (_, change) => {
    const command = bench.withdrawalOf();
    await request(command);
    expect(await codeOf(request({ ...command, ...change }))).toBe("conflict");
    expect(await stored()).toBe(1);
  });

  it("of another partner is another withdrawal", async () => {
    const other = await addPartner(bench.db, { walletAddress: SAFE });
    const command = bench.withdrawalOf();
    expect((await request(command)).repeated).toBe(false);
    expect((await request({ ...command, ...other })).repeated).toBe(false);
  });

  it("asked for twenty times at once is one withdrawal and nineteen repeats", async () => {
    const command = bench.withdrawalOf();
    const answers = await Promise.all(Array.from({ length: 20 }, () => request(command)));
    expect(new Set(answers.map(({ withdrawal }) => withdrawal.id)).size).toBe(1);
    expect(answers.filter(({ repeated }) => !repeated)).toHaveLength(1);
    expect((await pool())?.reservedMinor).toBe(100_000n);
  });
});

describe("a refused withdrawal", () => {
  it.each<[string, Partial<RequestWithdrawal>]>([
    ["amount_too_small", { amountMinor: 999n }],
    ["amount_too_large", { amountMinor: 500_001n }],
    ["unsupported_pair", { currency: "XXX" }],
    ["unsupported_pair", { sourceCurrency: "DOGE" }],
    ["unsupported_chain", { chain: "eip155:1" }],
    ["not_found", { externalUserId: "nobody" }],
  ])("%s: %o, and nothing is stored", async (code, values) => {
    expect(await refusalOf(values)).toBe(code);
    expect(await stored()).toBe(0);
  });

  it("points at what is wrong with the amount", async () => {
    const refusal: unknown = await request(bench.withdrawalOf({ amountMinor: 1n })).catch((error: unknown) => error);
    expect(isRefusal(refusal) && refusal.particulars.errors?.[0]?.pointer).toBe("/amount");
  });

  it("has no pool of its currency", async () => {
    await setRate(bench.db, "1", { sourceCurrency: "USD", destinationCurrency: "USDT" });
    await bench.sql`insert into pair_terms (id, source_currency, destination_currency, chain, version, enabled, withdrawn, spread_bps,
      platform_fee_base, minimum_source_minor, maximum_source_minor, quote_lifetime_seconds, approved_lifetime_seconds, created_at, created_by)
      select 'pt_usd', 'USD', destination_currency, chain, 1, true, false, spread_bps,
      platform_fee_base, minimum_source_minor, maximum_source_minor, 300, 300, created_at, created_by from pair_terms limit 1`;
    expect(await refusalOf({ currency: "USD" })).toBe("unsupported_pair");
  });

  it("is beyond what the pool has free", async () => {
    await request(bench.withdrawalOf({ amountMinor: 500_000n }));
    await request(bench.withdrawalOf({ amountMinor: 400_000n }));
    expect(await refusalOf({ amountMinor: 100_001n })).toBe("insufficient_liquidity");
    expect(await stored()).toBe(2);
    expect(await refusalOf({ amountMinor: 100_000n })).toBeNull();
  });

  it("is beyond what the Safe holds and has not promised already", async () => {
    bench.state.safeBalanceBase = 7_815_500n;
    expect(await refusalOf({})).toBe("insufficient_funds");
    bench.state.safeBalanceBase = 2n * 7_815_501n;
    await request(bench.withdrawalOf());
    await request(bench.withdrawalOf());
    expect(await refusalOf({})).toBe("insufficient_funds");
    expect(await stored()).toBe(2);
    // Another Safe's promises do not count.
    expect(await refusalOf({ externalUserId: "user-1" })).toBeNull();
  });

  it("finds no Safe that obeys the service", async () => {
    const partner = await addPartner(bench.db);
    await bench.addMember(bench.partner, { externalUserId: "own-wallet", safeStatus: null });
    await bench.addMember(bench.partner, { externalUserId: "waiting", safeStatus: "deploying" });
    for (const [change, safe_status] of [
      [partner, null],
      [{ externalUserId: "own-wallet" }, null],
      [{ externalUserId: "waiting" }, "deploying"],
    ] as const) {
      const refusal: unknown = await request(bench.withdrawalOf(change)).catch((error: unknown) => error);
      expect(isRefusal(refusal) && [refusal.code, refusal.particulars.members]).toEqual(["conflict", { safe_status }]);
    }
  });

  it("finds no fresh rate", async () => {
    await bench.sql`update exchange_rates set stale_at = now() - interval '1 second' where source_currency = 'KES'`;
    expect(await refusalOf({})).toBe("rate_unavailable");
  });
});

describe("many at once", () => {
  it("never reserve more than the pool holds", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => refusalOf({ amountMinor: 150_000n })));
    expect(answers.filter((code) => code === null)).toHaveLength(6);
    expect(answers.filter((code) => code === "insufficient_liquidity")).toHaveLength(14);
    expect(await pool()).toMatchObject({ totalMinor: 1_000_000n, reservedMinor: 900_000n });
  });

  it("are never promised more than the Safe holds", async () => {
    bench.state.safeBalanceBase = 3n * 7_815_501n;
    const answers = await Promise.all(Array.from({ length: 8 }, () => refusalOf({})));
    expect(answers.filter((code) => code === null)).toHaveLength(3);
    expect(answers.filter((code) => code === "insufficient_funds")).toHaveLength(5);
  });
});
