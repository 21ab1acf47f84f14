import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { findFiatCurrency } from "./currency.ts";

const require = createRequire(import.meta.url);
const isoList = readFileSync(require.resolve("currency-codes/iso-4217-list-one.xml"), "utf8");
const entries = [...isoList.matchAll(/<CcyNtry>([\s\S]*?)<\/CcyNtry>/g)].flatMap(([, entry = ""]) => {
  const code = /<Ccy>(\w+)<\/Ccy>/.exec(entry)?.[1];
  const units = /<CcyMnrUnts>([^<]+)<\/CcyMnrUnts>/.exec(entry)?.[1];
  return code === undefined || units === undefined ? [] : [{ code, units, fund: /IsFund="true"/i.test(entry) }];
});

describe("findFiatCurrency", () => {
  it.each([
    ["JPY", 0],
    ["KRW", 0],
    ["USD", 2],
    ["EUR", 2],
    ["KES", 2],
    ["NGN", 2],
    ["PHP", 2],
    ["KWD", 3],
    ["BHD", 3],
    ["XOF", 0],
    ["XCD", 2],
  ])("knows that %s has %i minor digits", (code, exponent) => {
    expect(findFiatCurrency(code)).toMatchObject({ code, exponent });
  });

  it("names the currency", () => {
    expect(findFiatCurrency("KES")?.name).toBe("Kenyan Shilling");
  });

  it.each(["XAU", "XAG", "XXX", "XTS", "XDR", "CLF", "USN", "UYW"])("does not take %s for fiat", (code) => {
    expect(findFiatCurrency(code)).toBeNull();
  });

  it.each(["", "usd", "Usd", " USD", "US", "USDT", "ZZZ", "constructor", "__proto__"])("does not know %j", (code) => {
    expect(findFiatCurrency(code)).toBeNull();
  });

  it("agrees with ISO 4217 about every code, its minor units, and which have none", () => {
    expect(entries.length).toBeGreaterThan(250);
    for (const { code, units, fund } of entries) {
      const isMoney = units !== "N.A." && !fund && code !== "UYW";
      expect([code, findFiatCurrency(code)?.exponent ?? null]).toEqual([code, isMoney ? Number(units) : null]);
    }
  });
});
