import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { NotTerminal, Refused, SettlementClient, signRequest, Unanswered, VERSION } from "../src/index.ts";

type Got = { method: string; target: string; headers: IncomingMessage["headers"]; body: string };
type Step = (response: ServerResponse, got: Got) => void;

/** How many there are of a list that grows, by its path. */
const grown = new Map<string, number>();
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A real server that answers step by step, the last step for ever. */
async function serve(...steps: Step[]) {
  const got: Got[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const one = {
      method: request.method ?? "",
      target: request.url ?? "",
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    };
    got.push(one);
    steps[Math.min(got.length, steps.length) - 1]?.(response, one);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = Object(server.address());
  closers.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const options = { baseUrl: `http://127.0.0.1:${port}/`, apiKey: "key_1", apiSecret: "sec_1" };
  return { got, options, client: new SettlementClient(options) };
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Step =>
  (response) =>
    void response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
const problem = (status: number, code: string, members: object = {}, headers: Record<string, string> = {}) =>
  json(status, { status, code, detail: `It is ${code}.`, ...members }, headers);
const hangUp: Step = (response) => void response.socket?.destroy();
const order = {
  source_amount: 1_000_000,
  source_currency: "KES",
  destination_currency: "USDT",
  external_merchant_id: "Käthe’s 店",
  chain: "eip155:31337",
  wallet_address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
};

describe("a call", () => {
  it("signs what goes out: path, query and body byte for byte", async () => {
    const { got, client } = await serve(json(200, { data: [], next_cursor: null }));
    for await (const _ of client.settlements.list({ external_merchant_id: "o'clock & 店" }));
    await client.settlements.create(order, { intent: "order-1" });
    for (const { method, target, headers, body } of got) {
      const [path = "", query = ""] = target.split("?");
      const parts = { timestamp: String(headers["x-service-timestamp"]), method, path, query, body };
      expect(headers["x-service-signature"]).toBe(await signRequest("sec_1", parts));
      expect(headers.authorization).toBe("key_1");
    }
    expect(new Set(got.map(({ headers }) => headers["x-service-nonce"])).size).toBe(2);
  });

  it("names the SDK and its version, which is the package's", async () => {
    const { got, client } = await serve(json(200, {}));
    await client.time();
    expect(got[0]?.headers["user-agent"]).toBe(`settlement-sdk-typescript/${VERSION}`);
  });

  it("goes to the place of its operation, a change signed, the same intent under the same key", async () => {
    const { got, client } = await serve(json(200, { id: "1" }));
    const overlap = { overlap_seconds: 60 };
    await client.members.update("user 1", { name: null });
    await client.keys.list({ limit: 2 });
    await client.keys.rotate("k1", overlap, { intent: "rotation-1" });
    await client.keys.rotate("k1", overlap, { intent: "rotation-1" });
    await client.keys.revoke("k1");
    await client.keys.rotateCallbackSecret("p1", { overlap_seconds: 0 }, { intent: "secret-1" });
    await client.settlements.attemptCallback("tx_1", "cb_1");
    expect(got.map(({ method, target, body }) => [method, target, body])).toEqual([
      ["PUT", "/partners/members/user%201", '{"name":null}'],
      ["GET", "/partners/api-keys?limit=2", ""],
      ...Array.from({ length: 2 }, () => ["POST", "/partners/api-keys/k1/rotate", '{"overlap_seconds":60}']),
      ["DELETE", "/partners/api-keys/k1", ""],
      ["POST", "/partners/p1/callback-secret/rotate", '{"overlap_seconds":0}'],
      ["POST", "/api/v1/settlements/tx_1/callbacks/cb_1/attempt", ""],
    ]);
    expect(got[2]?.headers["idempotency-key"]).toBe(got[3]?.headers["idempotency-key"]);
    for (const { method, headers } of got) if (method !== "GET") expect(headers["x-service-signature"]).toMatch(/^[0-9a-f]{64}$/);
  });

  it("for public keys asks for those of proofs, and of one partner's callbacks", async () => {
    const { got, client } = await serve(json(200, { keys: [] }));
    await client.publicKeys();
    await client.publicKeys("b97f1128-e711-44ce-96c8-c0275c3f774b");
    expect(got.map(({ target }) => target)).toEqual([
      "/.well-known/jwks.json",
      "/.well-known/jwks.json?partner=b97f1128-e711-44ce-96c8-c0275c3f774b",
    ]);
    expect(got.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
  });

  it("is sent again after a lost answer, a 503 and a 429: same key and bytes, fresh nonce", async () => {
    const { got, client } = await serve(
      hangUp,
      problem(503, "temporarily_unavailable", {}, { "retry-after": "0" }),
      problem(429, "rate_limited", {}, { "retry-after": "0" }),
      json(201, { tx_id: "tx_1" }),
    );
    expect(await client.settlements.create(order, { intent: "order-1" })).toEqual({ tx_id: "tx_1" });
    expect(got.length).toBe(4);
    const each = (name: string) => new Set(got.map(({ headers }) => headers[name])).size;
    expect([each("idempotency-key"), new Set(got.map(({ body }) => body)).size, each("x-service-nonce")]).toEqual([1, 1, 4]);
  });

  it("derives the key from the intent: the same after a restart, in whatever order the body is written, another for another intent", async () => {
    const { got, options, client } = await serve(json(201, {}));
    await client.settlements.create(order, { intent: "order-1" });
    const turned = Object.fromEntries(Object.entries(order).reverse()) as typeof order;
    await new SettlementClient(options).settlements.create(turned, { intent: "order-1" });
    await client.settlements.create(order, { intent: "order-2" });
    const keys = got.map(({ headers }) => String(headers["idempotency-key"]));
    expect([keys[0] === keys[1], keys[0] === keys[2], got[0]?.body === got[1]?.body]).toEqual([true, false, true]);
    expect(keys[0]).toMatch(/^[\x21-\x7e]{1,255}$/);
    await expect(client.settlements.create(order, { intent: "" })).rejects.toThrow(TypeError);
  });

  it("is not answered by a refusal that was kept for an earlier call, where the service knows the repeat itself", async () => {
    const { got, client } = await serve(problem(409, "approval_pending"), json(200, {}));
    const confirm = () => client.settlements.confirm("tx_1", { external_tx_id: "order-1" });
    await expect(confirm()).rejects.toThrow(Refused);
    await confirm();
    expect(got[0]?.headers["idempotency-key"]).not.toBe(got[1]?.headers["idempotency-key"]);
  });

  it("sets its clock by the service's word, once, and stays right from then on", async () => {
    const ahead = new Date(Date.now() + 3_600_000).toISOString();
    const { got, client } = await serve(problem(401, "stale_timestamp", { server_time: ahead }), json(200, {}));
    await client.settlements.get("tx_1");
    await client.settlements.get("tx_1");
    const off = got.map(({ headers }) => Math.round((Number(headers["x-service-timestamp"]) - Date.now() / 1_000) / 60) + 0);
    expect(off).toEqual([0, 60, 60]);
  });

  it("asks /time where the refusal does not say, and gives up where it does not help", async () => {
    const now = new Date(Date.now() - 3_600_000).toISOString();
    const { got, client } = await serve(problem(401, "stale_timestamp"), json(200, { now }), problem(401, "stale_timestamp"));
    await expect(client.settlements.get("tx_1")).rejects.toMatchObject({ code: "stale_timestamp" });
    expect(got.map(({ target }) => target)).toEqual(["/api/v1/settlements/tx_1", "/time", "/api/v1/settlements/tx_1"]);
    expect(got[1]?.headers.authorization).toBeUndefined();
  });

  it("reports a refusal with its code, members and faults, of both surfaces, and does not repeat it", async () => {
    const fault = { pointer: "/source_amount", code: "too_small", message: "must be at least 1" };
    const first = await serve(problem(422, "validation_failed", { errors: [fault] }, { "x-request-id": "req_1" }));
    const refused = await first.client.settlements.create(order, { intent: "x" }).catch((error: unknown) => error);
    expect(Refused.is(refused, "validation_failed", "amount_too_small")).toBe(true);
    expect(refused).toMatchObject({ status: 422, requestId: "req_1", faults: [{ at: "/source_amount", message: "must be at least 1" }] });
    expect(String(refused)).toBe("Refused: 422 validation_failed: It is validation_failed. (/source_amount: must be at least 1)");
    expect(first.got.length).toBe(1);
    const fields = ["phone", "name"].map((field) => ({ loc: ["body", field], msg: "must be a number", type: "invalid" }));
    const second = await serve(json(422, { detail: fields }));
    const refusal = await second.client.members.get("m").catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      code: "validation_failed",
      faults: [{ at: "body.phone", message: "must be a number" }, { at: "body.name" }],
    });
    expect(String(refusal)).toBe("Refused: 422 validation_failed: must be a number (body.phone; body.name)");
    expect(Refused.is(new Error("no"), "conflict")).toBe(false);
  });

  it("does not wait longer than it may, and says when nobody answers", async () => {
    const { got, client } = await serve(problem(503, "liquidity_unavailable", {}, { "retry-after": "60" }));
    await expect(client.settlements.get("tx_1")).rejects.toMatchObject({ code: "liquidity_unavailable", retryAfter: 60 });
    expect(got.length).toBe(1);
    const silent = await serve(() => {});
    // Asked of the client: on a busy machine an attempt may be given up before it has reached the receiver.
    const asked: unknown[] = [];
    const counting: typeof fetch = (...call) => {
      asked.push(call[0]);
      return fetch(...call);
    };
    const hasty = new SettlementClient({ ...silent.options, timeoutMs: 50, attempts: 2, fetch: counting });
    await expect(hasty.settlements.get("tx_1")).rejects.toThrow(Unanswered);
    expect(asked.length).toBe(2);
  });

  it("calls fetch as a function of its own: browsers and workerd refuse it as a method", async () => {
    const { got, options } = await serve(json(200, { tx_id: "tx_1" }));
    const receivers: unknown[] = [];
    const theirs = async function (this: unknown, ...call: Parameters<typeof fetch>) {
      receivers.push(this);
      if (this !== undefined && this !== globalThis) throw new TypeError("Illegal invocation");
      return await fetch(...call);
    };
    expect(await new SettlementClient({ ...options, fetch: theirs }).settlements.get("tx_1")).toEqual({ tx_id: "tx_1" });
    expect([receivers, got.length]).toEqual([[undefined], 1]);
  });

  it("refuses impossible options, and reports none of its own mistakes as a lost answer", async () => {
    const { got, options, client } = await serve(json(200, {}));
    for (const faulty of [
      { baseUrl: "" },
      { baseUrl: "nonsense" },
      { baseUrl: "ftp://api.example.com" },
      { apiSecret: "" },
      { apiSecret: undefined },
      { apiKey: "" },
      { timeoutMs: 0 },
      { attempts: Number.NaN },
    ])
      expect(() => new SettlementClient(Object({ ...options, ...faulty })), JSON.stringify(faulty)).toThrow(TypeError);
    const inPath = { ...options, baseUrl: `${options.baseUrl}api/v1/` };
    expect(() => new SettlementClient(inPath)).toThrow("baseUrl ends before /api/v1");
    const calls = [() => client.echo({ amount: 1n }), () => new SettlementClient({ ...options, apiKey: "key\n1" }).settlements.get("tx_1")];
    for (const call of calls) await expect(call()).rejects.toThrow(TypeError);
    expect(got.length).toBe(0);
  });

  it("ends at once when it is called off", async () => {
    const off = new AbortController();
    const { got, client } = await serve(() => off.abort(new Error("called off")));
    const asked = client.settlements.get("tx_1", { signal: off.signal });
    await expect(asked).rejects.toThrow("called off");
    expect(got.length).toBe(1);
  });

  it("follows no redirect, and takes no id that leaves its path", async () => {
    const { got, client } = await serve((response) => void response.writeHead(302, { location: "https://elsewhere.example" }).end());
    await expect(client.settlements.get("a/b?c")).rejects.toMatchObject({ status: 302 });
    expect(got[0]?.target).toBe("/api/v1/settlements/a%2Fb%3Fc");
    for (const id of ["", ".", ".."]) await expect((async () => client.settlements.get(id))()).rejects.toThrow(TypeError);
  });

  it("signs reads of the partner-management surface as it signs changes", async () => {
    const { got, client } = await serve(json(200, {}));
    await client.members.get("m-1");
    await client.members.create({ external_user_id: "m-1", phone: "+254700000000", name: "Wanjiru" });
    expect(got.map(({ headers }) => [headers.apikey, "x-service-signature" in headers, "authorization" in headers])).toEqual([
      ["key_1", true, false],
      ["key_1", true, false],
    ]);
  });
});

/** Both lists as the service has them: 250 at the first request, newest first, and seven more after each page. */
const growing: Step = (response, got) => {
  const { pathname, searchParams } = new URL(got.target, "http://service");
  const at = (name: string) => Number(searchParams.get(name) ?? 0);
  const newest = (grown.get(pathname) ?? 243) + 7;
  grown.set(pathname, newest);
  const from = searchParams.has("cursor") ? at("cursor") : newest - at("skip");
  const page = Array.from({ length: Math.min(at("limit"), from) }, (_, place) => ({ id: String(from - 1 - place) }));
  const next = from > at("limit") ? String(from - at("limit")) : null;
  const body = pathname === "/partners/members" ? page : { items: page, next_cursor: next };
  json(200, body, { "x-next-cursor": next ?? "" })(response, got);
};

describe("lists and waiting", () => {
  it("reads page after page, only as far as it is asked", async () => {
    const { got, client } = await serve(json(200, { data: [1, 2], next_cursor: "next" }), json(200, { data: [3], next_cursor: null }));
    const found: unknown[] = [];
    for await (const each of client.settlements.list({ status: "executed" })) found.push(each);
    expect(found).toEqual([1, 2, 3]);
    expect(got.map(({ target }) => target.split("?")[1])).toEqual(["limit=100&status=executed", "limit=100&status=executed&cursor=next"]);
  });

  it("waits for an end, and shows the current status where there is none", async () => {
    const expires_at = new Date(Date.now() + 60_000).toISOString();
    const at = (status: string, more: object = {}) => json(200, { status, approval_state: null, expires_at, ...more });
    const ended = await serve(at("processing"), at("processing"), at("executed"));
    expect((await ended.client.settlements.waitForTerminal("tx_1", { everyMs: 1 })).status).toBe("executed");
    const stuck = await serve(at("processing"));
    const waited = stuck.client.settlements.waitForTerminal("tx_1", { everyMs: 5, timeoutMs: 20 });
    await expect(waited).rejects.toThrow(NotTerminal);
    const lapsed = await serve(at("quoted", { expires_at: new Date(0).toISOString() }), json(200, { epoch_seconds: Date.now() / 1_000 }));
    const hopeless = await lapsed.client.settlements.waitForTerminal("tx_1").catch((error: unknown) => error);
    expect([hopeless instanceof NotTerminal, lapsed.got.map(({ target }) => target)]).toEqual([
      true,
      ["/api/v1/settlements/tx_1", "/time"],
    ]);
  });

  it("holds a quote to the service's clock, not to a machine's that is ahead", async () => {
    const hourAgo = Date.now() - 3_600_000;
    const quoted = { status: "quoted", approval_state: null, expires_at: new Date(hourAgo + 60_000).toISOString() };
    const time = json(200, { epoch_seconds: Math.floor(hourAgo / 1_000) });
    const { client } = await serve(json(200, quoted), time, json(200, { ...quoted, status: "executed" }));
    expect((await client.settlements.waitForTerminal("tx_1", { everyMs: 1 })).status).toBe("executed");
  });

  it("gives each transaction and member once, whatever is made between the pages", async () => {
    const { got, client } = await serve(growing);
    const walked: Record<string, string[]> = { transactions: [], members: [] };
    for await (const { id } of client.transactions({ type: "withdrawal", external_id: "payout-1" })) walked.transactions?.push(id);
    for await (const { id } of client.members.list({ search: "m" })) walked.members?.push(id);
    const all = Array.from({ length: 250 }, (_, place) => String(249 - place));
    expect(walked).toEqual({ transactions: all, members: all });
    expect(got.map(({ target }) => target)).toEqual([
      "/partners/transactions?limit=100&type=withdrawal&external_id=payout-1",
      "/partners/transactions?limit=100&type=withdrawal&external_id=payout-1&cursor=150",
      "/partners/transactions?limit=100&type=withdrawal&external_id=payout-1&cursor=50",
      "/partners/members?limit=100&search=m",
      "/partners/members?limit=100&search=m&cursor=150",
      "/partners/members?limit=100&search=m&cursor=50",
    ]);
  });

  it("says so where the service is too old to walk a list by cursor, instead of ending it early", async () => {
    const items = Array.from({ length: 100 }, (_, id) => ({ id }));
    for (const [body, none, walk] of [
      [{ items }, { items: [] }, (client: SettlementClient) => client.transactions()],
      [items, [], (client: SettlementClient) => client.members.list()],
    ] as const) {
      const { client } = await serve(json(200, body), json(200, none));
      const all = async () => {
        for await (const _ of walk(client));
      };
      await expect(all()).rejects.toThrow("older than this SDK");
    }
    const few = await serve(json(200, { items: items.slice(1) }));
    let found = 0;
    for await (const _ of few.client.transactions()) found += 1;
    expect(found).toBe(99);
  });
});

describe("fiat in and out", () => {
  const withdrawal = {
    external_id: "payout-1",
    amount: 123_400,
    currency: "KES",
    source_currency: "USDT",
    chain: "eip155:31337",
    destination: { type: "mobile_money", account: "+254712345678", name: "Wanjiru Kamau" },
  } as const;
  const { destination, source_currency: destination_currency, ...common } = withdrawal;
  const topup = {
    ...common,
    external_user_id: "m-1",
    destination_currency,
    source: { type: "mobile_money", account: destination.account },
  } as const;

  it("asks again after a lost answer under the same key, and after a crash with the same bytes", async () => {
    const { got, options, client } = await serve(hangUp, json(201, { id: "wd_1" }), json(200, { id: "wd_1" }));
    await client.withdrawals.create(withdrawal);
    await new SettlementClient(options).withdrawals.create({ ...withdrawal, destination: { ...destination } });
    const keys = got.map(({ headers }) => headers["idempotency-key"]);
    expect([new Set(got.map(({ body }) => body)).size, keys[0] === keys[1], keys[1] === keys[2]]).toEqual([1, true, false]);
    expect(keys.every((key) => key !== undefined)).toBe(true);
  });

  it("goes to its own paths: the partner's Safe, a member's, a top-up, and who one is", async () => {
    const { got, client } = await serve(json(200, {}));
    await client.withdrawals.create(withdrawal);
    await client.withdrawals.createForMember({ ...withdrawal, external_user_id: "m-1" });
    await client.topups.create(topup);
    await client.partner();
    expect(got.map(({ method, target }) => `${method} ${target}`)).toEqual([
      "POST /partners/transactions/withdraw-fiat",
      "POST /partners/transactions/withdraw-fiat/member",
      "POST /partners/transactions/topup-fiat",
      "GET /partners/current",
    ]);
  });

  it("waits for the end of each, whichever it is", async () => {
    const failed = await serve(json(200, { status: "pending" }), json(200, { status: "processing" }), json(200, { status: "failed" }));
    expect((await failed.client.withdrawals.waitForTerminal("wd_1", { everyMs: 1 })).status).toBe("failed");
    const completed = await serve(json(200, { status: "pending" }), json(200, { status: "completed" }));
    expect((await completed.client.topups.waitForTerminal("tu_1", { everyMs: 1 })).status).toBe("completed");
    expect([failed.got[2]?.target, completed.got[1]?.target]).toEqual([
      "/partners/transactions/withdraw-fiat/wd_1",
      "/partners/transactions/topup-fiat/tu_1",
    ]);
    const open = await serve(json(200, { status: "processing" }));
    await expect(open.client.topups.waitForTerminal("tu_1", { everyMs: 5, timeoutMs: 20 })).rejects.toThrow("it is processing after 20 ms");
  });

  it("waits for a member's Safe until it has an address and is deployed, and says when it never will be", async () => {
    const member = (safe_status: string | null, wallet_address: string | null) => json(200, { safe_status, wallet_address });
    const safe = await serve(member("deploying", null), member("deploying", "0xabc"), member("deployed", "0xabc"));
    expect((await safe.client.members.waitForSafe("m-1", { everyMs: 1 })).wallet_address).toBe("0xabc");
    expect(safe.got.length).toBe(3);
    const own = await serve(member(null, "0xdef"));
    expect((await own.client.members.waitForSafe("m-1")).wallet_address).toBe("0xdef");
    const failed = await serve(member("failed", "0xabc"));
    await expect(failed.client.members.waitForSafe("m-1")).rejects.toThrow("could not be deployed");
  });
});

describe("event destinations", () => {
  it("are created under an intent, changed, tested, sent to again and deleted at their own paths", async () => {
    const { got, client } = await serve(json(200, { id: "de_1", data: [] }));
    const place = { type: "webhook" as const, url: "https://a.example/in", types: ["topup.*"] };
    for (let time = 0; time < 2; time += 1) await client.eventDestinations.create(place, { intent: "place-1" });
    await client.eventDestinations.list();
    await client.eventDestinations.get("de_1");
    await client.eventDestinations.update("de_1", { status: "paused" });
    await client.eventDestinations.test("de_1");
    await client.eventDestinations.replay("de_1", { from: "2026-01-02T00:00:00Z" });
    await client.eventDestinations.delete("de_1");
    expect(got.map(({ method, target }) => `${method} ${target.replace("/api/v1/event-destinations", "")}`)).toEqual([
      "POST ",
      "POST ",
      "GET ",
      "GET /de_1",
      "PATCH /de_1",
      "POST /de_1/test",
      "POST /de_1/replay",
      "DELETE /de_1",
    ]);
    const [first, second] = got.map(({ headers }) => headers["idempotency-key"]);
    expect([first, first]).toEqual([second, expect.any(String)]);
  });
});

describe("callbacks of any object", () => {
  it("are listed page by page, read and sent again at their own paths", async () => {
    const { got, client } = await serve(json(200, { id: "cb_1", data: [], next_cursor: null }));
    for await (const _ of client.callbacks.list({ object_id: "wd_1", state: "undelivered" }));
    await client.callbacks.get("cb_1");
    await client.callbacks.resend("cb_1");
    await client.callbacks.attempt("cb_1");
    expect(got.map(({ method, target }) => `${method} ${target.replace("/api/v1/callbacks", "")}`)).toEqual([
      expect.stringMatching(/^GET \?.*object_id=wd_1&state=undelivered/),
      "GET /cb_1",
      "POST /cb_1/resend",
      "POST /cb_1/attempt",
    ]);
  });
});

describe("events", () => {
  const event = (id: string) => ({ id, type: "settlement.created", object_id: "tx_1", version: 1, data: {} });

  it("go on where the last process was, and come again where it stopped within a page", async () => {
    const pages = [
      json(200, { data: [event("ev_1"), event("ev_2")], next_cursor: "two" }),
      json(200, { data: [event("ev_3")], next_cursor: "three" }),
    ];
    const { got, client } = await serve(...pages);
    let kept: string | null = null;
    const store = {
      read: async () => kept,
      write: async (cursor: string) => {
        kept = cursor;
      },
    };
    const seen: string[] = [];
    for await (const { id } of client.events.follow(store, { types: "settlement.*" })) {
      seen.push(id);
      if (id === "ev_3") break;
    }
    expect(seen).toEqual(["ev_1", "ev_2", "ev_3"]);
    // The third was taken, and the process ended before it asked for more.
    expect(kept).toBe("two");
    expect(got.map(({ target }) => target)).toEqual([
      "/api/v1/events?wait=20&types=settlement.*",
      "/api/v1/events?wait=20&types=settlement.*&cursor=two",
    ]);
    for await (const { id } of client.events.follow(store)) {
      seen.push(id);
      break;
    }
    expect(seen.at(-1)).toBe("ev_3");
    expect(got.at(-1)?.target).toContain("cursor=two");
  });

  it("are asked for again only after a moment where the service does not wait", async () => {
    const { client } = await serve(json(200, { data: [], next_cursor: "one" }), json(200, { data: [event("ev_1")], next_cursor: "two" }));
    const began = Date.now();
    for await (const _ of client.events.follow({ read: async () => null, write: async () => {} })) break;
    expect(Date.now() - began).toBeGreaterThanOrEqual(990);
  });
});
