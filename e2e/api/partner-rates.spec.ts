import { expect, test } from "@playwright/test";
import { convertToCurrencyOperation, exchangeRatesOperation, getAllTransactionsOperation } from "#contract/partner/rate-operations.ts";
import { expectOperatorError, read } from "../support/answers.ts";
import { operator } from "../support/client.ts";
import { inUnits, plain } from "../support/money.ts";
import { asPartner, asRival, expectInvalid } from "../support/partner-surface.ts";
import { sandbox } from "../support/running-sandbox.ts";
import { confirm, ended, freshReference, quote, setRate } from "../support/settlements.ts";

/** Contract, parts 6 and 9: mid rates, conversions recomputed here, and the list of all transactions. */

const convert = (query: string) => asPartner.call("GET", `/exchange-rates/convert?${query}`);
const rates = async () => read(exchangeRatesOperation, await asPartner.call("GET", "/exchange-rates"));
const rateOf = async (source: string, destination: string) =>
  (await rates()).find((rate) => rate.source_currency === source && rate.destination_currency === destination);

test("exchange rates are the mid rates as they are at this moment", async () => {
  const before = await rateOf("PHP", "USDC");
  expect(before?.rate).toBeGreaterThan(0);
  await setRate("PHP", "USDC", 0.0175);
  expect((await rateOf("PHP", "USDC"))?.rate).toBe(0.0175);
  await setRate("PHP", "USDC", null);
  expect(await rateOf("PHP", "USDC")).toBeUndefined();
  expectOperatorError(await convert("from=PHP&to=USDC&amount=100"), 503, "rate_unavailable");
  await setRate("PHP", "USDC", before?.rate ?? 0);
  const asOperator = read(exchangeRatesOperation, await operator.call("GET", "/exchange-rates"));
  // A fixed rate is always current.
  expect(asOperator.map(({ as_of: _, ...rate }) => rate)).toEqual((await rates()).map(({ as_of: _, ...rate }) => rate));
});

test("a conversion goes both ways, and a pocket calculator finds the same", async () => {
  const there = read(convertToCurrencyOperation, await convert("from=KES&to=USDT&amount=123456"));
  expect(there.rate).toBe((await rateOf("KES", "USDT"))?.rate);
  const fine = 123_456n * inUnits(plain(there.rate), 12) * 10n ** 6n;
  expect(inUnits(plain(there.converted_amount), 6)).toBe(fine / 10n ** 14n);
  const back = read(convertToCurrencyOperation, await convert("from=USDT&to=KES&amount=12.5"));
  expect(back.converted_amount).toBe(Number((125n * inUnits(plain(back.rate), 12) * 100n) / 10n ** 13n));
  const yen = read(convertToCurrencyOperation, await convert("from=USDT&to=JPY&amount=1"));
  expect(Number.isInteger(yen.converted_amount)).toBe(true);
});

test("a conversion of what is not traded, or of no amount, is 422", async () => {
  for (const query of ["from=KES&to=USD&amount=1", "from=USDT&to=USDC&amount=1", "from=KES&to=DOGE&amount=1"]) {
    expect((await convert(query)).text).toContain("unsupported_pair");
    expect((await convert(query)).status).toBe(422);
  }
  for (const amount of ["", "0", "-5", "1.5", "lots"])
    expectInvalid(await convert(`from=KES&to=USDT&amount=${amount}`), ["query", "amount"]);
});

test("all transactions hold a settlement from its quote to its end, to its partner and the operator alone", async () => {
  const externalTxId = freshReference();
  const { tx_id } = await quote();
  const list = async (query: string, by = asPartner) =>
    read(getAllTransactionsOperation, await by.call("GET", `/partners/transactions?${query}`));
  const newest = await list("limit=1");
  expect(newest.items[0]).toMatchObject({
    type: "settlement",
    id: tx_id,
    status: "quoted",
    external_id: null,
    partner_id: sandbox.partner.id,
  });
  await confirm(tx_id, { external_tx_id: externalTxId });
  const settlement = await ended(tx_id);
  const { items, total } = await list(`external_id=${externalTxId}`);
  expect(total).toBe(1);
  expect(items[0]).toMatchObject({
    id: tx_id,
    status: "executed",
    source_currency: settlement.source_currency,
    source_amount: settlement.source_amount,
    destination_currency: settlement.destination_currency,
    destination_amount: settlement.destination_amount,
    tx_hash: settlement.tx_hash,
    completed_at: settlement.executed_at,
  });
  expect((await list(`external_id=${externalTxId}`, operator)).items).toEqual(items);
  expect((await list(`external_id=${externalTxId}`, asRival)).total).toBe(0);
  expect((await list(`external_id=${externalTxId}&status=failed`)).total).toBe(0);
  expect((await list(`external_id=${externalTxId}&type=topup`)).total).toBe(0);
});

test("all transactions page without a gap or a repeat", async () => {
  for (let number = 0; number < 5; number += 1) await quote();
  const until = new Date(Date.now() + 365 * 86_400_000).toISOString();
  const page = async (skip: number) => {
    const answer = await asPartner.call("GET", `/partners/transactions?created_to=${encodeURIComponent(until)}&skip=${skip}&limit=2`);
    return read(getAllTransactionsOperation, answer);
  };
  const [first, second] = [await page(0), await page(2)];
  expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(4);
  expect([first.skip, first.limit, second.skip]).toEqual([0, 2, 2]);
  for (const query of ["type=gift", "status=lost", "limit=101", "created_from=yesterday"]) {
    expectInvalid(await asPartner.call("GET", `/partners/transactions?${query}`), ["query", query.split("=")[0] ?? ""]);
  }
});
