import type { Decimal } from "#domain/decimal.ts";
import { Rejected } from "#server/ports.ts";
import type { TickerFormat } from "./config.ts";
import { type ExactJson, isList, member, parseExactJson, readInstant, readPrice } from "./read-answer.ts";

/** A price, and its time if the answer has one. */
export type Ticker = { price: Decimal; asOf: Date | null };
/** The currencies as the source spells them. */
export type Symbols = { base: string; quote: string };
type Reader = (answer: ExactJson, symbols: Symbols) => Ticker;

const READERS: Record<TickerFormat, Reader> = {
  coinbase(answer, symbols) {
    const data = member(answer, "data");
    refuseOther(member(data, "base"), symbols.base);
    refuseOther(member(data, "currency"), symbols.quote);
    return { price: readPrice(member(data, "amount")), asOf: null };
  },

  coinbase_exchange: (answer) => ({ price: readPrice(member(answer, "price")), asOf: readInstant(member(answer, "time")) }),

  kraken(answer) {
    const errors = member(answer, "error");
    if (isList(errors) && errors.length > 0) throw new Rejected("the source answered an error");
    const result = member(answer, "result");
    const names = typeof result === "object" && result !== null && !isList(result) ? Object.keys(result) : [];
    const [name] = names;
    // The key is the source's own spelling (XXBTZUSD for XBTUSD), so only that there is one can be checked.
    if (name === undefined || names.length > 1) throw new Rejected("the answer is not about one pair");
    const lastTrade = member(member(result, name), "c");
    return { price: readPrice(isList(lastTrade) ? lastTrade[0] : undefined), asOf: null };
  },

  binance(answer, symbols) {
    refuseOther(member(answer, "symbol") ?? "", symbols.base + symbols.quote);
    return { price: readPrice(member(answer, "price")), asOf: readInstant(member(answer, "closeTime")) };
  },

  bitstamp: (answer) => ({ price: readPrice(member(answer, "last")), asOf: readInstant(member(answer, "timestamp")) }),
};

/**
 * The price in a ticker's answer.
 *
 * @throws Rejected when the answer is not of that format or about another pair.
 */
export function readTicker(format: TickerFormat, text: string, symbols: Symbols): Ticker {
  return READERS[format](parseExactJson(text), symbols);
}

function refuseOther(value: ExactJson | undefined, asked: string): void {
  if (value !== undefined && value !== asked) throw new Rejected("the answer is about another pair");
}
