import { expect, test } from "vitest";
import { oneOf, queryWith, text, valuesIn, wholeNumber } from "./address-params.ts";

const PARAMS = { q: text, minutes: wholeNumber, tab: oneOf(["open", "closed"], "open"), side: oneOf(["left", "right"]) };

test("what an address does not say, or says wrong, is null or what is usual", () => {
  expect(valuesIn(PARAMS, new URLSearchParams("q=a%20b&minutes=7&tab=closed&side=left"))).toEqual({
    q: "a b",
    minutes: 7,
    tab: "closed",
    side: "left",
  });
  const nothing = { q: null, minutes: null, tab: "open", side: null };
  expect(valuesIn(PARAMS, new URLSearchParams())).toEqual(nothing);
  for (const minutes of ["7m", "-7", "1e3", "0x7", " 7", "7.5", "1234567890123456"])
    expect(valuesIn(PARAMS, new URLSearchParams({ minutes, tab: "ajar", side: "middle" }))).toEqual(nothing);
});

test("the query of a page on the server says the same, and of several values the first counts", () => {
  expect(valuesIn(PARAMS, { q: ["a", "b"], minutes: "7", tab: undefined, other: "x" })).toEqual({
    q: "a",
    minutes: 7,
    tab: "open",
    side: null,
  });
});

test("a change leaves other parameters where they are, and leaves out what is usual", () => {
  expect(queryWith(PARAMS, "other=1&q=a&side=left", { q: "b", minutes: 0 })).toBe("other=1&q=b&side=left&minutes=0");
  expect(queryWith(PARAMS, "q=a&tab=closed&side=left", { q: null, tab: "open", side: "right" })).toBe("side=right");
  expect(queryWith(PARAMS, "tab=closed", { tab: null })).toBe("");
});

test("whatever a text has comes back from the address", () => {
  const q = "ü & = + % # 10:30, eip155:1";
  expect(valuesIn(PARAMS, new URLSearchParams(queryWith(PARAMS, "", { q }))).q).toBe(q);
});
