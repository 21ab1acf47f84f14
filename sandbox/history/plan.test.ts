import { describe, expect, test } from "vitest";
import { PARTNERS, planHistory } from "./plan.ts";

const waves = planHistory(30);
const settlements = waves.flatMap((wave) => wave.settlements);

describe("the sandbox's past", () => {
  test("is the same for everybody", () => {
    expect(planHistory(30)).toEqual(waves);
  });

  test("goes forward in time and ends before the present", () => {
    const times = waves.map(({ minutesBeforeEnd }) => minutesBeforeEnd);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(times.at(-1)).toBeGreaterThan(0);
    expect(times[0]).toBeGreaterThan(29 * 1_440);
  });

  test("has some hundreds of settlements, of every partner, with every outcome and every trouble", () => {
    expect(settlements.length).toBeGreaterThan(300);
    expect(settlements.length).toBeLessThan(700);
    const has = (what: (one: (typeof settlements)[number]) => boolean) => settlements.some(what);
    for (const index of PARTNERS.keys()) expect(has(({ partner }) => partner === index)).toBe(true);
    for (const answer of ["confirm", "cancel", "lapse"]) expect(has((one) => one.answer === answer)).toBe(true);
    for (const what of ["approve", "reject"]) expect(has(({ decision }) => decision?.what === what)).toBe(true);
    for (const reception of ["well", "unauthorized", "unavailable", "moved", "gone"])
      expect(has((one) => one.reception === reception)).toBe(true);
    expect(has(({ wallet }) => wallet === null)).toBe(true);
  });

  test("leaves amounts above the maximum for the user who opens the console", () => {
    const today = waves.filter(({ minutesBeforeEnd }) => minutesBeforeEnd < 480).flatMap((wave) => wave.settlements);
    expect(today.filter(({ decision }) => decision?.what === "leave").length).toBeGreaterThanOrEqual(4);
  });

  test("leaves callbacks that are still tried", () => {
    const newest = waves.filter(({ minutesBeforeEnd }) => minutesBeforeEnd < 480).flatMap((wave) => wave.settlements);
    const tried = newest.filter(({ answer, wallet, decision }) => answer === "confirm" && wallet !== null && decision === null);
    expect(tried.map(({ reception }) => reception)).toEqual(expect.arrayContaining(["well", "unauthorized", "unavailable"]));
  });

  test("asks for whole amounts that the pairs take", () => {
    for (const { amount } of settlements) {
      expect(Number.isInteger(amount)).toBe(true);
      expect(amount).toBeGreaterThan(0);
    }
  });
});
