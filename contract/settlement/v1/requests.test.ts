import { expect, test } from "vitest";
import { createBody } from "./requests.ts";

const BODY = {
  source_amount: 1_000,
  source_currency: "KES",
  destination_currency: "USDT",
  external_merchant_id: "shop",
  chain: "eip155:31337",
  wallet_address: "0x52908400098527886E0F7030069857D2E4169EE7",
};

test("a merchant's reference says something: blanks alone are refused, and others are kept as they are", () => {
  expect(createBody.parse({ ...BODY, external_merchant_id: " shop 1 " }).external_merchant_id).toBe(" shop 1 ");
  for (const blank of [" ", "\t\n", "\u00a0\u2003"])
    expect(createBody.safeParse({ ...BODY, external_merchant_id: blank }).success).toBe(false);
});
