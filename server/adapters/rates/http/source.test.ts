import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { formatDecimal } from "#domain/decimal.ts";
import type { Log } from "#server/ports.ts";
import { AT_ONCE_MS } from "#testing/patience.ts";
import { HTTP_RATE_DEFAULTS, type HttpRateConfig } from "./config.ts";
import { createHttpRateSource } from "./source.ts";

/** A simulated market with the public formats and configurable misbehaviour. */
type Behaviour = (response: ServerResponse) => void;
let market: Server;
let origin = "";
let behaviours = new Map<string, Behaviour>();
let asked: string[] = [];
let messages: { fields: object; message: string }[] = [];
const note = (fields: object, message: string) => messages.push({ fields, message });
const log: Log = { info: note, warn: note, error: note, child: () => log };
const NOW = () => new Date();

beforeAll(async () => {
  market = createServer((request, response) => {
    asked.push(request.url ?? "");
    const answer = behaviours.get((request.url ?? "").split("?")[0] ?? "");
    if (answer) answer(response);
    else response.writeHead(404).end("{}");
  });
  await new Promise<void>((resolve) => market.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(market.address() as AddressInfo).port}`;
});
afterAll(() => {
  market.closeAllConnections();
  market.close();
});

const json =
  (body: string, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    response.writeHead(200, headers).end(body);
const never: Behaviour = () => {};
const coinbase = (price: string, base = "USDT") => json(`{"data":{"amount":"${price}","base":"${base}","currency":"USD"}}`);
const kraken = (price: string) => json(`{"error":[],"result":{"USDTZUSD":{"c":["${price}","1"]}}}`);
const binance = (price: string, symbol = "USDTUSD") => json(`{"symbol":"${symbol}","price":"${price}"}`);
const today = () => new Date().toISOString().slice(0, 10);
const sheet = (kes: string) => json(`{"base":"USD","date":"${today()}","rates":{"KES":${kes},"JPY":154.8}}`);

beforeEach(() => {
  asked = [];
  messages = [];
  behaviours = new Map<string, Behaviour>([
    ["/coinbase/USDT-USD", coinbase("1.0001")],
    ["/kraken", kraken("1.0000")],
    ["/binance", binance("0.9999")],
    ["/sheet", sheet("129.2")],
  ]);
});

const config = (changes: Partial<HttpRateConfig> = {}): HttpRateConfig => ({
  ...HTTP_RATE_DEFAULTS,
  minimumReferences: 1,
  timeoutMs: 2_500,
  tickers: [
    { name: "coinbase", format: "coinbase", url: `${origin}/coinbase/{base}-{quote}` },
    { name: "kraken", format: "kraken", url: `${origin}/kraken?pair={base}{quote}`, spellings: { USD: "ZUSD" } },
    { name: "binance", format: "binance", url: `${origin}/binance?symbol={base}{quote}` },
  ],
  references: [{ name: "sheet", format: "base_rates", url: `${origin}/sheet` }],
  ...changes,
});
const KES = { sourceCurrency: "KES", destinationCurrency: "USDT" };
const USD = { sourceCurrency: "USD", destinationCurrency: "USDT" };

async function observe(changes: Partial<HttpRateConfig> = {}, pairs = [KES]) {
  const source = createHttpRateSource(config(changes), { clock: { now: NOW }, log });
  const began = performance.now();
  const observations = await source.observe(pairs, new AbortController().signal);
  const rates = observations.map(
    ({ sourceCurrency, midRate, source: sourceName }) => `${sourceCurrency} ${formatDecimal(midRate)} ${sourceName}`,
  );
  return { observations, rates, tookMs: performance.now() - began };
}

describe("the http rate source", () => {
  test("crosses the median of the tickers with the reference, exactly", async () => {
    const { rates, observations } = await observe({}, [KES, USD]);
    // 1 / 129.2 and 1 / 1, to 18 digits, rounded down.
    expect(rates).toEqual(["KES 0.00773993808049535603 binance+coinbase+kraken/sheet", "USD 1 binance+coinbase+kraken"]);
    expect(Math.abs((observations[0]?.asOf.getTime() ?? 0) - Date.now())).toBeLessThan(AT_ONCE_MS);
    expect(asked).toContain("/kraken?pair=USDTZUSD");
  });

  test("crosses by way of the euro where the sheet is the European Central Bank's", async () => {
    behaviours.set(
      "/ecb",
      json(`<Cube><Cube time='${today()}'><Cube currency='USD' rate='1.25'/><Cube currency='JPY' rate='200'/></Cube></Cube>`),
    );
    const references = [{ name: "ecb", format: "ecb_xml" as const, url: `${origin}/ecb` }];
    const { rates } = await observe({ references }, [
      { sourceCurrency: "EUR", destinationCurrency: "USDT" },
      { sourceCurrency: "JPY", destinationCurrency: "USDT" },
    ]);
    expect(rates).toEqual(["EUR 1.25 binance+coinbase+kraken/ecb", "JPY 0.00625 binance+coinbase+kraken/ecb"]);
  });

  test("does not wait for a slow source longer than its deadline, and does without it", async () => {
    behaviours.set("/coinbase/USDT-USD", never);
    const { rates, tookMs } = await observe();
    expect(rates).toEqual([expect.stringMatching(/ binance\+kraken\/sheet$/)]);
    expect(tookMs).toBeLessThan(AT_ONCE_MS);
  });

  test("does without a source that drips its answer", async () => {
    behaviours.set("/coinbase/USDT-USD", (response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(drip));
    });
    const { rates, tookMs } = await observe();
    expect(rates).toHaveLength(1);
    expect(tookMs).toBeLessThan(AT_ONCE_MS);
  });

  test("leaves out a source that is wrong, and says so", async () => {
    behaviours.set("/coinbase/USDT-USD", coinbase("1.37"));
    expect((await observe()).rates).toEqual([expect.stringMatching(/^KES 0\.0077403.* binance\+kraken\/sheet$/)]);
    expect(messages).toContainEqual(
      expect.objectContaining({ fields: { subject: "coinbase on USDT", trouble: "too far from the median" } }),
    );
  });

  test("does without a source that is dead, that fails, that redirects, or that answers something else", async () => {
    const wrong: Behaviour[] = [
      (response) => response.destroy(),
      (response) => response.writeHead(500).end("oops"),
      (response) => response.writeHead(302, { location: `${origin}/binance` }).end(),
      json("<html>rate limited</html>"),
      coinbase("1.0001", "BTC"),
      coinbase("0"),
      (response) => response.writeHead(200).end(Buffer.from([0xff, 0xfe])),
    ];
    for (const behaviour of wrong) {
      behaviours.set("/coinbase/USDT-USD", behaviour);
      expect((await observe()).rates).toEqual([expect.stringMatching(/ binance\+kraken\/sheet$/)]);
    }
    const nowhere = { name: "nowhere", format: "coinbase" as const, url: "http://127.0.0.1:1/{base}" };
    expect((await observe({ tickers: [nowhere, ...config().tickers.slice(1)] })).rates).toEqual([
      expect.stringMatching(/ binance\+kraken\/sheet$/),
    ]);
  });

  test("stops reading a source that has no end", async () => {
    let written = 0;
    behaviours.set("/coinbase/USDT-USD", (response) => {
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && written < 1e9) {
          written += 65_536;
          if (!response.write("x".repeat(65_536))) return void response.once("drain", more);
        }
      };
      more();
    });
    expect((await observe({ timeoutMs: 5_000 })).rates).toHaveLength(1);
    expect(written).toBeLessThan(50e6);
  });

  test("needs so many sources that agree: one is not enough, and neither are two that contradict each other", async () => {
    behaviours.set("/coinbase/USDT-USD", never);
    behaviours.set("/kraken", never);
    expect((await observe()).rates).toEqual([]);
    expect((await observe({ minimumTickers: 1 })).rates).toHaveLength(1);
    behaviours.set("/kraken", kraken("1.2"));
    expect((await observe({ minimumTickers: 1 })).rates).toEqual([]);
  });

  test("refuses a price that is older than its limit, by the answer's own time or by a cache on the way", async () => {
    const tickers = [{ name: "exchange", format: "coinbase_exchange" as const, url: `${origin}/exchange` }];
    const withAge = (ageSeconds: number, age = "0") => {
      const time = new Date(Date.now() - ageSeconds * 1_000).toISOString();
      behaviours.set("/exchange", json(`{"price":"1.0","time":"${time}"}`, { age }));
      return observe({ tickers, minimumTickers: 1 });
    };
    const fresh = await withAge(50);
    expect(fresh.rates).toHaveLength(1);
    expect(Math.abs(Date.now() - 50_000 - (fresh.observations[0]?.asOf.getTime() ?? 0))).toBeLessThan(AT_ONCE_MS);
    expect((await withAge(61)).rates).toEqual([]);
    expect((await withAge(0, "61")).rates).toEqual([]);
    expect((await withAge(-120)).rates).toEqual([]);
  });

  test("refuses a reference that is older than its own limit, and keeps what needs none", async () => {
    behaviours.set("/sheet", json('{"base":"USD","date":"2026-01-01","rates":{"KES":129.2}}'));
    expect((await observe({}, [KES, USD])).rates).toEqual(["USD 1 binance+coinbase+kraken"]);
  });

  test("leaves out a currency that the reference does not know, and a reference that is outvoted", async () => {
    expect((await observe({}, [{ ...KES, sourceCurrency: "NGN" }, KES])).rates).toEqual([expect.stringContaining("KES 0.0077")]);
    behaviours.set("/second", sheet("129.3"));
    behaviours.set("/third", sheet("64.6"));
    const references = ["sheet", "second", "third"].map((name) => ({ name, format: "base_rates" as const, url: `${origin}/${name}` }));
    expect((await observe({ references, minimumReferences: 2 })).rates).toEqual([expect.stringMatching(/\/second\+sheet$/)]);
  });

  test("asks each source once for a crypto currency, however many pairs want it", async () => {
    await observe({}, [KES, USD, { ...KES, sourceCurrency: "JPY" }]);
    expect(asked).toHaveLength(4);
  });

  test("logs a trouble once and its end once, never an address that may hold a key", async () => {
    const source = createHttpRateSource(config(), { clock: { now: NOW }, log });
    const observeOnce = () => source.observe([KES], new AbortController().signal);
    behaviours.set("/kraken", (response) => response.writeHead(503).end());
    for (let time = 0; time < 3; time += 1) await observeOnce();
    behaviours.set("/kraken", kraken("1.0"));
    for (let time = 0; time < 3; time += 1) await observeOnce();
    expect(messages.map(({ fields }) => fields)).toEqual([
      { subject: "kraken USDT", trouble: "the source answered 503" },
      { subject: "kraken USDT" },
    ]);
    expect(JSON.stringify(messages)).not.toContain(origin);
  });

  test("stops at once when the process stops", async () => {
    behaviours.set("/coinbase/USDT-USD", never);
    const stop = new AbortController();
    const source = createHttpRateSource(config({ timeoutMs: 30_000 }), { clock: { now: NOW }, log });
    const observing = source.observe([KES], stop.signal);
    setTimeout(() => stop.abort(), 50);
    const began = performance.now();
    await observing;
    expect(performance.now() - began).toBeLessThan(AT_ONCE_MS);
  });
});
