import { expect, it } from "vitest";
import { DEFAULT_RETENTION, readRetention } from "./retention.ts";

it("reads what is said, and leaves the rest as usual", () => {
  expect(readRetention("api_log:60, archive:30")).toEqual({ ...DEFAULT_RETENTION, api_log: 60, archive: 30 });
});

it.each([
  "",
  "api_log",
  "api_log:6",
  "archive:29",
  "lapsed_quotes:13",
  "settlements:400",
  "api_log:30,api_log:31",
  "api_log:-1",
  "archive:99999",
  "api_log:1e3",
])("refuses %j", (text) => {
  expect(readRetention(text)).toBeNull();
});
