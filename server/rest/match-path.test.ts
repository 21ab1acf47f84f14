import { expect, test } from "vitest";
import { fitsPath, readPathParameters, readPattern } from "./match-path.ts";

const PATTERN = readPattern("/api/v1/settlements/{tx_id}");
const match = (path: string) => (fitsPath(PATTERN, path.split("/")) ? readPathParameters(PATTERN, path.split("/")) : null);

test("decodes a segment, and leaves what cannot be an id unchanged", () => {
  expect(match("/api/v1/settlements/tx%5Fa")).toEqual({ tx_id: "tx_a" });
  expect(match("/api/v1/settlements/a%2Fb")).toEqual({ tx_id: "a/b" });
  expect(match("/api/v1/settlements/%zz")).toEqual({ tx_id: "%zz" });
  expect(match("/api/v1/settlements/a%00b")).toEqual({ tx_id: "a%00b" });
});

test("knows one spelling of a path", () => {
  for (const path of [
    "/api/v1/settlements/",
    "/api/v1/settlements/a/",
    "//api/v1/settlements/a",
    "/api/v1/%73ettlements/a",
    "/API/v1/settlements/a",
  ]) {
    expect(match(path)).toBeNull();
  }
});
