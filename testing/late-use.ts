import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { onLateUse } from "#db/driver/late-use.ts";

/**
 * Loaded before every test file that has a database (`vitest.config.ts`): a statement on a transaction that has ended fails the test in which
 * it was sent, or the next one.
 */

const late: Error[] = [];

/** The late statements so far, for a test that sends one on purpose: they do not fail the test any more. */
export function takeLateUses(): Error[] {
  return late.splice(0);
}

let stop = () => {};
beforeAll(() => {
  stop = onLateUse((error) => void late.push(error));
});
afterEach(() => {
  expect(takeLateUses()).toEqual([]);
});
afterAll(() => {
  stop();
  expect(takeLateUses()).toEqual([]);
});
