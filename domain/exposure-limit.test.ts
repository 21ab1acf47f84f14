import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decimal } from "./decimal.ts";
import { DEFAULT_LIMITS } from "./default-limits.ts";
import {
  bucketSeconds,
  bucketStart,
  DAY_SECONDS,
  fromAtto,
  HOUR_SECONDS,
  judgeLimit,
  type LimitAsked,
  type LimitedPayment,
  toAtto,
} from "./exposure-limit.ts";
import { faultsOfLimit, readLimit } from "./written-limit.ts";

const NOW = new Date("2026-11-22T10:07:31.000Z");
const atto = (units: number) => BigInt(units) * 10n ** 18n;
const limit = (fields: Partial<LimitAsked> = {}): LimitAsked => ({
  id: "by-hour",
  version: 3,
  kind: "velocity",
  mode: "enforce",
  countedBy: "partner",
  windowSeconds: HOUR_SECONDS,
  amountAtto: atto(100),
  timesMaximum: null,
  waitSeconds: null,
  addresses: null,
  counter: "p1",
  usedAtto: 0n,
  isCharged: false,
  isKnown: false,
  ...fields,
});
/** 7,700.00 KES become 59.29 USDT; the pair's maximum is 10,000.00 KES, 77 USDT. */
const payment = (fields: Partial<LimitedPayment> = {}): LimitedPayment => ({
  amountBase: 59_290_000n,
  tokenDecimals: 6,
  currency: "USDT",
  recipient: "0xAbC0000000000000000000000000000000000001",
  source: { amountMinor: 770_000n, currency: "KES", exchangeRate: decimal("0.0077"), rateIs: "token_per_fiat", maximumMinor: 1_000_000n },
  ...fields,
});
const outcome = (fields: Partial<LimitAsked>, paid: Partial<LimitedPayment> = {}) => judgeLimit(limit(fields), payment(paid), NOW).outcome;

