import { once } from "node:events";
import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "#db/client.ts";
import type { ConsoleLimits } from "#server/auth/console-gate.ts";
import type { Context } from "#server/context.ts";
import { type CookieReader, consoleParts, consoleRequest, sessionOf } from "#testing/console-web.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPerson } from "#testing/people.ts";
import { type LogLine, testContext } from "#testing/surface.ts";
import { handleTrpc } from "./handle.ts";
import type { WebParts } from "./trpc/create-context.ts";

const lines: LogLine[] = [];
let database: TestDatabase;
let ctx: Context;
let cookie: CookieReader;
beforeAll(async () => {
  database = await createTestDatabase();
  ctx = testContext(database.db, lines);
  cookie = await sessionOf(ctx, await addPerson(database.db, "admin"));
});
afterAll(() => database.close());

const partsWith = (limits?: ConsoleLimits, services = ctx) => consoleParts(services, limits);

type Sent = { method?: string; body?: string; headers?: Record<string, string>; signedIn?: boolean; address?: string };

async function ask(web: WebParts, target: string, sent: Sent = {}) {
  const { method = "GET", body, headers = {}, signedIn = true, address = "10.2.2.2" } = sent;
  const type: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
  const init = { method, headers: { ...type, ...headers }, ...(body === undefined ? {} : { body }) };
  const request = consoleRequest(`/api/trpc/${target}`, init, address);
  const response = await handleTrpc(web, request, signedIn ? cookie : () => undefined);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, answer: text === "" ? null : JSON.parse(text) };
}
const codeOf = (answer: { error: { data: { refusal: { code: string } } } }) => answer.error.data.refusal.code;
const errorLines = () => lines.filter(({ level }) => level === "error");

describe("a malformed call", () => {
  const noted = { body: "{}", method: "POST" };
  it.each<[string, string, Sent, number, string]>([
    ["input that is no JSON", "session.me?input={", {}, 400, "malformed_json"],
    ["input of several calls that is no object", 'session.me?batch=1&input="x"', {}, 400, "malformed_json"],
    ["input of several calls that is null", "session.me?batch=1&input=null", {}, 400, "malformed_json"],
    ["a body that is no JSON", "session.leaveView", { ...noted, body: "{" }, 400, "malformed_json"],
    ["connection parameters that are no JSON", "session.me?connectionParams={", {}, 400, "malformed_json"],
    ["a path that is no UTF-8", "%ff", {}, 400, "malformed_json"],
    ["more calls than one request may have", `${"session.me,".repeat(20)}session.me?batch=1`, {}, 400, "malformed_json"],
    ["queries and mutations in one", "session.me,session.leaveView?batch=1", {}, 400, "malformed_json"],
    ["a query by POST", "session.me", noted, 405, "method_not_allowed"],
    ["a mutation by GET", "session.leaveView", {}, 405, "method_not_allowed"],
    ["PUT", "session.me", { ...noted, method: "PUT" }, 405, "method_not_allowed"],
    ["DELETE", "session.me", { method: "DELETE" }, 405, "method_not_allowed"],
    ["text", "session.leaveView", { ...noted, headers: { "content-type": "text/plain" } }, 415, "unsupported_media_type"],
    [
      "a form",
      "session.leaveView",
      { ...noted, headers: { "content-type": "multipart/form-data; boundary=x" } },
      415,
      "unsupported_media_type",
    ],
    ["bytes", "session.leaveView", { ...noted, headers: { "content-type": "application/octet-stream" } }, 415, "unsupported_media_type"],
    ["no such procedure", "session.nothing", {}, 404, "route_not_found"],
    ["a name of every object", "constructor", {}, 404, "route_not_found"],
    ["a name of every object's prototype", "session.__proto__.me", {}, 404, "route_not_found"],
    ["input of another shape", "settlements.byId?input=5", {}, 422, "validation_failed"],
    ["no input", "settlements.byId", {}, 422, "validation_failed"],
    ["another origin's page", "session.me", { headers: { origin: "https://evil.example" } }, 403, "forbidden"],
  ])("%s is refused for what it is, and the log has no error", async (_what, target, sent, status, code) => {
    lines.length = 0;
    const { status: got, answer } = await ask(partsWith(), target, sent);
    expect([got, codeOf(Array.isArray(answer) ? answer[0] : answer)]).toEqual([status, code]);
    expect(errorLines()).toEqual([]);
  });

  it("of another method gets the allowed ones", async () => {
    expect((await ask(partsWith(), "session.me", { method: "PATCH", body: "{}" })).headers.get("allow")).toBe("GET, HEAD, POST");
  });
});

