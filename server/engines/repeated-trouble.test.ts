import { beforeEach, describe, expect, it } from "vitest";
import { RepeatedTrouble } from "./repeated-trouble.ts";

let seconds: number;
let lines: string[];
let trouble: RepeatedTrouble;
beforeEach(() => {
  seconds = 0;
  lines = [];
  trouble = new RepeatedTrouble(() => seconds * 1_000);
});

const fails = (key = "node") => trouble.occurred(key, ({ times }) => void lines.push(`${seconds} s: ${key} fails ${times}`));
const works = (key = "node") => trouble.ended(key, ({ times }) => void lines.push(`${seconds} s: ${key} works after ${times}`));

describe("trouble that comes again and again", () => {
  it("has one line at its start, one a minute with how often it came, and one at its end with the whole count", () => {
    for (; seconds < 150; seconds += 1) fails();
    works();
    works();
    expect(lines).toEqual(["0 s: node fails 1", "60 s: node fails 60", "120 s: node fails 60", "150 s: node works after 150"]);
  });

  it("has 168 lines for 10,000 failures, one a second, of which the last says that it is over", () => {
    for (; seconds < 10_000; seconds += 1) fails();
    works();
    expect(lines).toHaveLength(168);
    expect(lines.at(-1)).toBe("10000 s: node works after 10000");
  });

  it("has no line where there was none", () => {
    works();
    expect(lines).toEqual([]);
  });

  it("is counted for each thing by itself", () => {
    fails("one");
    fails("other");
    works("one");
    fails("other");
    expect(lines).toEqual(["0 s: one fails 1", "0 s: other fails 1", "0 s: one works after 1"]);
  });

  it("is written at once when it comes back after a while", () => {
    fails();
    works();
    seconds = 30;
    fails();
    expect(lines.at(-1)).toBe("30 s: node fails 1");
  });

  it("writes few lines where it comes and goes all the time, and loses none of the count", () => {
    for (; seconds < 600; seconds += 1) {
      fails();
      works();
    }
    expect(lines.length).toBeLessThanOrEqual(2 * 60);
    const counts = lines.filter((line) => line.includes("fails")).map((line) => Number(line.split(" ").at(-1)));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(591);
  });
});
