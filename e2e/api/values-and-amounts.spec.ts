import { expect, test } from "@playwright/test";
import { createSettlementOperation } from "#contract/settlement/v1/operations.ts";
import { expectFault, expectRefusal, read } from "../support/answers.ts";
import { partner } from "../support/client.ts";
import { inUnits, literalOf, netOf, significantDigits } from "../support/money.ts";
import { createBody, pairOf, quote, SETTLEMENTS, setRate } from "../support/settlements.ts";

/** Contract, part 1: what each value looks like, and that money is exact to the last digit. */

/** The body with `source_amount` as the very literal given. */
function bodyWithAmount(literal: string, changes: Record<string, unknown> = {}): string {
  return JSON.stringify(createBody({ ...changes, source_amount: "@@" })).replace('"@@"', literal);
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

test("instants are UTC with Z and milliseconds, ids carry their prefix and sort by time", async () => {
  const first = await quote();
  await new Promise((resolve) => setTimeout(resolve, 5));
  const second = await quote();
  for (const instant of [first.created_at, first.expires_at]) expect(instant).toMatch(INSTANT);
  expect(first.tx_id).toMatch(/^tx_[0-9a-z]+$/);
  expect(first.tx_id < second.tx_id).toBe(true);
});

for (const literal of ["0", "-1", "0.5", "100.5", "9007199254740992", "1e16", '"100000"', "null", "true", "[100000]", "1e-3"]) {
  test(`source_amount ${literal} is refused`, async () => {
    expectFault(await partner.post(SETTLEMENTS, bodyWithAmount(literal)), "validation_failed", { pointer: "/source_amount" });
  });
}

test("a fraction too fine for a float is still a fraction", async () => {
  const answer = await partner.post(SETTLEMENTS, bodyWithAmount("100000.00000000000000000001"));
  expectFault(answer, "validation_failed", { pointer: "/source_amount" });
  // As a float it would be 2^53 - 1 or 2^53, depending on who rounds.
  const almost = await partner.post(SETTLEMENTS, bodyWithAmount("9007199254740991.4"));
  expectFault(almost, "validation_failed", { pointer: "/source_amount" });
});

for (const literal of ["100000.0", "1e5", "1000000e-1", "100000.000"]) {
  test(`source_amount ${literal} is judged by its value, 100000`, async () => {
    const answer = await partner.post(SETTLEMENTS, bodyWithAmount(literal));
    expect(read(createSettlementOperation, answer).source_amount).toBe(100_000);
    expect(literalOf(answer.text, "source_amount")).toBe("100000");
  });
}

test("2^53 - 1 is in range: what cannot be written in 15 digits is amount_too_large, not validation_failed", async () => {
  const answer = await partner.post(SETTLEMENTS, bodyWithAmount("9007199254740991", { source_currency: "KWD" }));
  expectRefusal(answer, 422, "amount_too_large");
});

test("an amount below the pair's minimum is amount_too_small", async () => {
  const { minimum_source_amount } = await pairOf("KES", "USDT");
  const answer = await partner.post(SETTLEMENTS, createBody({ source_amount: minimum_source_amount - 1 }));
  // A minimum of 1 leaves nothing valid below it.
  expectFault(answer, minimum_source_amount === 1 ? "validation_failed" : "amount_too_small", { pointer: "/source_amount" });
  expect((await quote({ source_amount: minimum_source_amount })).destination_amount).toBeGreaterThan(0);
});

test("an amount that is worth no more than the fee is amount_too_small", async () => {
  await setRate("PHP", "USDC", 0.0000001);
  try {
    const answer = await partner.post(
      SETTLEMENTS,
      createBody({ source_currency: "PHP", destination_currency: "USDC", source_amount: 500_000 }),
    );
    expectFault(answer, "amount_too_small", { pointer: "/source_amount" });
  } finally {
    await setRate("PHP", "USDC", 0.0172);
  }
});

for (const [currency, exponent, amount] of [
  ["JPY", 0, 150_001],
  ["USD", 2, 100_003],
  ["KES", 2, 12_950_007],
  ["KWD", 3, 300_007],
] as const) {
  for (const token of ["USDT", "USDC"] as const) {
    test(`a quote from ${currency} (${exponent} digits) to ${token} can be checked with a pocket calculator`, async () => {
      const answer = await partner.post(
        SETTLEMENTS,
        createBody({ source_currency: currency, destination_currency: token, source_amount: amount }),
      );
      const settlement = read(createSettlementOperation, answer);
      const [rate, fee, net] = ["exchange_rate", "platform_fee", "destination_amount"].map((name) => literalOf(answer.text, name));
      expect(inUnits(`${net}`, 6)).toBe(netOf(amount, exponent, `${rate}`, `${fee}`, 6));
      expect(significantDigits(`${rate}`)).toBeLessThanOrEqual(12);
      expect(significantDigits(`${net}`)).toBeLessThanOrEqual(15);
      const pair = await pairOf(currency, token);
      expect(settlement.platform_fee).toBe(pair.platform_fee);
    });
  }
}

test("many amounts: every quote is gross minus fee, rounded down, to the last base unit", async () => {
  for (let step = 0; step < 25; step += 1) {
    const amount = 100_003 + step * 7_919;
    const answer = await partner.post(SETTLEMENTS, createBody({ source_amount: amount }));
    expect(answer.status, answer.text).toBe(201);
    const [rate, fee, net] = ["exchange_rate", "platform_fee", "destination_amount"].map((name) => literalOf(answer.text, name));
    expect(inUnits(`${net}`, 6)).toBe(netOf(amount, 2, `${rate}`, `${fee}`, 6));
  }
});

test("numbers in answers are plain decimals, never with an exponent", async () => {
  const answer = await partner.post(SETTLEMENTS, createBody({ source_currency: "JPY", source_amount: 150_000 }));
  for (const name of ["source_amount", "destination_amount", "platform_fee", "exchange_rate"]) {
    expect(literalOf(answer.text, name)).toMatch(/^\d+(\.\d+)?$/);
  }
});