describe("calls in one request", () => {
  const many = (count: number) => `${Array.from({ length: count }, () => "session.me").join(",")}?batch=1`;

  it("are twenty at most for who is signed in", async () => {
    expect((await ask(partsWith(), many(20))).status).toBe(200);
    expect((await ask(partsWith(), many(21))).status).toBe(400);
  });

  it("are for nobody once the session has ended: the answer says so, and no procedure runs", async () => {
    const { status, answer } = await ask(partsWith(), many(2), { signedIn: false });
    expect([status, answer.map(codeOf)]).toEqual([401, ["invalid_token", "invalid_token"]]);
    expect((await ask(partsWith(), 'people.invitation?batch=1&input={"0":{"token":"x"}}', { signedIn: false })).status).toBe(422);
  });
});

describe("too many calls", () => {
  it("of a session are 429 with Retry-After, and its next are answered when that has passed", async () => {
    const web = partsWith({ callsPerSecond: 5, signInsPerSecond: 0 });
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask(web, "session.me")));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(10);
    for (const { headers, answer } of refused) {
      expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
      expect(codeOf(answer)).toBe("rate_limited");
    }
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect((await ask(web, "session.me")).status).toBe(200);
  });

  it("in one request count one by one", async () => {
    const web = partsWith({ callsPerSecond: 1, signInsPerSecond: 0 });
    expect((await ask(web, "session.me,session.clock?batch=1")).status).toBe(200);
    expect((await ask(web, "session.me,session.clock?batch=1")).status).toBe(429);
  });

  it("of an address are refused before its session is looked up, and are no other address's", async () => {
    const away = openDatabase({ url: "postgres://x@127.0.0.1:1/x", applicationName: "away", maxConnections: 1 });
    const web = partsWith({ callsPerSecond: 1, signInsPerSecond: 0 }, testContext(away.db, lines));
    // Any address of a customer's own IPv6 network is still the same client.
    const addresses = Array.from({ length: 40 }, (_, index) => `2001:db8::${index.toString(16)}`);
    const statuses = await Promise.all(addresses.map(async (address) => (await ask(web, "session.me", { address })).status));
    expect([...new Set(statuses)].sort()).toEqual([429, 503]);
    expect((await ask(web, "session.me", { address: "10.3.3.3" })).status).toBe(503);
    await away.close();
  });
});

describe("with the database away", () => {
  it("that takes connections and then says nothing, a call is 503 all the same", async () => {
    const silent = createServer(() => {}).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const address = silent.address();
    const port = typeof address === "object" ? address?.port : 0;
    const away = openDatabase({ url: `postgres://x@127.0.0.1:${port}/x`, applicationName: "away", maxConnections: 2 });
    expect((await ask(partsWith(undefined, testContext(away.db, lines)), "session.me")).status).toBe(503);
    void away.close();
    silent.close();
  });

  it("every call is 503 with Retry-After, alone or with others, and the log has warnings", async () => {
    const away = openDatabase({ url: "postgres://x@127.0.0.1:1/x", applicationName: "away", maxConnections: 2 });
    lines.length = 0;
    const web = partsWith(undefined, testContext(away.db, lines));
    for (const target of ["session.me", "session.me,session.clock?batch=1", "settlements.list?input={}"]) {
      const { status, headers, text } = await ask(web, target);
      expect([status, Number(headers.get("retry-after")) >= 1]).toEqual([503, true]);
      expect(text).toContain('"temporarily_unavailable"');
    }
    expect(errorLines()).toEqual([]);
    expect(lines.filter(({ level }) => level === "warn").length).toBeGreaterThan(0);
    await away.close();
  });
});
