import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exactNumber } from "#contract/primitives.ts";
import { decimal, formatDecimal } from "#domain/decimal.ts";
import { renderJson } from "./render-json.ts";

describe("an answer's numbers", () => {
  it.each([
    [1e-8, "0.00000001"],
    [1e21, "1000000000000000000000"],
    [0.1, "0.1"],
    [100, "100"],
    [-1.5e-7, "-0.00000015"],
    [12n, "12"],
  ])("%s is written %s", (value, text) => {
    expect(renderJson({ value })).toBe(`{"value":${text}}`);
  });

  it("are plain decimals of the very value, whatever it is", () => {
    const value = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 15n - 1n }), fc.nat(8)).map(([coefficient, scale]) => ({ coefficient, scale }));
    fc.assert(
      fc.property(value, (amount) => {
        const text = renderJson([exactNumber(amount)]);
        expect(text).toBe(`[${formatDecimal(amount)}]`);
        expect(text).not.toMatch(/e/i);
        // And every parser with doubles reads it back to the same value.
        const [read] = JSON.parse(text) as number[];
        expect(formatDecimal(decimal(String(read)))).toBe(formatDecimal(amount));
      }),
    );
  });
});
