import { afterEach, expect, test, vi } from "vitest";
import { LAPSES_HEADER } from "#contract/lapse.ts";
import { openClient } from "./open-client.ts";
import { askInPlace } from "./signed-out.ts";

afterEach(() => vi.unstubAllGlobals());

/** Answers the console's calls. Other requests of this process, which tests of other files may have left behind, go on as before. */
function answerCalls(answer: (target: string, init: RequestInit) => Response): void {
  const elsewhere = fetch;
  vi.stubGlobal("fetch", async (target: string, init: RequestInit) =>
    String(target).startsWith("/api/trpc/") ? answer(target, init) : elsewhere(target, init),
  );
}

/** The requests that go out, each answered with as many results as it has calls. */
function collectRequests(): { path: string; lapses: string | null }[] {
  const heard: { path: string; lapses: string | null }[] = [];
  answerCalls((target, init) => {
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
    client.approvals.approve.mutate(
      { tx_id: "tx_1", expected_exchange_rate: "1", acknowledged_hints: [] },
      { context: { patienceMs: 60_000 } },
    ),
  ]);
  expect(heard.map(({ path }) => path)).toEqual(["approvals.claim", "approvals.approve"]);
  const [courtesy, mutation] = heard.map(({ lapses }) => Date.parse(lapses ?? ""));
  expect(Number(mutation) - Number(courtesy)).toBeGreaterThan(50_000);
});

const ENDED = { error: { message: "", code: -32_001, data: { refusal: { code: "invalid_token", status: 401, title: "", detail: "" } } } };

test.each([
  ["a read", (client: ReturnType<typeof openClient>) => client.session.clock.query()],
  ["an action", (client: ReturnType<typeof openClient>) => client.approvals.leave.mutate()],
])("%s that was sent with the secret from before a step-up is repeated once the browser has the new one", async (_what, ask) => {
  let answers = 0;
  answerCalls((target) => {
    answers += 1;
    const one = answers === 1 ? ENDED : { result: { data: { now: "then" } } };
    return Response.json(target.includes("batch=1") ? [one] : one, { status: answers === 1 ? 401 : 200 });
  });
  expect(await ask(openClient())).toEqual({ now: "then" });
  expect(answers).toBe(2);
});

test("a call of a session that has ended is refused after a second, and the page asks to sign in again", async () => {
  let sent = 0;
  const asked = vi.fn();
  const unset = askInPlace(asked);
  answerCalls(() => {
    sent += 1;
    return Response.json([ENDED], { status: 401 });
  });
  await expect(openClient().session.clock.query()).rejects.toMatchObject({ data: { refusal: { code: "invalid_token" } } });
  expect([sent, asked.mock.calls.length]).toEqual([3, 1]);
  unset();
});
