import { describe, expect, test } from "vitest";
import { formatDecimal } from "#domain/decimal.ts";
import { Rejected } from "#server/ports.ts";
import { parseExactJson, readInstant } from "./read-answer.ts";
import { readReference } from "./reference-formats.ts";
import { readTicker } from "./ticker-formats.ts";

const SYMBOLS = { base: "USDT", quote: "USD" };
const ticker = (format: Parameters<typeof readTicker>[0], answer: string) => {
  const { price, asOf } = readTicker(format, answer, SYMBOLS);
  return { price: formatDecimal(price), asOf: asOf?.toISOString() ?? null };
};

describe("exact JSON", () => {
  test("keeps every digit of a number, however it is written", () => {
    expect(parseExactJson('{"a":[0.10000000000000000555, 1e-7, -0, 123456789012345678901234567890]}')).toEqual({
      a: ["0.10000000000000000555", "1e-7", "-0", "123456789012345678901234567890"],
    });
  });

  test("is refused when it is malformed, or nested to exhaust the stack", () => {
    expect(() => parseExactJson("<html>")).toThrow(Rejected);
    expect(() => parseExactJson("[".repeat(200_000) + "]".repeat(200_000))).toThrow(Rejected);
  });
});

describe("a ticker", () => {
  test("is read in each format, with its time where it has one", () => {
    expect(ticker("coinbase", '{"data":{"amount":"1.00020","base":"USDT","currency":"USD"}}')).toEqual({ price: "1.0002", asOf: null });
    const exchange = '{"trade_id":1,"price":"0.99985","size":"5","time":"2026-11-21T10:00:00.123456Z"}';
    expect(ticker("coinbase_exchange", exchange)).toEqual({ price: "0.99985", asOf: "2026-11-21T10:00:00.123Z" });
    const kraken = '{"error":[],"result":{"USDTZUSD":{"a":["1.1","1","1"],"c":["1.00011000","12.5"]}}}';
    expect(ticker("kraken", kraken)).toEqual({ price: "1.00011", asOf: null });
    expect(ticker("binance", '{"symbol":"USDTUSD","price":"1.00000000"}')).toEqual({ price: "1", asOf: null });
    expect(ticker("bitstamp", '{"last":"1.00007","timestamp":"1795246475","pair":"x"}')).toEqual({
      price: "1.00007",
      asOf: "2026-11-21T07:34:35.000Z",
    });
  });

  test("about another pair, with an error, with no price or an absurd one is refused", () => {
    const bad: [Parameters<typeof readTicker>[0], string][] = [
      ["coinbase", '{"data":{"amount":"1.0","base":"BTC","currency":"USD"}}'],
      ["coinbase", '{"data":{"amount":"1.0","base":"USDT","currency":"EUR"}}'],
      ["coinbase", '{"errors":[{"id":"not_found"}]}'],
      ["coinbase", '{"data":{"amount":"-1.0"}}'],
      ["coinbase", '{"data":{"amount":0}}'],
      ["coinbase", '{"data":{"amount":"1e999"}}'],
      ["coinbase", `{"data":{"amount":"1.${"0".repeat(100)}1"}}`],
      ["coinbase", '{"data":{"amount":"NaN"}}'],
      ["coinbase", '{"data":{"amount":null}}'],
      ["coinbase", '{"data":{"amount":{}}}'],
      ["coinbase", "[]"],
      ["coinbase", "null"],
      ["coinbase_exchange", '{"price":"1.0","time":"yesterday"}'],
      ["coinbase_exchange", '{"price":"1.0","time":{}}'],
      ["kraken", '{"error":["EQuery:Unknown asset pair"]}'],
      ["kraken", '{"error":[],"result":{}}'],
      ["kraken", '{"error":[],"result":{"A":{"c":["1"]},"B":{"c":["2"]}}}'],
      ["kraken", '{"error":[],"result":{"A":{"c":[]}}}'],
      ["binance", '{"symbol":"USDCUSD","price":"1.0"}'],
      ["binance", '{"price":"1.0"}'],
      ["bitstamp", '{"timestamp":"1795246475"}'],
    ];
    for (const [format, answer] of bad) expect(() => ticker(format, answer), answer).toThrow(Rejected);
  });
});

describe("a reference", () => {
  const shown = (format: Parameters<typeof readReference>[0], answer: string) => {
    const { base, perBase, asOf } = readReference(format, answer);
    return {
      base,
      rates: Object.fromEntries([...perBase].map(([code, rate]) => [code, formatDecimal(rate)])),
      asOf: asOf?.toISOString() ?? null,
    };
  };

  test("is read in each format", () => {
    expect(shown("base_rates", '{"base":"USD","date":"2026-11-20","rates":{"KES":129.2000000000000001,"USD":1}}')).toEqual({
      base: "USD",
      rates: { KES: "129.2000000000000001", USD: "1" },
      asOf: "2026-11-20T00:00:00.000Z",
    });
    expect(shown("base_rates", '{"result":"success","base_code":"USD","time_last_update_unix":1795246475,"rates":{"PHP":"58.6"}}')).toEqual(
      {
        base: "USD",
        rates: { PHP: "58.6", USD: "1" },
        asOf: "2026-11-21T07:34:35.000Z",
      },
    );
    const ecb = `<?xml version="1.0"?><gesmes:Envelope><Cube><Cube time='2026-11-20'>
      <Cube currency='USD' rate='1.0843'/><Cube currency="JPY" rate="164.11"/></Cube></Cube></gesmes:Envelope>`;
    expect(shown("ecb_xml", ecb)).toEqual({
      base: "EUR",
      rates: { EUR: "1", USD: "1.0843", JPY: "164.11" },
      asOf: "2026-11-20T00:00:00.000Z",
    });
  });

  test("loses only the currency whose number makes no sense", () => {
    expect(shown("base_rates", '{"base":"USD","rates":{"KES":0,"NGN":"?","PHP":58.6,"JPY":null}}').rates).toEqual({
      PHP: "58.6",
      USD: "1",
    });
  });

  test("that is no sheet is refused", () => {
    for (const answer of ["{}", '{"base":"USD"}', '{"base":1,"rates":{}}', '{"base":"USD","rates":[1]}', '"USD"']) {
      expect(() => readReference("base_rates", answer), answer).toThrow(Rejected);
    }
    expect(() => readReference("ecb_xml", "<html></html>")).toThrow(Rejected);
  });
});

test("an instant is read from seconds, milliseconds, dates and ISO 8601", () => {
  for (const text of ["1795246475", "1795246475.9", "1795246475000", "2026-11-21T07:34:35Z"]) {
    expect(readInstant(text)?.toISOString()).toBe("2026-11-21T07:34:35.000Z");
  }
  expect(readInstant(undefined)).toBeNull();
});
