import type { Locator } from "@playwright/test";
import { z } from "zod";
import { readJson } from "./answers.ts";
import { operator } from "./client.ts";

/**
 * The sandbox's movable clock: business time. It only moves forward, for everybody, so stories read it instead of assuming a time, and none
 * may run at the same time as another.
 */

export const clockAnswer = z.object({ now: z.iso.datetime({ precision: 3 }), offset_seconds: z.int() });

export async function businessNow(): Promise<Date> {
  return new Date(clockAnswer.parse(readJson(await operator.call("GET", "/sandbox/clock"))).now);
}

export async function advanceClock(seconds: number): Promise<Date> {
  return new Date(clockAnswer.parse(readJson(await operator.call("POST", "/sandbox/clock", { advance_seconds: seconds }))).now);
}

/** Moves the clock to just after an instant; does nothing when that has passed. */
export async function advancePast(instant: string): Promise<void> {
  const missingMs = new Date(instant).getTime() - (await businessNow()).getTime();
  if (missingMs >= 0) await advanceClock(Math.ceil(missingMs / 1_000) + 1);
}

/** How many seconds a countdown is off: the true rest lies between its values before and after the question. */
export async function countdownError(timer: Locator, instant: string): Promise<number> {
  const left = async () => {
    const [minutes = 0, seconds = 0] = (await timer.innerText()).split(":").map(Number);
    return minutes * 60 + seconds;
  };
  const before = await left();
  const rest = (Date.parse(instant) - (await businessNow()).getTime()) / 1_000;
  return Math.max(0, rest - before, (await left()) - rest);
}

export const MINUTE = 60;
export const HOUR = 3_600;
export const DAY = 86_400;
