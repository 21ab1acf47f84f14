import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { topupAt, withdrawalAt } from "./fiat-fixture.ts";
import { priceTopup, priceWithdrawal } from "./fiat-price.ts";
import {
  assetName,
  balanceFault,
  fiatAsset,
  type LedgerAccount,
  type LedgerEntry,
  networkFeePaid,
  poolFunded,
  settlementExecuted,
  topupPostings,
  UnbalancedEntry,
  withdrawalPostings,
} from "./ledger.ts";
import { settlementIn } from "./lifecycle-fixture.ts";
import { displayUnitBase } from "./money.ts";
import { priceSource, quotedRate } from "./quote.ts";
import { isRefusal } from "./refusal.ts";
import { TOPUP_STEPS, type Topup } from "./topup.ts";
import { treasuryFunded } from "./treasury-entries.ts";
import { WITHDRAWAL_STEPS, type Withdrawal, type WithdrawalStep } from "./withdrawal.ts";

const TOKEN_DECIMALS = fc.constantFrom(2, 6, 8, 9, 18);
const FIAT = fc.constantFrom(["JPY", 0], ["KES", 2], ["KWD", 3]) as fc.Arbitrary<["JPY" | "KES" | "KWD", number]>;
const RATE = fc.bigInt(1n, 10n ** 12n).chain((coefficient) => fc.integer({ min: 0, max: 14 }).map((scale) => ({ coefficient, scale })));
const AMOUNT = fc.bigInt(1n, 10n ** 12n);
const SPREAD = fc.integer({ min: 0, max: 500 });
const PERCENT = fc.integer({ min: 0, max: 1_000_000 }).map((coefficient) => ({ coefficient: BigInt(coefficient), scale: 4 }));

/** `account currency` → its balance, without zero balances. */
function balances(entries: readonly (LedgerEntry | null)[], phase: LedgerEntry["phase"] = "posted"): Record<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const entry of entries) {
    if (entry?.phase !== phase) continue;
    for (const { account, asset, amount } of entry.postings) {
      const key = `${account} ${asset.currency}`;
      sums.set(key, (sums.get(key) ?? 0n) + amount);
    }
  }
  return Object.fromEntries([...sums].filter(([, sum]) => sum !== 0n));
}

