import { type Decimal, decimal, divideDown, multiply } from "#domain/decimal.ts";
import type { CurrencyPair, RateObservation } from "#domain/rate.ts";
import { type Clock, type Log, type RateSource, Rejected } from "#server/ports.ts";
import type { HttpRateConfig, ReferenceConfig, TickerConfig } from "./config.ts";
import { agree, type Consensus, type Opinion } from "./consensus.ts";
import { Health } from "./health.ts";
import { type Answer, readAnswer } from "./read-answer.ts";
import { readReference } from "./reference-formats.ts";
import { readTicker } from "./ticker-formats.ts";

type Powers = { clock: Clock; log: Log };
type Round = HttpRateConfig & Powers & { signal: AbortSignal; health: Health };

/** Digits of a crossed rate: six more than are ever published. */
const CROSSED_DIGITS = 18;
/** How far a source's clock may be ahead of ours; a later timestamp is wrong. */
const LARGEST_LEAD_MS = 60_000;
const ONE = decimal("1");

/**
 * Market rates from public tickers and a fiat reference, crossed: how much crypto one unit of fiat buys. Every source has its own deadline
 * and its own checks; a slow, wrong, dead or endless one affects no other. A pair on which too few sources agree is left out, so that
 * nobody quotes it.
 */
export function createHttpRateSource(config: HttpRateConfig, powers: Powers): RateSource {
  const health = new Health(powers.log);
  return {
    name: "http",
    async observe(pairs, signal) {
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(config.timeoutMs)]);
      const round: Round = { ...config, ...powers, signal: deadline, health };
      const cryptos = unique(pairs.map((pair) => pair.destinationCurrency));
      const fiats = unique(pairs.map((pair) => pair.sourceCurrency)).filter((code) => code !== config.quoteCurrency);
      const [prices, references] = await Promise.all([
        Promise.all(cryptos.map((crypto) => readCryptoPrice(round, crypto))),
        fiats.length === 0 ? new Map<string, Consensus>() : readFiatPrices(round, fiats),
      ]);
      const priceOf = new Map(cryptos.map((crypto, index) => [crypto, prices[index] ?? null]));
      return pairs.flatMap((pair) => cross(round, pair, priceOf.get(pair.destinationCurrency) ?? null, references));
    },
  };
}

function cross(round: Round, pair: CurrencyPair, price: Consensus | null, references: ReadonlyMap<string, Consensus>): RateObservation[] {
  if (price === null) return [];
  if (pair.sourceCurrency === round.quoteCurrency) return [observation(pair, divideDown(ONE, price.value, CROSSED_DIGITS), price, [])];
  const fiat = references.get(pair.sourceCurrency);
  if (fiat === undefined) return [];
  const midRate = divideDown(ONE, multiply(fiat.value, price.value), CROSSED_DIGITS);
  return [observation(pair, midRate, price, fiat.sources)];
}

/** The age of a crossed rate is its tickers': a reference is a daily sheet with its own limit. */
function observation(pair: CurrencyPair, midRate: Decimal, price: Consensus, references: readonly string[]): RateObservation {
  const source = [price.sources.toSorted().join("+"), ...(references.length > 0 ? [references.toSorted().join("+")] : [])].join("/");
  return { ...pair, midRate, source, asOf: price.asOf };
}

/** What one unit of the crypto currency costs in the quote currency. */
async function readCryptoPrice(round: Round, crypto: string): Promise<Consensus | null> {
  const opinions = await Promise.all(round.tickers.map((ticker) => askTicker(round, ticker, crypto)));
  return settle(
    round,
    crypto,
    opinions.flatMap((opinion) => opinion ?? []),
    round.minimumTickers,
  );
}

async function askTicker(round: Round, ticker: TickerConfig, crypto: string): Promise<Opinion | null> {
  const spell = (currency: string) => ticker.spellings?.[currency] ?? currency;
  const symbols = { base: spell(crypto), quote: spell(round.quoteCurrency) };
  const url = ticker.url.replaceAll("{base}", encodeURIComponent(symbols.base)).replaceAll("{quote}", encodeURIComponent(symbols.quote));
  return await round.health.attempt(`${ticker.name} ${crypto}`, async () => {
    const answer = await ask(round, { ...ticker, url });
    const { price, asOf } = readTicker(ticker.format, answer.text, symbols);
    return { source: ticker.name, value: price, asOf: judgeAge(round, asOf, answer, round.maximumTickerAgeSeconds) };
  });
}

/** What one unit of the quote currency is in each of the fiat currencies that enough references agree on. */
async function readFiatPrices(round: Round, fiats: readonly string[]): Promise<Map<string, Consensus>> {
  const sheets = (await Promise.all(round.references.map((reference) => askReference(round, reference)))).flatMap((sheet) => sheet ?? []);
  const prices = new Map<string, Consensus>();
  for (const fiat of fiats) {
    const opinions = sheets.flatMap(({ source, perQuote, asOf }): Opinion[] => {
      const value = perQuote(fiat);
      return value === null ? [] : [{ source, value, asOf }];
    });
    const consensus = settle(round, fiat, opinions, round.minimumReferences);
    if (consensus !== null) prices.set(fiat, consensus);
  }
  return prices;
}

type Sheet = { source: string; perQuote: (fiat: string) => Decimal | null; asOf: Date };

async function askReference(round: Round, reference: ReferenceConfig): Promise<Sheet | null> {
  return await round.health.attempt(reference.name, async () => {
    const answer = await ask(round, reference);
    const { perBase, asOf } = readReference(reference.format, answer.text);
    const quote = perBase.get(round.quoteCurrency);
    if (quote === undefined) throw new Rejected(`the sheet does not know ${round.quoteCurrency}`);
    const perQuote = (fiat: string) => {
      const value = perBase.get(fiat);
      return value === undefined ? null : divideDown(value, quote, CROSSED_DIGITS);
    };
    return { source: reference.name, perQuote, asOf: judgeAge(round, asOf, answer, round.maximumReferenceAgeSeconds) };
  });
}

function ask(round: Round, source: { url: string; headers?: Readonly<Record<string, string>> }): Promise<Answer> {
  const { maximumBytes, signal, clock } = round;
  return readAnswer({ url: source.url, headers: source.headers ?? {}, maximumBytes, signal, now: () => clock.now() });
}

function judgeAge(round: Round, reportedAt: Date | null, answer: Answer, maximumAgeSeconds: number): Date {
  const now = round.clock.now().getTime();
  const asOf = Math.min(reportedAt?.getTime() ?? now, answer.asOf.getTime(), now);
  if (reportedAt !== null && reportedAt.getTime() > now + LARGEST_LEAD_MS) throw new Rejected("the price comes from the future");
  if (asOf < now - maximumAgeSeconds * 1_000) throw new Rejected("the price is too old");
  return new Date(asOf);
}

function settle(round: Round, currency: string, opinions: readonly Opinion[], minimum: number): Consensus | null {
  const consensus = agree(opinions, { minimum, outlierBps: round.outlierBps });
  const heard = opinions.map((opinion) => opinion.source);
  round.health.note(`agreement on ${currency}`, consensus === null ? `too few agree of ${heard.join(", ") || "none"}` : null);
  for (const name of heard) {
    const trouble = consensus?.outliers.includes(name) ? "too far from the median" : null;
    round.health.note(`${name} on ${currency}`, trouble);
  }
  return consensus;
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
