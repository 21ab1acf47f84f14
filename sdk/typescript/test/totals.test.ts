import { expect, test } from "vitest";
import { expectedTotal } from "../src/index.ts";

const total = (destination_currency: string, destination_amount: number) => ({ destination_currency, destination_amount });

test("totals of pairs with the same destination currency are added exactly", () => {
  const totals = [total("USDT", 0.1), total("USDC", 1070.623717), total("USDT", 0.2), total("USDT", 5)];
  expect(expectedTotal(totals)).toEqual({ USDT: 5.3, USDC: 1070.623717 });
  expect(expectedTotal([total("USDT", 1e-7), total("USDT", 123456789.12345)])).toEqual({ USDT: 123456789.1234501 });
  expect(expectedTotal([total("USDT", 1e21), total("USDT", 2e21)])).toEqual({ USDT: 3e21 });
  expect(expectedTotal([])).toEqual({});
});
