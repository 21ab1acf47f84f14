import { expect, test } from "vitest";
import { instantParameter } from "./primitives.ts";

test.each(["0000-01-01T00:00:00Z", "0001-01-01T00:00:00+05:00", "9999-12-31T23:59:59-05:00"])(
  "an instant that the database cannot store is refused: %s",
  (text) => {
    expect(instantParameter.safeParse(text).success).toBe(false);
  },
);

test.each(["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z", "2026-11-21T00:00:00+03:00"])("an instant is read: %s", (text) => {
  expect(instantParameter.parse(text)).toEqual(new Date(text));
});
