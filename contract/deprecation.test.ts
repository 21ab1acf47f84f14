import { expect, test } from "vitest";
import { DEPRECATED_FOR_DAYS, deprecationHeaders } from "./deprecation.ts";
import { PARTNER_OPERATIONS } from "./partner/operations.ts";
import * as batchOperations from "./settlement/v1/batch-operations.ts";
import * as settlementOperations from "./settlement/v1/operations.ts";

test("a deprecated operation says since when, until when, and where to read about it", () => {
  const deprecation = { since: new Date("2026-12-01T00:00:00Z"), sunset: new Date("2028-01-31T12:00:00Z") };
  expect(deprecationHeaders({ deprecation }, "https://api.example.com")).toEqual({
    Deprecation: "@1796083200",
    Sunset: "Mon, 31 Jan 2028 12:00:00 GMT",
    Link: '<https://api.example.com/docs/changelog>; rel="deprecation"; type="text/html"',
  });
  expect(deprecationHeaders({}, "https://api.example.com")).toEqual({});
});

test("nothing is gone sooner than promised", () => {
  for (const { id, deprecation } of [...PARTNER_OPERATIONS, ...Object.values(settlementOperations), ...Object.values(batchOperations)]) {
    if (deprecation === undefined) continue;
    const days = (deprecation.sunset.getTime() - deprecation.since.getTime()) / 86_400_000;
    expect(days, id).toBeGreaterThanOrEqual(DEPRECATED_FOR_DAYS);
  }
});