describe("a velocity", () => {
  it("passes up to the limit itself, and holds one base unit above it", () => {
    const used = atto(100) - toAtto(59_290_000n, 6);
    expect([outcome({ usedAtto: used }), outcome({ usedAtto: used + 1n })]).toEqual(["pass", "hold"]);
  });

  it("says what it was judged by, with the version, and what the payment counts for", () => {
    expect(judgeLimit(limit({ usedAtto: atto(60) }), payment(), NOW)).toEqual({
      key: "by-hour",
      version: "3",
      outcome: "hold",
      dryRun: false,
      words: "With 59.29 USDT it would be 119.29 within an hour, of at most 100.",
      facts: { kind: "velocity", amount: "59.29", used: "60", limit: "100", currency: "USDT", counted: "p1", window_hours: 1 },
      charge: { counter: "p1", begins: "2026-11-22T10:05:00.000Z", amount: "59290000000000000000" },
    });
  });

  it("of zero holds everything: an emergency stop", () => {
    expect(outcome({ amountAtto: 0n }, { amountBase: 1n })).toBe("hold");
  });

  it("counts a payment once", () => {
    expect(judgeLimit(limit({ usedAtto: atto(100), isCharged: true }), payment(), NOW)).toMatchObject({ outcome: "pass" });
    expect(judgeLimit(limit({ usedAtto: atto(100), isCharged: true }), payment(), NOW).charge).toBeUndefined();
  });

  it("may be so many times the pair's maximum, at the payment's own rate", () => {
    const times = { amountAtto: null, timesMaximum: 2 };
    const used = atto(154) - toAtto(59_290_000n, 6);
    expect([outcome({ ...times, usedAtto: used }), outcome({ ...times, usedAtto: used + 1n })]).toEqual(["pass", "hold"]);
  });

  it("of so many times the pair's maximum divides by a withdrawal's rate, which is fiat for a token, and rounds the room down", () => {
    // 10,000.00 KES at 128.7 KES a USDT: 77.70007770007770007… USDT.
    const source = { amountMinor: 770_000n, currency: "KES", exchangeRate: decimal("128.7"), rateIs: "fiat_per_token" as const };
    const paid = { source: { ...source, maximumMinor: 1_000_000n } };
    const room = 77_700_077_700_077_700_077n;
    const used = room - toAtto(59_290_000n, 6);
    const times = { amountAtto: null, timesMaximum: 1 };
    expect([outcome({ ...times, usedAtto: used }, paid), outcome({ ...times, usedAtto: used + 1n }, paid)]).toEqual(["pass", "hold"]);
    const nothing = { source: { ...paid.source, exchangeRate: decimal("0") } };
    expect(outcome({ ...times, usedAtto: 0n }, nothing)).toBe("hold");
  });

  it("holds where there is nothing to count by, as a multiple of a pair's maximum for what has no pair", () => {
    expect(outcome({ amountAtto: null, timesMaximum: null })).toBe("hold");
    expect(outcome({ amountAtto: null, timesMaximum: null }, { source: null })).toBe("hold");
    expect(outcome({ amountAtto: null, timesMaximum: 2 }, { source: null })).toBe("hold");
    expect(outcome({ kind: "wallet", amountAtto: null, timesMaximum: 2 }, { source: null })).toBe("hold");
  });

  it("only records where it is a dry run", () => {
    expect(judgeLimit(limit({ mode: "dry_run", usedAtto: atto(99) }), payment(), NOW)).toMatchObject({ outcome: "hold", dryRun: true });
  });

  it("never lets any span of its window hold more than the limit, whenever payments come", () => {
    const arrivals = fc.array(fc.tuple(fc.integer({ min: 0, max: 3 * HOUR_SECONDS }), fc.integer({ min: 1, max: 60 })), { maxLength: 60 });
    fc.assert(
      fc.property(arrivals, (arrived) => {
        const passed: { at: number; units: number; begins: number }[] = [];
        for (const [at, units] of arrived.toSorted((left, right) => left[0] - right[0])) {
          const now = new Date(at * 1_000);
          const counted = passed.filter(({ begins }) => begins > at - HOUR_SECONDS - bucketSeconds(HOUR_SECONDS));
          const usedAtto = counted.reduce((sum, one) => sum + atto(one.units), 0n);
          const verdict = judgeLimit(limit({ usedAtto }), payment({ amountBase: BigInt(units) * 1_000_000n }), now);
          if (verdict.outcome === "pass") passed.push({ at, units, begins: bucketStart(HOUR_SECONDS, now).getTime() / 1_000 });
        }
        for (const { at: from } of passed) {
          const within = passed.filter(({ at }) => at >= from && at < from + HOUR_SECONDS);
          expect(within.reduce((sum, { units }) => sum + units, 0)).toBeLessThanOrEqual(100);
        }
      }),
    );
  });
});

describe("the other kinds", () => {
  it("a credit line counts what is owed and this, in the source currency", () => {
    const line = { kind: "credit_line", countedBy: null, windowSeconds: null, amountAtto: atto(10_000), counter: null } as const;
    expect(outcome({ ...line, usedAtto: atto(2_300) })).toBe("pass");
    expect(judgeLimit(limit({ ...line, usedAtto: atto(2_300) + 1n }), payment(), NOW)).toMatchObject({
      outcome: "hold",
      facts: { amount: "7700" },
    });
  });

  it("a destination or a key that is new holds, one that is known passes", () => {
    for (const kind of ["new_destination", "new_key"] as const) {
      expect([outcome({ kind, waitSeconds: DAY_SECONDS }), outcome({ kind, isKnown: true })]).toEqual(["hold", "pass"]);
    }
  });

  it("an allow-list lets through what is on it, however it is written, and nothing else", () => {
    const kind = "allow_list";
    expect(outcome({ kind, addresses: ["0xabc0000000000000000000000000000000000001"] })).toBe("pass");
    expect(outcome({ kind, addresses: ["0xabc0000000000000000000000000000000000002"] })).toBe("hold");
    expect(outcome({ kind, addresses: [] })).toBe("hold");
    const payee = { recipient: "GB33 BUKB-2020 1555" };
    expect(outcome({ kind, addresses: ["gb33bukb20201555"] }, payee)).toBe("pass");
    expect(outcome({ kind, addresses: ["gb33bukb20201556"] }, payee)).toBe("hold");
  });
});

