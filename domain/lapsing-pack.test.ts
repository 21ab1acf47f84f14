import { describe, expect, it } from "vitest";
import type { LapsingIntent, LapsingPacking } from "./lapsing-chain.ts";
import { lapsingPackFault, packGroups, packIntent } from "./lapsing-pack.ts";
import { paysOwed, placesIn } from "./lapsing-report.ts";

const PACKING: LapsingPacking = { most: 3, room: 10, sizeOf: ({ reference }) => reference.length };
const pay = (recipient: string, change: Partial<LapsingIntent> = {}): LapsingIntent => ({
  sender: "wallet",
  recipient,
  token: "usd",
  amountBase: 5n,
  reference: "ref",
  ...change,
});
const namesOf = (groups: { intent: LapsingIntent }[][]) => groups.map((group) => group.map(({ intent }) => intent.recipient).join());
const grouped = (...intents: LapsingIntent[]) =>
  namesOf(
    packGroups(
      intents.map((intent) => ({ intent })),
      PACKING,
    ),
  );

describe("payments that one transaction makes", () => {
  it("are of one token and wallet, each recipient once, as many as fit; what is left is in no group", () => {
    expect(grouped(pay("a"), pay("b"), pay("c"), pay("d"), pay("e"))).toEqual(["a,b,c", "d,e"]);
    expect(grouped(pay("a"), pay("a"), pay("b"), pay("c", { token: "eur" }), pay("d", { sender: "other" }))).toEqual(["a,b"]);
    expect(grouped(pay("a", { token: null }), pay("b", { token: null }), pay("c"))).toEqual([]);
    expect(grouped(pay("a", { reference: "eight___" }), pay("b"), pay("c"))).toEqual(["b,c"]);
  });

  it("are refused together for what one of them is", () => {
    const packing = { ...PACKING, most: 9, room: 99 };
    expect(lapsingPackFault([pay("a"), pay("b")], packing)).toBeNull();
    for (const wrong of [
      [pay("a")],
      [pay("a"), pay("a")],
      [pay("a"), pay("b", { token: "eur" })],
      [pay("a"), pay("b", { sender: "other" })],
      [pay("a", { token: null }), pay("b", { token: null })],
      [pay("a"), pay("wallet")],
      [pay("a"), pay("usd")],
      [pay("a"), pay("b", { amountBase: 0n })],
      [pay("a"), packIntent([pay("b"), pay("c")])],
    ])
      expect(
        lapsingPackFault(wrong, packing),
        JSON.stringify(wrong, (_, value) => String(value)),
      ).not.toBeNull();
    expect(lapsingPackFault([pay("a"), pay("b"), pay("c"), pay("d")], PACKING)).toMatch(/do not fit/);
  });

  it("pay nobody but the wallet itself where the members are left out", () => {
    expect(packIntent([pay("a"), pay("b", { amountBase: 7n })])).toMatchObject({ recipient: "wallet", amountBase: 12n });
  });

  it("are paid where each recipient got its own amount, at a place of its own", () => {
    const owed = ["a", "b"].map((recipient) => ({ token: "usd", recipient, amountBase: 5n }));
    const move = (recipient: string, amountBase: bigint, place?: number) => ({
      token: "usd",
      sender: "wallet",
      recipient,
      amountBase,
      place,
    });
    expect(paysOwed({ moves: [move("a", 5n), move("b", 5n)] }, owed)).toBe(true);
    expect(paysOwed({ moves: [move("a", 5n), move("b", 4n)] }, owed)).toBe(false);
    expect(paysOwed({ moves: [move("a", 10n)] }, owed)).toBe(false);
    expect(paysOwed({ moves: [] }, [])).toBe(false);
    const [one, two] = owed;
    expect(one && two && paysOwed({ moves: [move("a", 5n)] }, [one, one])).toBe(false);
    expect(placesIn({ moves: [move("b", 5n, 7), move("a", 5n, 4)] }, owed)).toEqual([4, 7]);
    expect(placesIn({ moves: [move("b", 5n, 7), move("a", 5n)] }, owed)).toBeNull();
  });
});
