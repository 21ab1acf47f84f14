import { describe, expect, it } from "vitest";
import { timeLeft } from "./time-left.ts";
import { TIME_LEFT } from "./words.ts";

describe("the time that a resend still needs", () => {
  it.each([
    [{ tried: 100, queued: 20, seconds: 10 }, "a few seconds left"],
    [{ tried: 10, queued: 21, seconds: 10 }, "about 30 s left"],
    [{ tried: 100, queued: 1_200, seconds: 10 }, "about 2 min left"],
    [{ tried: 10, queued: 55, seconds: 10 }, "about 1 min left"],
    [{ tried: 1, queued: 4_999, seconds: 4 }, "about 6 h left"],
    [{ tried: 1, queued: 360, seconds: 10 }, "about 1 h left"],
  ])("of %o is %s", (progress, words) => {
    expect(timeLeft(progress, TIME_LEFT)).toBe(words);
  });

  it.each([
    ["nothing was tried yet", { tried: 0, queued: 10, seconds: 60 }],
    ["it has only begun", { tried: 1, queued: 10, seconds: 1 }],
    ["all were tried", { tried: 10, queued: 0, seconds: 60 }],
  ])("is not shown when %s", (_when, progress) => {
    expect(timeLeft(progress, TIME_LEFT)).toBeNull();
  });
});
