import { encodeFunctionData, parseAbi } from "viem";
import { describe, expect, it } from "vitest";
import { intentHash, intentOf, showsPayment } from "./evm-intent.ts";
import type { Transfer } from "./transfer.ts";

const TOKEN = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const RECIPIENT = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const owed = { call: null, tokenAddress: TOKEN, recipient: RECIPIENT, amountBase: 123_456_789n };

describe("the intent of a transfer", () => {
  it("is the very call that viem encodes for a token", () => {
    const abi = parseAbi(["function transfer(address to, uint256 amount)"]);
    const data = encodeFunctionData({ abi, functionName: "transfer", args: [RECIPIENT, 123_456_789n] });
    expect(intentOf(owed)).toEqual({ to: TOKEN, valueBase: 0n, data });
  });

  it("is a plain payment for the native coin, and the given call where there is one", () => {
    expect(intentOf({ ...owed, tokenAddress: null })).toEqual({ to: RECIPIENT, valueBase: 123_456_789n, data: "0x" });
    const call = { to: null, valueBase: 0n, data: "0x6000" };
    expect(intentOf({ ...owed, call })).toEqual(call);
  });

  it("has a hash that distinguishes chains, senders, recipients and amounts, and not the case of an address", () => {
    const hash = intentHash("eip155:1", RECIPIENT, intentOf(owed));
    expect(intentHash("eip155:1", RECIPIENT.toLowerCase(), intentOf({ ...owed, tokenAddress: TOKEN.toLowerCase() }))).toBe(hash);
    expect(intentHash("eip155:10", RECIPIENT, intentOf(owed))).not.toBe(hash);
    expect(intentHash("eip155:1", TOKEN, intentOf(owed))).not.toBe(hash);
    expect(intentHash("eip155:1", RECIPIENT, intentOf({ ...owed, amountBase: 1n }))).not.toBe(hash);
  });

  it("counts as paid only by a Transfer event of that token, to that recipient, of that amount", () => {
    const transfer = { ...owed } as Transfer;
    const word = (hex: string) => `0x${hex.replace(/^0x/, "").toLowerCase().padStart(64, "0")}`;
    const log = {
      address: TOKEN.toLowerCase(),
      topics: ["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef", word(TOKEN), word(RECIPIENT)],
      data: word((123_456_789).toString(16)),
    };
    expect(showsPayment([log], transfer)).toBe(true);
    expect(showsPayment([{ ...log, address: RECIPIENT }], transfer)).toBe(false);
    expect(showsPayment([{ ...log, data: word("1") }], transfer)).toBe(false);
    expect(showsPayment([{ ...log, topics: [log.topics[0] ?? "", word(TOKEN), word(TOKEN)] }], transfer)).toBe(false);
    expect(showsPayment([], transfer)).toBe(false);
  });
});
