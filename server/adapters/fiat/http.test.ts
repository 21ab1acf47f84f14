import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { railSignatureMatches } from "#domain/rail-signature.ts";
import { type FiatOrder, Rejected, Unreachable } from "#server/ports.ts";
import { AT_ONCE_MS } from "#testing/patience.ts";
import { createHttpRail } from "./http.ts";

type Seen = { path: string; headers: IncomingMessage["headers"]; body: string };
let server: Server;
let url: string;
let answer: (response: ServerResponse, seen: Seen) => void;
const seen: Seen[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += String(chunk);
    });
    request.on("end", () => {
      const one = { path: request.url ?? "", headers: request.headers, body };
      seen.push(one);
      answer(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const bound = server.address();
  url = `http://127.0.0.1:${typeof bound === "object" ? bound?.port : 0}`;
});
beforeEach(() => {
  seen.length = 0;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const rail = (more: { url?: string; timeoutMs?: number; tracePlace?: () => string | null } = {}) =>
  createHttpRail({
    url,
    secret: "rail-secret",
    paths: { collect: "/v1/collections", payOut: "/v1/payouts", lookUp: "/v1/orders/look-up", balance: "/v1/balance" },
    timeoutMs: 2_000,
    callbackBaseUrl: "https://api.example.com",
    ...more,
  });
const order: FiatOrder = {
  id: "wd_1",
  amountMinor: 100_000n,
  currency: "KES",
  account: { type: "mobile_money", account: "+254700000000", name: "Wanjiru" },
};
const json =
  (value: unknown, status = 200) =>
  (response: ServerResponse) =>
    void response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(value));

describe("the balance over http", () => {
  const asked = () => JSON.parse(seen.at(-1)?.body ?? "{}") as { request_id: string };
  const says = (balances: unknown, id?: string) => (response: ServerResponse) =>
    json({ request_id: id ?? asked().request_id, balances })(response);

  it("is what the provider says to this very request", async () => {
    answer = says([
      { currency: "KES", amount: 1_000_000 },
      { currency: "JPY", amount: -5 },
    ]);
    expect(await rail().balances?.()).toEqual([
      { currency: "KES", amountMinor: 1_000_000n },
      { currency: "JPY", amountMinor: -5n },
    ]);
    expect(seen[0]?.path).toBe("/v1/balance");
    expect(railSignatureMatches("rail-secret", Buffer.from(seen[0]?.body ?? ""), String(seen[0]?.headers["x-signature"]))).toBe(true);
  });

  it.each([
    ["the answer to an earlier request", () => says([], "another")],
    ["an amount that is no whole number", () => says([{ currency: "KES", amount: 1.5 }])],
    ["an amount that no program reads exactly", () => says([{ currency: "KES", amount: 2 ** 60 }])],
    ["a text in place of a list", () => says("1000000")],
    ["an error", () => json({}, 500)],
    ["silence", () => () => {}],
  ] as const)("is not known by %s", async (_what, make) => {
    answer = make();
    await expect(rail({ timeoutMs: 200 }).balances?.()).rejects.toBeInstanceOf(Unreachable);
  });
});

describe("the http rail", () => {
  it("sends the trace that the work belongs to, if it has one", async () => {
    answer = json({ order_id: "wd_1", status: "pending" });
    const place = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    for (const trace of [place, null]) await rail({ tracePlace: () => trace }).payOut(order);
    expect(seen.map(({ headers }) => headers.traceparent)).toEqual([place, undefined]);
  });

  it("gives a payout signed, under our order id, with the address to call", async () => {
    answer = json({ order_id: "wd_1", status: "pending", reference: "P-1" });
    expect(await rail().payOut(order)).toEqual({ status: "pending", reference: "P-1", instructions: null });
    const [request] = seen;
    expect(request?.path).toBe("/v1/payouts");
    expect(request?.headers["idempotency-key"]).toBe("wd_1");
    expect(JSON.parse(request?.body ?? "")).toEqual({
      order_id: "wd_1",
      amount: 100_000,
      currency: "KES",
      account: { type: "mobile_money", account: "+254700000000", name: "Wanjiru" },
      callback_url: "https://api.example.com/partners/transactions/withdraw-fiat/callback",
    });
    const signature = String(request?.headers["x-signature"]);
    expect(railSignatureMatches("rail-secret", Buffer.from(request?.body ?? ""), signature)).toBe(true);
  });

  it("asks for a collection, and hands on what the payer is to do", async () => {
    answer = json({ order_id: "tu_1", status: "pending", reference: "C-1", instructions: "Dial *334#." });
    const collection = { ...order, id: "tu_1", account: { ...order.account, name: null } };
    expect(await rail().collect(collection)).toEqual({ status: "pending", reference: "C-1", instructions: "Dial *334#." });
    expect(JSON.parse(seen[0]?.body ?? "")).toMatchObject({ account: { type: "mobile_money", account: "+254700000000" } });
  });

  it("reports an order's status", async () => {
    answer = json({ order_id: "wd_1", status: "failed", reference: "P-1", reason: "No such account" });
    expect(await rail().lookUp("wd_1")).toEqual({ status: "failed", reference: "P-1", reason: "No such account", instructions: null });
    expect(seen[0]).toMatchObject({ path: "/v1/orders/look-up", body: '{"order_id":"wd_1"}' });
    answer = json({ order_id: "wd_1", status: "unknown" });
    expect(await rail().lookUp("wd_1")).toBeNull();
    answer = json({}, 404);
    expect(await rail().lookUp("wd_1")).toBeNull();
  });

  it("given the same order twice sends the very same request twice", async () => {
    answer = json({ order_id: "wd_1", status: "pending", reference: "P-1" });
    await rail().payOut(order);
    await rail().payOut(order);
    expect(seen[1]).toEqual({ ...seen[0], headers: seen[1]?.headers });
    expect(seen[1]?.headers["x-signature"]).toBe(seen[0]?.headers["x-signature"]);
  });

  it.each([400, 410, 422])("takes HTTP %s for a refusal of the order, with the reason", async (status) => {
    answer = json({ reason: "No such account" }, status);
    await expect(rail().payOut(order)).rejects.toThrow(new Rejected("No such account"));
    // A refused question says nothing about the order.
    await expect(rail().lookUp("wd_1")).rejects.toThrow(Unreachable);
  });

  it("takes HTTP 409 for an order that the provider already has: it asks for its status, and an unknown one proves nothing", async () => {
    const conflict =
      (known: object) =>
      (response: ServerResponse, { path }: { path: string }) =>
        path.endsWith("look-up") ? json({ order_id: "wd_1", ...known })(response) : json({ reason: "Duplicate" }, 409)(response);
    answer = conflict({ status: "succeeded", reference: "P-1" });
    expect(await rail().payOut(order)).toMatchObject({ status: "succeeded", reference: "P-1" });
    answer = conflict({ status: "unknown" });
    await expect(rail().payOut(order)).rejects.toThrow(Unreachable);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ["a server error", json({ reason: "oops" }, 500)],
    ["too many requests", json({}, 429)],
    ["credentials refused", json({ reason: "bad signature" }, 401)],
    ["a redirect", (response) => void response.writeHead(302, { Location: `${url}/elsewhere` }).end()],
    ["something that is no JSON", (response) => void response.end("<html>")],
    ["another form", json({ order_id: "wd_1", status: "maybe" })],
    ["another order", json({ order_id: "wd_2", status: "succeeded", reference: "P-2" })],
    ["an order it claims not to know", json({ order_id: "wd_1", status: "unknown" })],
    ["an endless answer", (response) => void response.end(JSON.stringify({ order_id: "wd_1", status: "pending", x: "y".repeat(70_000) }))],
    ["half an answer", (response) => response.writeHead(200, { "Content-Length": 99 }).write("{", () => response.destroy())],
    ["no answer", (response) => response.destroy()],
  ])("learns nothing from %s", async (_, wrong) => {
    answer = wrong;
    await expect(rail().payOut(order)).rejects.toThrow(Unreachable);
    expect(seen).toHaveLength(1);
  });

  it("gives up on a slow provider in time, also when it sends a byte now and then", async () => {
    const startedAt = Date.now();
    answer = () => {};
    await expect(rail({ timeoutMs: 200 }).payOut(order)).rejects.toThrow(Unreachable);
    answer = (response) => {
      const drip = setInterval(() => response.write(" "), 50);
      response.on("close", () => clearInterval(drip));
    };
    await expect(rail({ timeoutMs: 200 }).payOut(order)).rejects.toThrow(Unreachable);
    expect(Date.now() - startedAt).toBeLessThan(AT_ONCE_MS);
  });

  it("learns nothing from a provider that is not there", async () => {
    await expect(rail({ url: "http://127.0.0.1:9" }).lookUp("wd_1")).rejects.toThrow(Unreachable);
  });
});
