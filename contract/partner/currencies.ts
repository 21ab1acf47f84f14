import { plainText } from "#contract/primitives.ts";

export const fiatCurrencySchema = plainText(1, 16).describe("ISO 4217 code");
export const cryptoCurrencySchema = plainText(1, 16).describe("Symbol of a token or coin, such as USDT");
