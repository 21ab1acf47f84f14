import { expect, it } from "vitest";
import { scopeOf } from "./key-scopes.ts";

it("knows what a key must carry for the operations in the log of requests, of a partner and of the operator", () => {
  const [partner, operator] = [scopeOf("partner"), scopeOf("operator")];
  expect([partner("create_settlement"), partner("list_events"), partner("create_batch")]).toEqual([
    "settlements:write",
    null,
    "settlements:write",
  ]);
  expect([partner("approve_settlement"), operator("approve_settlement")]).toEqual([null, "settlements:decide"]);
  expect([partner("unknown"), operator("unknown")]).toEqual([null, null]);
});
