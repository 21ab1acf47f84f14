import { describe, expect, it } from "vitest";
import { inPlace } from "./use-kept-points.ts";

type Pointed = { id: string; values: { executed: number } };
const pointsOf = (ids: string, value: number) => [...ids].map((id) => ({ id, tick: id, values: { executed: value } }));
const look = (points: readonly Pointed[]) => points.map(({ id, values }) => `${id}${values.executed}`).join(" ");

describe("the points of a plot that somebody looks at", () => {
  it("stay in their places as time goes on, with the newest figures that there are of each", () => {
    expect(look(inPlace(pointsOf("abcd", 1), pointsOf("abcd", 2)))).toBe("a2 b2 c2 d2");
    expect(look(inPlace(pointsOf("abcd", 1), pointsOf("abcde", 2)))).toBe("a2 b2 c2 d2");
    expect(look(inPlace(pointsOf("abcd", 1), pointsOf("bcde", 2)))).toBe("a1 b2 c2 d2");
  });

  it("make way for those of another range, also where both have points at the same instants", () => {
    expect(look(inPlace(pointsOf("adg", 1), pointsOf("abcd", 2)))).toBe("a2 b2 c2 d2");
    expect(look(inPlace(pointsOf("defg", 1), pointsOf("adgj", 2)))).toBe("a2 d2 g2 j2");
    expect(look(inPlace(pointsOf("abcd", 1), pointsOf("dghi", 2)))).toBe("d2 g2 h2 i2");
    expect(look(inPlace(pointsOf("abcd", 1), pointsOf("vwxy", 2)))).toBe("v2 w2 x2 y2");
    expect(look(inPlace(pointsOf("abcd", 1), []))).toBe("");
  });
});
