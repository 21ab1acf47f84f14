import { expect, test } from "vitest";
import { OPENAPI_DOCUMENTS } from "#server/rest/openapi.ts";
import { type Exchanged, openConformance } from "./conformance.ts";
import { TEST_SETTINGS } from "./surface.ts";

const documents = Object.entries(OPENAPI_DOCUMENTS).map(([file, make]) => [file, make(TEST_SETTINGS)] as const);
const { judge, judgeCallback } = openConformance(Object.fromEntries(documents));

const headers = { "x-request-id": "req_1", "content-type": "application/json" };
const time = { now: "2026-11-22T10:00:00.000Z", epoch_seconds: 1 };
const problem = (code: string, status: number) => ({
  method: "GET",
  target: "/api/v1/pairs",
  status,
  headers: { "x-request-id": "req_1", "content-type": "application/problem+json", "www-authenticate": "x" },
  body: JSON.stringify({ type: "t", title: "t", status, detail: "d", code, request_id: "req_1" }),
});
const get = (target: string, status: number, body: unknown, more: object = {}): Exchanged => ({
  method: "GET",
  target,
  status,
  body: body === "" ? "" : JSON.stringify(body),
  headers: { ...headers, ...more },
});

test("an answer as the document says is fine, and so is what is none of the surfaces", () => {
  expect(judge(get("/time", 200, time))).toEqual([]);
  expect(judge({ ...get("/time", 200, ""), method: "HEAD" })).toEqual([]);
  expect(judge(problem("unknown_api_key", 401))).toEqual([]);
  expect(judge(get("/docs", 200, {}))).toEqual([]);
  expect(
    judge({
      ...problem("route_not_found", 404),
      target: "/api/v1/nothing",
      headers: { ...problem("", 404).headers, "www-authenticate": undefined },
    }),
  ).toEqual([]);
});

test.each<[string, Exchanged, string]>([
  ["a status that is not documented", get("/time", 201, time), "no such answer"],
  ["a member that is missing", get("/time", 200, { now: time.now }), "epoch_seconds"],
  ["a member of another type", get("/time", 200, { ...time, epoch_seconds: "1" }), "/epoch_seconds must be integer"],
  ["a header that is missing", get("/time", 200, time, { "x-request-id": undefined }), "x-request-id"],
  ["a header that is not documented", get("/time", 200, time, { location: "/x" }), "location"],
  ["another media type", get("/time", 200, time, { "content-type": "text/html" }), "media type"],
  ["a code of another status", problem("route_not_found", 401), "/code"],
  ["a code that another operation has", problem("quote_expired", 410), "no such answer"],
  ["a 405 without Allow", { ...problem("method_not_allowed", 405), method: "PATCH" }, "allow"],
  [
    "a request that was taken though the document refuses it",
    { ...get("/sandbox/clock", 200, { now: time.now, offset_seconds: 1 }), method: "POST", request: '{"advance_seconds":1.5}' },
    "the request that was accepted",
  ],
])("%s is found", (_, exchanged, finding) => expect(judge(exchanged).join("\n")).toContain(finding));

test("a callback is held against its event", () => {
  const body = {
    tx_id: "tx",
    external_tx_id: "o",
    status: "failed",
    chain: "eip155:1",
    destination_amount: 1,
    platform_fee: 0,
    failure_reason: "no",
  };
  expect(judgeCallback("settlement.failed", JSON.stringify(body))).toEqual([]);
  expect(judgeCallback("settlement.executed", JSON.stringify(body)).join("\n")).toContain("tx_hash");
  expect(judgeCallback("settlement.lost", "{}")).toEqual(["no document has a webhook settlement.lost"]);
});
