import { expect, test } from "@playwright/test";
import { createSettlementOperation, listPairsOperation, previewRateOperation } from "#contract/settlement/v1/operations.ts";
import { expectFault, expectRefusal, read } from "../support/answers.ts";
import { partner } from "../support/client.ts";
import { inUnits, literalOf, netOf } from "../support/money.ts";
import { chain } from "../support/running-sandbox.ts";
import { createBody, pairOf, SETTLEMENTS, setRate } from "../support/settlements.ts";

/** Contract, parts 2 and 9 "Shapes": what may be quoted, and at what price just now. */

const preview = (changes: Record<string, string | number> = {}) => {
  const query = { source_currency: "KES", destination_currency: "USDT", chain: chain.chain, ...changes };
  const text = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return partner.get(`/api/v1/rates/preview?${text.join("&")}`);
};

test("the sandbox trades seven currencies against USDT and USDC", async () => {
  const { data } = read(listPairsOperation, await partner.get("/api/v1/pairs"));
  const names = data.filter((pair) => pair.chain === chain.chain).map((pair) => `${pair.source_currency} ${pair.destination_currency}`);
  for (const source of ["KES", "USD", "EUR", "NGN", "PHP", "JPY", "KWD"]) {
    for (const destination of ["USDT", "USDC"]) expect(names).toContain(`${source} ${destination}`);
  }
  for (const pair of data) {
    expect(pair.minimum_source_amount).toBeGreaterThanOrEqual(1);
    expect(pair.maximum_source_amount).toBeGreaterThan(pair.minimum_source_amount);
    expect(pair.platform_fee).toBeGreaterThanOrEqual(0);
    expect(pair).toMatchObject({ destination_decimals: 6, quote_lifetime_seconds: 300 });
  }
});

test("a preview has rate and fee; with an amount also what would be delivered, and that is what a quote says", async () => {
  const bare = await preview();
  const previewed = read(previewRateOperation, bare);
  expect(previewed).toMatchObject({ source_currency: "KES", destination_currency: "USDT", chain: chain.chain });
  expect(JSON.parse(bare.text)).not.toHaveProperty("source_amount");
  expect(JSON.parse(bare.text)).not.toHaveProperty("destination_amount");

  const full = await preview({ source_amount: 123_457 });
  expect(read(previewRateOperation, full).source_amount).toBe(123_457);
  const [rate, fee, net] = ["exchange_rate", "platform_fee", "destination_amount"].map((name) => literalOf(full.text, name));
  expect(inUnits(`${net}`, 6)).toBe(netOf(123_457, 2, `${rate}`, `${fee}`, 6));
  const quoted = read(createSettlementOperation, await partner.post(SETTLEMENTS, createBody({ source_amount: 123_457 })));
  expect(quoted).toMatchObject({ exchange_rate: Number(rate), destination_amount: Number(net), platform_fee: Number(fee) });
});

test("a preview stores nothing", async () => {
  const newest = async () => JSON.parse((await partner.get(`${SETTLEMENTS}?limit=1`)).text).data[0]?.tx_id;
  const before = await newest();
  await preview({ source_amount: 500_000 });
  expect(await newest()).toBe(before);
});

test("a preview refuses what a quote would refuse, by its parameter", async () => {
  expectRefusal(await preview({ source_currency: "XXX" }), 422, "unsupported_pair");
  expectRefusal(await preview({ chain: "eip155:1" }), 422, "unsupported_chain");
  expectFault(await preview({ chain: "ethereum" }), "validation_failed", { parameter: "chain" });
  for (const source_amount of [0, "1.5", "-1", "many", "9007199254740992"]) {
    expectFault(await preview({ source_amount }), "validation_failed", { parameter: "source_amount" });
  }
  expectRefusal(await preview({ source_currency: "KWD", source_amount: "9007199254740991" }), 422, "amount_too_large");
  const { minimum_source_amount } = await pairOf("KES", "USDT");
  if (minimum_source_amount > 1) expectRefusal(await preview({ source_amount: minimum_source_amount - 1 }), 422, "amount_too_small");
});

test("a preview's parameters are required, known and given once", async () => {
  for (const missing of ["source_currency", "destination_currency", "chain"]) {
    const query = ["source_currency=KES", "destination_currency=USDT", `chain=${chain.chain}`].filter((part) => !part.startsWith(missing));
    expectFault(await partner.get(`/api/v1/rates/preview?${query.join("&")}`), "validation_failed", { parameter: missing });
  }
  expectFault(await preview({ amount: 5 }), "validation_failed", { parameter: "amount" });
  const twice = `source_currency=KES&source_currency=KES&destination_currency=USDT&chain=${chain.chain}`;
  expectFault(await partner.get(`/api/v1/rates/preview?${twice}`), "validation_failed", { parameter: "source_currency" });
});

test("the rate follows the mid rate, with the pair's spread taken off", async () => {
  await setRate("PHP", "USDC", 0.02);
  const first = Number(literalOf((await preview({ source_currency: "PHP", destination_currency: "USDC" })).text, "exchange_rate"));
  await setRate("PHP", "USDC", 0.01);
  const second = Number(literalOf((await preview({ source_currency: "PHP", destination_currency: "USDC" })).text, "exchange_rate"));
  expect(first / second).toBeCloseTo(2, 9);
  expect(first).toBeLessThanOrEqual(0.02);
  expect(first).toBeGreaterThan(0.019);
  await setRate("PHP", "USDC", 0.0172);
});

test("without a rate a preview is 503, and pairs say down", async () => {
  await setRate("PHP", "USDC", null);
  const answer = await preview({ source_currency: "PHP", destination_currency: "USDC" });
  await setRate("PHP", "USDC", 0.0172);
  expectRefusal(answer, 503, "rate_unavailable");
  expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
  expect((await preview({ source_currency: "PHP", destination_currency: "USDC" })).status).toBe(200);
});