/** A price, or nothing where the amounts cannot be written: those are refused before anything is owed. */
function priced<Price>(make: () => Price): Price | null {
  try {
    return make();
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}

describe("an executed settlement", () => {
  it("makes the partner owe the fiat, takes the net amount out of the treasury and earns the fee", () => {
    const settlement = settlementIn("executed", null);
    const exact = 997_614_710n; // 129,500.00 KES × 0.0077035885 = 997.61471… USDT
    const quote = { ...settlement.quote, grossBase: exact, platformFeeBase: 400_000n, destinationAmountBase: exact - 400_000n };
    expect(settlementExecuted({ ...settlement, quote })).toEqual({
      cause: "settlement",
      causeId: "tx_1",
      step: "executed",
      phase: "posted",
      resolves: null,
      partnerId: "partner",
      postings: [
        { account: "partner_receivable", partnerId: "partner", asset: kes, amount: 12_950_000n },
        { account: "conversion", partnerId: null, asset: kes, amount: -12_950_000n },
        { account: "conversion", partnerId: null, asset: usdt, amount: exact },
        { account: "treasury", partnerId: null, asset: usdt, amount: 400_000n - exact },
        { account: "fee_revenue", partnerId: null, asset: usdt, amount: -400_000n },
      ],
    });
  });

  it("adds up for every price, and keeps less than one unit that can be written as rounding", () => {
    fc.assert(
      fc.property(FIAT, AMOUNT, RATE, SPREAD, TOKEN_DECIMALS, fc.bigInt(0n, 10n ** 6n), (fiat, amount, midRate, spread, decimals, fee) => {
        const [sourceCurrency, sourceExponent] = fiat;
        const platformFeeBase = fee * displayUnitBase(decimals);
        const quote = priced(() => {
          const exchangeRate = quotedRate(midRate, spread);
          const input = { sourceAmountMinor: amount, sourceExponent, exchangeRate, platformFeeBase, tokenDecimals: decimals };
          return { exchangeRate, ...priceSource(input) };
        });
        fc.pre(quote !== null);
        const base = settlementIn("executed", null);
        const settlement = {
          ...base,
          sourceAmountMinor: amount,
          sourceCurrency,
          tokenDecimals: decimals,
          quote: { ...base.quote, ...quote },
        };
        const entry = settlementExecuted(settlement);
        expect(balanceFault(entry.postings)).toBeNull();
        const of = balances([entry]);
        expect(of[`partner_receivable ${sourceCurrency}`]).toBe(amount);
        expect(of["treasury USDT"]).toBe(-quote.destinationAmountBase);
        expect(of["fee_revenue USDT"] ?? 0n).toBe(-platformFeeBase);
        expectResidue(of["rounding USDT"] ?? 0n, decimals);
      }),
    );
  });
});

describe("a top-up", () => {
  const at = (step: Topup["step"], more: Partial<Topup> = {}) => topupPostings(topupAt(step, more));

  it("posts nothing before the fiat is collected, nor when nobody pays", () => {
    expect(at("collecting")).toBeNull();
    expect(at("uncollected")).toBeNull();
  });

  it("holds what was collected in clearing until the crypto is sent", () => {
    expect(balances([at("sending")])).toEqual({ "fiat_pool KES": 100_000n, "clearing KES": -100_000n });
  });

  it("owes all of it to the partner when the crypto cannot be sent", () => {
    expect(balances([at("sending"), at("unsent")])).toEqual({ "fiat_pool KES": 100_000n, "partner_receivable KES": -100_000n });
  });

  it("adds up for every price: the fee is the partner's, clearing is empty, the rounding less than one unit that can be written", () => {
    fc.assert(
      fc.property(
        FIAT,
        AMOUNT,
        RATE,
        SPREAD,
        PERCENT,
        TOKEN_DECIMALS,
        (fiat, amountMinor, midRate, spreadBps, percentage, tokenDecimals) => {
          const [currency, exponent] = fiat;
          const input = { amountMinor, exponent, midRate, spreadBps, chargeFeePercentage: percentage, tokenDecimals };
          const price = priced(() => priceTopup(input));
          fc.pre(price !== null);
          const topup = { amountMinor, currency, tokenDecimals, ...price };
          const of = balances([at("sending", topup), at("sent", topup)]);
          expect(of[`fiat_pool ${currency}`]).toBe(amountMinor);
          expect(of[`partner_receivable ${currency}`] ?? 0n).toBe(-price.feeMinor);
          expect(of[`clearing ${currency}`]).toBeUndefined();
          expect(of["treasury USDT"]).toBe(-price.destinationAmountBase);
          expectResidue(of["rounding USDT"] ?? 0n, tokenDecimals);
        },
      ),
    );
  });

  it("has one entry for each step at which money moves, under a name of its own", () => {
    const entries = TOPUP_STEPS.flatMap((step) => at(step) ?? []);
    expect(entries.map(({ step }) => step)).toEqual(["collected", "sent", "unsent"]);
  });
});

describe("a withdrawal", () => {
  const at = (step: WithdrawalStep, more: Partial<Withdrawal> = {}) => withdrawalPostings(withdrawalAt(step, more));
  const life = (...steps: WithdrawalStep[]) => steps.map((step) => at(step));

  it("promises the fiat while it is reserved, in no balance yet", () => {
    const [reserved] = life("reserved");
    expect(reserved?.phase).toBe("pending");
    expect(balances([reserved ?? null])).toEqual({});
    expect(balances([reserved ?? null], "pending")).toEqual({ "fiat_pool KES": -100_000n, "clearing KES": 100_000n });
  });

  it("ends its promise exactly once on every way to an end", () => {
    for (const steps of [
      ["reserved", "released"],
      ["reserved", "sweeping", "released"],
      ["reserved", "sweeping", "paying_out", "paid"],
      ["reserved", "sweeping", "paying_out", "returning", "returned"],
      ["reserved", "sweeping", "paying_out", "returning", "unreturned"],
    ] as const) {
      const entries = life(...steps);
      expect(entries.filter((entry) => entry?.resolves === "reserved")).toHaveLength(1);
      const left = balances(entries);
      expect(Object.keys(left).filter((key) => key.startsWith("clearing"))).toEqual([]);
    }
  });

  it("moves nothing when it is released, and leaves nothing moved when the crypto is returned", () => {
    expect(balances(life("reserved", "sweeping", "released"))).toEqual({});
    expect(balances(life("reserved", "sweeping", "paying_out", "returning", "returned"))).toEqual({});
  });

  it("owes the crypto to the partner when it cannot be returned", () => {
    expect(balances(life("reserved", "sweeping", "paying_out", "returning", "unreturned"))).toEqual({
      "treasury USDT": 7_900_000n,
      "partner_receivable USDT": -7_900_000n,
    });
  });

  it("adds up for every price: the pool pays the amount, the fee is the partner's, the rounding less than one written unit", () => {
    fc.assert(
      fc.property(
        FIAT,
        AMOUNT,
        RATE,
        SPREAD,
        PERCENT,
        TOKEN_DECIMALS,
        (fiat, amountMinor, midRate, spreadBps, percentage, tokenDecimals) => {
          const [currency, exponent] = fiat;
          const input = { amountMinor, exponent, midRate, spreadBps, chargeFeePercentage: percentage, tokenDecimals };
          const price = priced(() => priceWithdrawal(input));
          fc.pre(price !== null);
          const withdrawal = { amountMinor, currency, tokenDecimals, ...price };
          const of = balances(["reserved", "paying_out", "paid"].map((step) => at(step as WithdrawalStep, withdrawal)));
          expect(of[`fiat_pool ${currency}`]).toBe(-amountMinor);
          expect(of[`partner_receivable ${currency}`] ?? 0n).toBe(-price.feeMinor);
          expect(of["treasury USDT"]).toBe(price.sourceAmountBase);
          expect(Object.keys(of).filter((key) => key.startsWith("clearing"))).toEqual([]);
          expectResidue(of["rounding USDT"] ?? 0n, tokenDecimals);
        },
      ),
    );
  });

  it("has one entry for each step but the sweep's beginning, under a name of its own", () => {
    const names = WITHDRAWAL_STEPS.flatMap((step) => at(step)?.step ?? []);
    expect(names).toHaveLength(WITHDRAWAL_STEPS.length - 1);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe("the operator's own money", () => {
  it("goes into pools and wallets against what the operator has put in", () => {
    expect(balances([poolFunded("KES", 5_000n, "seed")])).toEqual({ "fiat_pool KES": 5_000n, "owner_funds KES": -5_000n });
    expect(balances([treasuryFunded(usdt, 7n, { step: "opened", reference: "w" })])).toEqual({
      "treasury USDT": 7n,
      "owner_funds USDT": -7n,
    });
    expect(balances([networkFeePaid(usdt, 3n, "w")])).toEqual({ "network_fees USDT": 3n, "treasury USDT": -3n });
  });

  it("refuses an unknown currency", () => {
    expect(() => poolFunded("XXX", 1n, "seed")).toThrow(RangeError);
  });
});

describe("adding up", () => {
  const posting = (account: LedgerAccount, asset: typeof usdt | typeof kes, amount: bigint) => ({
    account,
    partnerId: null,
    asset,
    amount,
  });

  it("is asked of each asset by itself, and of each chain's token by itself", () => {
    expect(balanceFault([posting("treasury", usdt, 5n), posting("conversion", kes, -5n)])).toBe("USDT on eip155:31337 adds up to 5");
    const elsewhere = { ...usdt, chain: "eip155:1" };
    expect(balanceFault([posting("treasury", usdt, 5n), posting("conversion", elsewhere, -5n)])).not.toBeNull();
  });

  it("refuses one asset counted in two units", () => {
    const coarse = { ...usdt, decimals: 2 };
    expect(balanceFault([posting("treasury", usdt, 5n), posting("conversion", coarse, -5n)])).toContain("two units");
  });

  it("is asked before an entry leaves the domain", () => {
    const settlement = settlementIn("executed", null);
    expect(() => settlementExecuted({ ...settlement, quote: { ...settlement.quote, platformFeeBase: 1n } })).toThrow(UnbalancedEntry);
  });

  it("names assets for people", () => {
    expect([assetName(kes), assetName(usdt)]).toEqual(["KES", "USDT on eip155:31337"]);
  });
});

const kes = fiatAsset("KES");
const usdt = { currency: "USDT", chain: "eip155:31337", decimals: 6 };

/** Rounding is in our favour, and less than the smallest amount that can be written. */
function expectResidue(residue: bigint, tokenDecimals: number): void {
  expect(residue <= 0n && -residue < displayUnitBase(tokenDecimals)).toBe(true);
}
