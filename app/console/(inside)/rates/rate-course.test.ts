import { describe, expect, it } from "vitest";
import { changeText, courseOf, largestMove } from "./rate-course.ts";

const rates = (...all: string[]) => all.map((mid_rate, hour) => ({ mid_rate, at: new Date(hour * 3_600_000).toISOString() }));
const ROOM = { width: 80, height: 20 };

describe("the course of rates", () => {
  it("is drawn on one scale: ten times the move is ten times as high", () => {
    const [wild, calm] = [rates("100", "110"), rates("0.5", "0.505")];
    const scale = largestMove([wild, calm]);
    expect(courseOf(wild, scale, ROOM)).toBe("0.0,10.0 80.0,2.0");
    expect(courseOf(calm, scale, ROOM)).toBe("0.0,10.0 80.0,9.2");
  });

  it("that hardly moves, or has one rate, is level", () => {
    const still = rates("100", "100.001", "100");
    expect(courseOf(still, largestMove([still]), ROOM)).toBe("0.0,10.0 40.0,9.9 80.0,10.0");
    expect(courseOf(rates("7"), largestMove([]), ROOM)).toBe("0.0,10.0 80,10");
  });

  it("says how far the last rate is from the first", () => {
    expect(
      [rates("100", "90.44"), rates("100", "50", "100.209"), rates("3", "3"), rates("3"), rates("100", "99.999")].map(changeText),
    ).toEqual(["−9.56 %", "+0.21 %", "0.00 %", "0.00 %", "0.00 %"]);
  });
});
