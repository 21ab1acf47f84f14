/** The sources of market rates, and their limits. Plain values: `server/config.ts` parses and checks them. */
export type HttpRateConfig = {
  /** The sources for the price of a crypto currency in `quoteCurrency`. */
  tickers: readonly TickerConfig[];
  /** The sources for the value of a unit of `quoteCurrency` in other fiat currencies. */
  references: readonly ReferenceConfig[];
  /** The currency in the middle, which both sides are priced in. */
  quoteCurrency: string;
  /** One deadline for everything that a source does. A source that misses it is left out of that round. */
  timeoutMs: number;
  /** A longer answer is not read, and its source is left out. */
  maximumBytes: number;
  /** An older price is not used, if the answer states its age. */
  maximumTickerAgeSeconds: number;
  /** References are published daily and rest at week-ends: their own, longer limit. */
  maximumReferenceAgeSeconds: number;
  /** A price further than this from the median, in basis points, is not used. */
  outlierBps: number;
  /** So many tickers must agree on a crypto currency's price, and more than half of those that answered. */
  minimumTickers: number;
  /** The same for the references. */
  minimumReferences: number;
};

/**
 * - `coinbase`: `{"data":{"amount":"1.0002","base":"USDT","currency":"USD"}}`
 * - `coinbase_exchange`: `{"price":"1.0002","time":"2026-11-21T10:00:00Z"}`
 * - `kraken`: `{"error":[],"result":{"USDTZUSD":{"c":["1.0002","12.5"]}}}`
 * - `binance`: `{"symbol":"USDTUSD","price":"1.0002"}`
 * - `bitstamp`: `{"last":"1.0002","timestamp":"1795246475"}`
 */
export const TICKER_FORMATS = ["coinbase", "coinbase_exchange", "kraken", "binance", "bitstamp"] as const;
export type TickerFormat = (typeof TICKER_FORMATS)[number];

/**
 * - `base_rates`: `{"base":"USD","date":"2026-11-20","rates":{"KES":129.2}}`; `base_code`, `timestamp` and
 *   `time_last_update_unix` are understood as well
 * - `ecb_xml`: the European Central Bank's daily sheet, in euros
 */
export const REFERENCE_FORMATS = ["base_rates", "ecb_xml"] as const;
export type ReferenceFormat = (typeof REFERENCE_FORMATS)[number];

export type TickerConfig = {
  /** Short, unique, fit for the log and for `source` in answers. */
  name: string;
  format: TickerFormat;
  /** `{base}` and `{quote}` are placeholders for the currencies as this source spells them. */
  url: string;
  /** How this source spells a currency where it differs: `{"BTC": "XBT"}`. */
  spellings?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
};

export type ReferenceConfig = { name: string; format: ReferenceFormat; url: string; headers?: Readonly<Record<string, string>> };

/** Defaults that suit most installations; the sources themselves have none. */
export const HTTP_RATE_DEFAULTS = {
  quoteCurrency: "USD",
  timeoutMs: 3_000,
  maximumBytes: 262_144,
  maximumTickerAgeSeconds: 60,
  maximumReferenceAgeSeconds: 345_600,
  outlierBps: 100,
  minimumTickers: 2,
  minimumReferences: 2,
} as const satisfies Omit<HttpRateConfig, "tickers" | "references">;
