import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { firstId, ID_PREFIXES, type IdKind, isId, newId } from "./ids.ts";

const KINDS = Object.keys(ID_PREFIXES).filter((kind): kind is IdKind => kind in ID_PREFIXES);
const anyInstant = fc.date({ min: new Date(0), max: new Date("9999-12-31T23:59:59.999Z"), noInvalidDate: true });

describe("newId", () => {
  it.each([
    ["settlement", /^tx_[0-9a-hjkmnp-tv-z]{26}$/],
    ["callback", /^cb_[0-9a-hjkmnp-tv-z]{26}$/],
    ["attempt", /^ca_[0-9a-hjkmnp-tv-z]{26}$/],
    ["transfer", /^tr_[0-9a-hjkmnp-tv-z]{26}$/],
    ["request", /^req_[0-9a-hjkmnp-tv-z]{26}$/],
  ] as const)("of a %s has the prefix of the contract and 26 characters", (kind, form) => {
    expect(newId(kind, new Date())).toMatch(form);
  });

  it("sorts, as text, by the moment it was made", () => {
    fc.assert(
      fc.property(anyInstant, anyInstant, (first, second) => {
        fc.pre(first < second);
        expect(newId("settlement", first) < newId("settlement", second)).toBe(true);
      }),
    );
  });

  it("sorts, as text, after the first id of its own millisecond and before that of the next", () => {
    fc.assert(
      fc.property(anyInstant, (at) => {
        const id = newId("settlement", at);
        expect(firstId("settlement", at) <= id).toBe(true);
        expect(id < firstId("settlement", new Date(at.getTime() + 1))).toBe(true);
      }),
    );
  });

  it("is never the same twice, not in one millisecond either", () => {
    const now = new Date();
    expect(new Set(Array.from({ length: 10_000 }, () => newId("settlement", now))).size).toBe(10_000);
  });

  it("contains the millisecond, and 80 bits that each call changes", () => {
    const instant = new Date("2026-11-21T10:00:00.123Z");
    const bitsOf = (id: string) =>
      [...id.slice(3)].reduce((bits, each) => bits * 32n + BigInt("0123456789abcdefghjkmnpqrstvwxyz".indexOf(each)), 0n);
    const ids = Array.from({ length: 200 }, () => bitsOf(newId("transfer", instant)));
    expect(ids.every((bits) => bits >> 80n === BigInt(instant.getTime()))).toBe(true);
    for (let bit = 0n; bit < 80n; bit += 1n) {
      const ones = ids.filter((bits) => ((bits >> bit) & 1n) === 1n).length;
      expect(ones).toBeGreaterThan(40);
      expect(ones).toBeLessThan(160);
    }
  });

  it("has a prefix of its own for every kind", () => {
    expect(new Set(Object.values(ID_PREFIXES)).size).toBe(KINDS.length);
  });
});

describe("isId", () => {
  it("knows an id of its kind, and no other kind's", () => {
    for (const made of KINDS) {
      const id = newId(made, new Date());
      expect(KINDS.filter((kind) => isId(kind, id))).toEqual([made]);
    }
  });

  const id = newId("settlement", new Date("2026-11-21T10:00:00.000Z"));
  it.each([
    "",
    "tx_",
    id.slice(0, -1),
    `${id}0`,
    `${id}\n`,
    ` ${id}`,
    id.toUpperCase(),
    id.replace("_", "-"),
    `tx_${"u".repeat(26)}`,
    `${id}' or 1=1`,
  ])("does not take %j for one", (text) => {
    expect(isId("settlement", text)).toBe(false);
  });
});
