import { afterEach, expect, test, vi } from "vitest";
import { LAPSES_HEADER } from "#contract/lapse.ts";
import { openClient } from "./open-client.ts";

afterEach(() => vi.unstubAllGlobals());

/** The requests that go out, each answered with as many results as it has calls. */
function collectRequests(): { path: string; lapses: string | null }[] {
  const heard: { path: string; lapses: string | null }[] = [];
  vi.stubGlobal("fetch", async (target: string, init: RequestInit) => {
    const [path = ""] = target.replace("/api/trpc/", "").split("?");
    heard.push({ path, lapses: new Headers(init.headers).get(LAPSES_HEADER) });
    const result = { result: { data: {} } };
    return Response.json(target.includes("batch=1") ? path.split(",").map(() => result) : result, {
      headers: { date: new Date().toUTCString() },
    });
  });
  return heard;
}

test("what is read in one moment is one request; what is done goes alone, each with its own end", async () => {
  const heard = collectRequests();
  const client = openClient();
  await Promise.all([client.session.me.query(), client.session.clock.query()]);
  expect(heard.splice(0)).toEqual([{ path: "session.me,session.clock", lapses: null }]);
  // A review claim whose time comes just as somebody approves.
  await Promise.all([
    client.approvals.claim.mutate({ tx_id: "tx_1" }),
    client.approvals.approve.mutate({ tx_id: "tx_1", expected_exchange_rate: "1" }, { context: { patienceMs: 60_000 } }),
  ]);
  expect(heard.map(({ path }) => path)).toEqual(["approvals.claim", "approvals.approve"]);
  const [courtesy, mutation] = heard.map(({ lapses }) => Date.parse(lapses ?? ""));
  expect(Number(mutation) - Number(courtesy)).toBeGreaterThan(50_000);
});
