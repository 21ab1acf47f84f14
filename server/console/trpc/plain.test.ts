import { describe, expect, expectTypeOf, it } from "vitest";
import { AS_READ, EXACT } from "#contract/primitives.ts";
import { decimal } from "#domain/decimal.ts";
import { assertPlain, type Unplain } from "./plain.ts";

describe("an answer of the console", () => {
  it("may contain what JSON can express, however deep", () => {
    const answer = { data: [{ id: "tx_1", count: 1, more: false, at: null, left: undefined, amount: AS_READ.of(decimal("0.0000001")) }] };
    expect(() => assertPlain(answer, "list")).not.toThrow();
    expect(answer).toMatchObject(JSON.parse(JSON.stringify(answer)));
    expectTypeOf<Unplain<typeof answer>>().toBeNever();
  });

  it.each([
    ["a date", { data: [{ at: new Date(0) }] }],
    ["base units", { data: [{ at: 1n }] }],
    ["a number with its exact digits", { data: [{ at: EXACT.of(decimal("0.0000001")) }] }],
    ["a map", { data: [{ at: new Map() }] }],
  ])("never holds %s, and says where", (_what, answer) => {
    expect(() => assertPlain(answer, "list")).toThrow("list.data.0.at is");
  });

  it("that holds a date or base units does not compile", () => {
    expectTypeOf<Unplain<{ data: { at: Date | null; of: { base: bigint } }[] }>>().toEqualTypeOf<Date | bigint>();
  });
});