describe("amounts", () => {
  it("are counted alike whatever a token's decimals are, and rounded up where it is finer", () => {
    expect([toAtto(1_500_000n, 6), toAtto(15n * 10n ** 17n, 18)]).toEqual([toAtto(15n, 1), toAtto(15n, 1)]);
    expect(toAtto(1n, 20)).toBe(1n);
    expect(fromAtto(toAtto(1_500_000n, 6))).toBe("1.5");
  });

  it("stretches are of five minutes and of an hour", () => {
    expect(bucketStart(DAY_SECONDS, NOW).toISOString()).toBe("2026-11-22T10:00:00.000Z");
  });
});

describe("what is written", () => {
  const written = {
    ...({
      kind: "velocity",
      mode: "enforce",
      partnerId: null,
      purpose: null,
      sourceCurrency: null,
      destinationCurrency: "USDT",
      chain: null,
    } as const),
    ...({ countedBy: "partner", timesMaximum: null, addresses: null, amount: "5000.5", window: "day", waitHours: null } as const),
  };
  it("is read exactly", () => {
    expect(readLimit(written)).toMatchObject({ amountAtto: 50_005n * 10n ** 17n, windowSeconds: DAY_SECONDS });
    expect(readLimit({ ...written, addresses: ["0xB", "0xa", "0xA"] }).addresses).toEqual(["0xa", "0xb"]);
  });

  it("must fit together", () => {
    const faults = (fields: object) => faultsOfLimit(readLimit({ ...written, ...fields })).map(({ field }) => field);
    expect(faults({})).toEqual([]);
    expect(faults({ timesMaximum: 3 })).toEqual(["amount"]);
    expect(faults({ amount: null })).toEqual(["amount"]);
    expect(faults({ window: null, countedBy: null })).toEqual(["window", "counted_by"]);
    expect(faults({ kind: "wallet" })).toEqual(["counted_by"]);
    expect(faults({ kind: "wallet", countedBy: null, amount: null, timesMaximum: 30 })).toEqual(["amount"]);
    expect(faults({ kind: "credit_line", window: null, countedBy: null })).toEqual(["source_currency"]);
    expect(faults({ kind: "new_key", window: null, countedBy: null, amount: null })).toEqual(["wait_hours"]);
    expect(faults({ kind: "allow_list", window: null, countedBy: null, amount: null })).toEqual(["addresses"]);
  });

  it("names no purpose that it has nothing of", () => {
    const bare = { window: null, countedBy: null, amount: null };
    const faults = (fields: object) => faultsOfLimit(readLimit({ ...written, ...fields })).map(({ field }) => field);
    expect(faults({ purpose: "withdrawal" })).toEqual([]);
    expect(faults({ purpose: "topup", countedBy: "member" })).toEqual([]);
    expect(faults({ purpose: "settlement", countedBy: "member" })).toEqual(["purpose"]);
    expect(faults({ kind: "wallet", countedBy: null, purpose: "return" })).toEqual([]);
    expect(faults({ kind: "wallet", countedBy: null, purpose: "withdrawal" })).toEqual(["purpose"]);
    const line = { ...bare, kind: "credit_line", amount: "5", sourceCurrency: "KES" };
    expect([faults({ ...line, purpose: "settlement" }), faults({ ...line, purpose: "topup" })]).toEqual([[], ["purpose"]]);
    expect(faults({ ...bare, kind: "allow_list", addresses: [], purpose: "return" })).toEqual(["purpose"]);
    expect(faults({ ...bare, kind: "new_key", waitHours: 1, purpose: "return" })).toEqual(["purpose"]);
  });

  it("all that a live service begins with does, and no wallet's ceiling depends on a pair", () => {
    expect(DEFAULT_LIMITS.flatMap(faultsOfLimit)).toEqual([]);
    const wallets = DEFAULT_LIMITS.filter(({ kind, mode }) => kind === "wallet" && mode === "enforce");
    expect(wallets.map(({ amountAtto }) => amountAtto)).toEqual([atto(100_000)]);
    const payouts = DEFAULT_LIMITS.filter(({ purpose, mode }) => purpose === "withdrawal" && mode === "enforce");
    expect(payouts.map(({ kind, countedBy, windowSeconds }) => `${countedBy ?? kind} ${windowSeconds}`)).toEqual([
      `pair ${HOUR_SECONDS}`,
      `pair ${DAY_SECONDS}`,
      `destination ${DAY_SECONDS}`,
      `destination ${HOUR_SECONDS}`,
      `member ${HOUR_SECONDS}`,
      "new_destination null",
    ]);
  });
});
