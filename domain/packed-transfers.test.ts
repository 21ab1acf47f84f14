import { encodeFunctionData, parseAbi } from "viem";
import { describe, expect, it } from "vitest";
import { type EvmLog, TRANSFER_TOPIC } from "./evm-intent.ts";
import { owedFault } from "./owed-payment.ts";
import { allowanceCall, judgeMembers, packedCall, packingFault } from "./packed-transfers.ts";
import type { Transfer } from "./transfer.ts";

const CONTRACT = `0x${"c0".repeat(20)}`;
const TOKEN = `0x${"70".repeat(20)}`;
const WALLET = `0x${"7e".repeat(20)}`;
const [ANNA, BERT] = ["0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B", `0x${"be".repeat(20)}`];
const MEMBERS = [
  { recipient: ANNA, amountBase: 5n },
  { recipient: BERT, amountBase: 2n ** 96n - 1n },
];
const PLACE = { contract: CONTRACT, token: TOKEN };

describe("a packed call", () => {
  it("is the very call that viem encodes, a word for each member", () => {
    const abi = parseAbi(["function pay(address token, uint256[] members)"]);
    const words = MEMBERS.map(({ recipient, amountBase }) => (BigInt(recipient) << 96n) | amountBase);
    const data = encodeFunctionData({ abi, args: [TOKEN as `0x${string}`, words] });
    expect(packedCall(MEMBERS, PLACE)).toEqual({ to: CONTRACT, valueBase: 0n, data });
  });

  it.each([
    ["one member", MEMBERS.slice(1)],
    ["the same recipient twice", [...MEMBERS, { recipient: ANNA.toLowerCase(), amountBase: 1n }]],
    ["a payment to the contract", [...MEMBERS, { recipient: CONTRACT, amountBase: 1n }]],
    ["a payment to the token", [...MEMBERS, { recipient: TOKEN.toUpperCase().replace("X", "x"), amountBase: 1n }]],
    ["a payment to nobody", [...MEMBERS, { recipient: `0x${"0".repeat(40)}`, amountBase: 1n }]],
    ["an amount of more than 96 bits", [...MEMBERS, { recipient: WALLET, amountBase: 2n ** 96n }]],
    ["nothing to pay", [...MEMBERS, { recipient: WALLET, amountBase: 0n }]],
  ])("is not made of %s", (_, members) => {
    expect(packingFault(members, PLACE)).not.toBeNull();
    expect(() => packedCall(members, PLACE)).toThrow();
  });
});

const word = (value: bigint | string) =>
  `0x${(typeof value === "bigint" ? value.toString(16) : value.slice(2).toLowerCase()).padStart(64, "0")}`;
const moved = (to: string, amount: bigint, { from = WALLET, address = TOKEN } = {}): EvmLog => {
  return { address, topics: [TRANSFER_TOPIC, word(from), word(to)], data: word(amount) };
};
const refused = (position: bigint, address = CONTRACT): EvmLog => {
  const topic = "0x590a51514d0080f6eb5d11921efcecd78518db251823115a2e2c0d450bf41755";
  return { address, topics: [topic], data: word(position) };
};
const [first, second] = [moved(ANNA, 5n), moved(BERT, 2n ** 96n - 1n)];
const judge = (logs: EvmLog[]) => judgeMembers(logs, MEMBERS, { ...PLACE, wallet: WALLET });

describe("the members of a packed transaction that succeeded", () => {
  it("are paid by the token's log each, at its place, and refused by the contract's", () => {
    expect(judge([first, second])).toEqual([
      { outcome: "paid", place: 0 },
      { outcome: "paid", place: 1 },
    ]);
    expect(judge([refused(0n), second])).toEqual([{ outcome: "refused" }, { outcome: "paid", place: 1 }]);
    expect(judge([first, refused(1n)])).toEqual([{ outcome: "paid", place: 0 }, { outcome: "refused" }]);
  });

  it.each<[string, EvmLog[]]>([
    ["has no log", [second]],
    ["has a log of another token", [moved(ANNA, 5n, { address: CONTRACT }), second]],
    ["has a log of another sender", [moved(ANNA, 5n, { from: BERT }), second]],
    ["has a log of another amount", [moved(ANNA, 4n), second]],
    ["has its log twice", [first, first, second]],
    ["has a second log of another amount", [first, moved(ANNA, 1n), second]],
    ["is paid and refused", [first, refused(0n), second]],
    ["is refused by another contract", [refused(0n, TOKEN), second]],
  ])("are unclear where one %s, and the other is judged by itself", (_, logs) => {
    expect(judge(logs)).toEqual([{ outcome: "unclear" }, { outcome: "paid", place: logs.length - 1 }]);
  });
});

describe("an allowance", () => {
  const contract = `0x${"c0".repeat(20)}`;
  const token = `0x${"70".repeat(20)}`;
  const wallet = `0x${"aa".repeat(20)}`;
  const known = { tokens: [{ currency: "USDT", address: token, decimals: 6 }], treasury: [wallet], packingContract: contract };
  const call = { ...allowanceCall({ contract, token }), sender: wallet };
  const owed = { purpose: "allowance", amountBase: 0n, recipient: contract, call } as Transfer;

  it("is owed to the packing contract, for a configured token of a wallet of ours, and to nobody else", () => {
    expect(owedFault(owed, undefined, known)).toBeNull();
    const other = `0x${"66".repeat(20)}`;
    const forged: Partial<Transfer>[] = [
      { call: { ...call, data: allowanceCall({ contract: other, token }).data } },
      { call: { ...call, to: other } },
      { call: { ...call, valueBase: 1n } },
      { call: { ...call, sender: other } },
      { call: null },
      { recipient: other },
      { amountBase: 1n },
    ];
    for (const change of forged) expect(owedFault({ ...owed, ...change }, undefined, known)).toContain("no allowance");
    expect(owedFault(owed, undefined, { ...known, packingContract: null })).toContain("no allowance");
    expect(owedFault({ ...owed, purpose: "pack" }, undefined, known)).toContain("owed by its payments");
  });
});
