import { expect, it } from "vitest";
import type { ChainDirectory, ChainInfo } from "#server/ports.ts";
import { isTimeToAsk, recallCost, rememberCost } from "./recent-costs.ts";

const asked = { chain: "eip155:1", destinationCurrency: "USDC", walletAddress: "0x1" };
const other = { ...asked, walletAddress: "0x2" };
const cost = { amountBase: 7n, currency: "ETH", decimals: 18, isNewHolder: true };
const directory = (): ChainDirectory => ({ list: () => [], find: (chain) => (chain === asked.chain ? ({ chain } as ChainInfo) : null) });

it("remembers for a minute what a payment takes, and for whom", () => {
  const chains = directory();
  expect(recallCost(chains, asked, 0)).toBeNull();
  rememberCost(chains, asked, cost, 0);
  expect(recallCost(chains, asked, 59_999)).toEqual(cost);
  // Of another wallet nothing is known: as for one without the token.
  expect(recallCost(chains, other, 59_999)).toEqual({ ...cost, isNewHolder: null });
  rememberCost(chains, other, { ...cost, amountBase: 5n, isNewHolder: false }, 30_000);
  expect(recallCost(chains, other, 59_999)).toMatchObject({ amountBase: 5n, isNewHolder: false });
  expect(recallCost(chains, asked, 60_000)).toBeNull();
  expect(recallCost(chains, { ...asked, destinationCurrency: "USDT" }, 1)).toBeNull();
  expect(recallCost(directory(), asked, 1)).toBeNull();
});

it("asks seldom, and only about chains that it serves", () => {
  const chains = directory();
  expect(isTimeToAsk(chains, asked, 0)).toBe(true);
  expect(isTimeToAsk(chains, other, 4_999)).toBe(false);
  expect(isTimeToAsk(chains, { ...asked, destinationCurrency: "USDT" }, 4_999)).toBe(true);
  expect(isTimeToAsk(chains, asked, 5_000)).toBe(true);
  expect(isTimeToAsk(chains, { ...asked, chain: "eip155:2" }, 9_000)).toBe(false);
});
