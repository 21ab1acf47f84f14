import { describe, expect, it, test } from "vitest";
import { text, wholeNumber } from "./address-params.ts";
import { beginOf, endOf, given, listParams, uuidOf } from "./list-params.ts";

const THINGS = listParams({ q: text, minutes: wholeNumber }, { passing: { peek: text }, apart: { tab: text }, size: 50 });
const read = (query: string) => THINGS.load(new URLSearchParams(query));

describe("the address of a list", () => {
  it("says filter and place, and what it does not say is nothing", () => {
    expect(read("q=a&minutes=7&direction=newer&limit=100")).toEqual({
      q: "a",
      minutes: 7,
      peek: null,
      tab: null,
      cursor: null,
      direction: "newer",
      limit: 100,
    });
  });

  it("loses place and looks aside when the filter changes, and its tab never", () => {
    expect(THINGS.fromTheTop).toEqual({ cursor: null, direction: null, peek: null });
    expect(THINGS.noFilter).toEqual({ q: null, minutes: null, cursor: null, direction: null, peek: null });
  });

  it("is walked from the newest in pages of a size that is offered, whatever it says", () => {
    expect(THINGS.walkOf(read(""))).toEqual({ limit: 50, direction: "older" });
    expect(THINGS.walkOf(read("limit=7&direction=up&cursor="))).toEqual({ limit: 50, direction: "older" });
    expect(THINGS.walkOf(read("limit=25&direction=newer&cursor=x"))).toEqual({ limit: 25, direction: "newer", cursor: "x" });
  });
});

test("a question holds only what was given", () => {
  expect(given({ a: "x", b: null, c: undefined, d: "", e: false, f: true, g: 0 })).toEqual({ a: "x", f: true, g: 0 });
});

test("days are whole days in UTC, both included; instants stay what they are", () => {
  expect([beginOf("2026-02-28"), endOf("2026-02-28")]).toEqual(["2026-02-28T00:00:00.000Z", "2026-03-01T00:00:00.000Z"]);
  expect([beginOf("2026-02-28T10:00:00Z"), endOf("2026-02-28T10:00:00Z")]).toEqual(Array(2).fill("2026-02-28T10:00:00.000Z"));
});

test.each([null, "", "yesterday", "2026-13-01", "2026-02-28T10:00", "2026-02-28T99:00:00Z"])("%j is no day", (text) => {
  expect([beginOf(text), endOf(text)]).toEqual([null, null]);
});

test("text that cannot be an id is ignored", () => {
  expect(uuidOf("0192f0c1-2f44-7c11-8a55-6f1f0a4f2b11")).toBe("0192f0c1-2f44-7c11-8a55-6f1f0a4f2b11");
  expect([uuidOf(null), uuidOf("somebody")]).toEqual([null, null]);
});
