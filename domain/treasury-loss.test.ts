import { describe, expect, it } from "vitest";
import { tokenTransfer, ZERO_ADDRESS } from "./evm-intent.ts";
import { outflowOf } from "./treasury-loss.ts";

const CHAIN = "eip155:1";
const [OURS, OTHER_OF_OURS, THEIRS] = [`0x${"a1".repeat(20)}`, `0x${"a2".repeat(20)}`, `0x${"b1".repeat(20)}`];
const TOKEN = `0x${"c1".repeat(20)}`;
const USDT = { currency: "USDT", address: TOKEN, decimals: 6 };
const ETH = { currency: "ETH", address: null, decimals: 18 };
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

const word = (hex: string) => hex.replace("0x", "").padStart(64, "0");
const moved = (from: string, to: string, amount: bigint, address = TOKEN) => ({
  address,
  topics: [TRANSFER, `0x${word(from)}`, `0x${word(to)}`],
  data: `0x${word(amount.toString(16))}`,
});
const sent = { hash: "0x1", nonce: 7, ...tokenTransfer(TOKEN, THEIRS, 5n) };
const what = { chain: CHAIN, sent, wallets: [OURS, OTHER_OF_OURS], tokens: [USDT, ETH] };

describe("what a transaction took out of the treasury", () => {
  it("is what the token says that left our wallets, whatever letters their addresses are in", () => {
    const logs = [moved(OURS.toUpperCase().replace("0X", "0x"), THEIRS, 5n), moved(OURS, THEIRS, 2n)];
    const asset = { currency: "USDT", chain: CHAIN, decimals: 6 };
    expect(outflowOf({ ...what, receipt: { succeeded: true, logs } })).toEqual([{ asset, amountBase: 7n }]);
  });

  it("leaves out what went from one of our wallets to another, what came in, and what others or other tokens moved", () => {
    const logs = [
      moved(OURS, OTHER_OF_OURS, 5n),
      moved(THEIRS, OURS, 9n),
      moved(THEIRS, ZERO_ADDRESS, 3n),
      moved(OURS, THEIRS, 4n, `0x${"c2".repeat(20)}`),
    ];
    expect(outflowOf({ ...what, receipt: { succeeded: true, logs } })).toEqual([]);
  });

  it("is the coin that was sent to anyone who is not us", () => {
    const coins = { hash: "0x1", nonce: 7, to: THEIRS, valueBase: 11n, data: "0x" };
    const receipt = { succeeded: true, logs: [] };
    const asset = { currency: "ETH", chain: CHAIN, decimals: 18 };
    expect(outflowOf({ ...what, sent: coins, receipt })).toEqual([{ asset, amountBase: 11n }]);
    expect(outflowOf({ ...what, sent: { ...coins, to: OTHER_OF_OURS }, receipt })).toEqual([]);
  });

  it("is nothing where it was reverted", () => {
    expect(outflowOf({ ...what, receipt: { succeeded: false, logs: [moved(OURS, THEIRS, 5n)] } })).toEqual([]);
  });
});
