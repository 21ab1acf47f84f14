import { expect, test } from "vitest";
import { amountText } from "./amounts.ts";

test.each([
  [12_950_000, "KES", "129500.00 KES"],
  [5, "USD", "0.05 USD"],
  [1_500, "JPY", "1500 JPY"],
  [1_234, "KWD", "1.234 KWD"],
  [7.18189, "USDT", "7.18189 USDT"],
  [0.0000001, "USDC", "0.0000001 USDC"],
  [1_000, "USDT", "1000 USDT"],
])("%d %s is written as %s", (amount, currency, text) => {
  expect(amountText(amount, currency)).toBe(text);
});
