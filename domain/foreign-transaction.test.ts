import { describe, expect, it } from "vitest";
import { intentOf } from "./evm-intent.ts";
import { type ForeignTransaction, matchPayments } from "./foreign-transaction.ts";
import type { Transfer } from "./transfer.ts";

const TOKEN = `0x${"a".repeat(40)}`;
const RECIPIENT = `0x${"b".repeat(40)}`;

function payment(id: string, more: Partial<Transfer> = {}): Transfer {
  return {
    id,
    purpose: "settlement",
    ownerId: `tx_${id}`,
    partnerId: null,
    chain: "eip155:1",
    currency: "USDT",
    tokenAddress: TOKEN,
    tokenDecimals: 6,
    amountBase: 5n,
    recipient: RECIPIENT,
    trace: null,
    call: null,
    state: "queued",
    waitingReason: null,
    reviewReason: null,
    failureReason: null,
    txHash: null,
    blockNumber: null,
    blockHash: null,
    cancelRequestedAt: null,
    bumpRequestedAt: null,
    createdAt: new Date(0),
    executedAt: null,
    ...more,
  };
}

const word = (hex: string) => hex.padStart(64, "0");
const log = (amount: bigint) => ({
  address: TOKEN,
  topics: ["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef", `0x${word("1")}`, `0x${word(RECIPIENT.slice(2))}`],
  data: `0x${word(amount.toString(16))}`,
});
const paying = (nonce: number, ...amounts: bigint[]): ForeignTransaction => ({
  nonce,
  hash: `0x${nonce}`,
  height: 10 + nonce,
  succeeded: true,
  logs: amounts.map(log),
  intent: intentOf(payment("x")),
});
const pairs = (...match: Parameters<typeof matchPayments>) =>
  matchPayments(...match).map((one) => `${one.payment.id} ${one.transaction.hash}${one.others.length > 0 ? " or other" : ""}`);

describe("what unknown transactions paid", () => {
  it("is the payment of the same token, recipient and amount, and of no other amount", () => {
    expect(pairs([paying(1, 5n)], [payment("a"), payment("b", { amountBase: 6n })])).toEqual(["a 0x1"]);
    expect(pairs([paying(1, 7n)], [payment("a")])).toEqual([]);
    expect(pairs([{ ...paying(1, 5n), succeeded: false }], [payment("a")])).toEqual([]);
  });

  it("is clear where every payment alike was made, and is said not to be where fewer were", () => {
    expect(pairs([paying(1, 5n), paying(2, 5n)], [payment("b"), payment("a")])).toEqual(["a 0x1", "b 0x2"]);
    expect(pairs([paying(1, 5n)], [payment("b"), payment("a")])).toEqual(["a 0x1 or other"]);
  });

  it("counts each payment of a transaction once, and none that has proved a payment before", () => {
    expect(pairs([paying(1, 5n, 5n)], [payment("a"), payment("b")])).toEqual(["a 0x1", "b 0x1"]);
    expect(pairs([paying(1, 5n, 6n)], [payment("a"), payment("b", { amountBase: 6n })], new Map([["0x1", [0]]]))).toEqual(["b 0x1"]);
  });

  it("names the log of each payment that a packed transaction made, and null for a payment that is the transaction itself", () => {
    const others = [payment("a", { amountBase: 6n }), payment("b"), payment("n", { tokenAddress: null })];
    const coin: ForeignTransaction = { ...paying(2), intent: intentOf(payment("n", { tokenAddress: null })) };
    const places = matchPayments([paying(1, 7n, 5n, 6n), coin], others).map((one) => [one.payment.id, one.place]);
    expect(places).toEqual([
      ["a", 2],
      ["b", 1],
      ["n", null],
    ]);
  });

  it("of the native coin or a call is recognised by the transaction's own content", () => {
    const native = payment("n", { tokenAddress: null });
    const call = payment("c", { purpose: "deployment", call: { to: TOKEN, valueBase: 0n, data: "0xbeef" }, amountBase: 0n });
    const made = (one: Transfer): ForeignTransaction => ({ ...paying(3), intent: { ...intentOf(one) } });
    expect(pairs([made(native)], [native, call])).toEqual(["n 0x3"]);
    expect(pairs([made(call)], [native, call])).toEqual(["c 0x3"]);
  });
});
