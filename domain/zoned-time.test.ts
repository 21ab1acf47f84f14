import { expect, test } from "vitest";
import { isoIn, isZone } from "./zoned-time.ts";

const AT = new Date("2026-11-21T22:04:10.007Z");

test("an instant is the same instant in every zone, written with its distance from UTC", () => {
  expect(isoIn("UTC", AT)).toBe("2026-11-21T22:04:10.007Z");
  expect(isoIn("Africa/Nairobi", AT)).toBe("2026-11-22T01:04:10.007+03:00");
  expect(isoIn("America/St_Johns", AT)).toBe("2026-11-21T18:34:10.007-03:30");
  expect(isoIn("Africa/Abidjan", AT)).toBe("2026-11-21T22:04:10.007+00:00");
  for (const zone of ["Asia/Manila", "Europe/London", "Pacific/Kiritimati"]) expect(new Date(isoIn(zone, AT))).toEqual(AT);
});

test("only what is a zone is one", () => {
  expect(isZone("UTC")).toBe(true);
  expect(isZone("Africa/Nairobi")).toBe(true);
  for (const text of ["", "Mars/Olympus", "=1+1", "../etc"]) expect(isZone(text)).toBe(false);
});
