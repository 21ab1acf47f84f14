import { expect, test } from "vitest";
import { matchPath } from "./match-path.ts";

const TEMPLATE = "/api/v1/settlements/{tx_id}";

test("decodes what a segment says, and leaves what cannot be an id as it stands", () => {
  expect(matchPath(TEMPLATE, "/api/v1/settlements/tx%5Fa")).toEqual({ tx_id: "tx_a" });
  expect(matchPath(TEMPLATE, "/api/v1/settlements/a%2Fb")).toEqual({ tx_id: "a/b" });
  expect(matchPath(TEMPLATE, "/api/v1/settlements/%zz")).toEqual({ tx_id: "%zz" });
  expect(matchPath(TEMPLATE, "/api/v1/settlements/a%00b")).toEqual({ tx_id: "a%00b" });
});

test("knows one spelling of a path", () => {
  for (const path of [
    "/api/v1/settlements/",
    "/api/v1/settlements/a/",
    "//api/v1/settlements/a",
    "/api/v1/%73ettlements/a",
    "/API/v1/settlements/a",
  ]) {
    expect(matchPath(TEMPLATE, path)).toBeNull();
  }
});
