import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterEach, expect, test, vi } from "vitest";
import { sign } from "#cli/signed.ts";
import { forgetProfiles, keepProfile, type Running, startSettle, TEST_PROFILE } from "#testing/settle.ts";

/** A real receiver, called as the service calls it. */

const BODY = JSON.stringify({ tx_id: "tx_1", status: "executed", note: "é\u001b[2J" });
const running: Running[] = [];

afterEach(async () => {
  for (const each of running.splice(0)) await each.stop();
  forgetProfiles();
});

async function listening(...args: string[]): Promise<{ url: string; run: Running; events(): Record<string, unknown>[] }> {
  const run = startSettle(["listen", "--port", "0", "--json", ...args], { SETTLE_PROFILE: keepProfile() });
  running.push(run);
  const lines = () =>
    run
      .stdout()
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  await vi.waitFor(() => expect(lines().length).toBeGreaterThan(0), { timeout: 20_000 });
  return { url: lines()[0].listening, run, events: () => lines().slice(1) };
}

function signedHeaders(id: string, body = BODY, at = new Date()): Record<string, string> {
  const signature = new Webhook(TEST_PROFILE.callback_secret ?? "").sign(id, at, body);
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  return { "content-type": "application/json", "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature };
}

type Sent = { body?: string; headers?: Record<string, string> };

async function deliver(url: string, id: string, { body = BODY, headers = signedHeaders(id, body) }: Sent = {}): Promise<Response> {
  return await fetch(url, { method: "POST", body, headers, redirect: "manual" });
}

test("a callback of the service is accepted and printed; one that is unsigned, altered or too old is answered 400 and printed with the reason", async () => {
  const { url, events } = await listening();
  expect((await deliver(url, "cb_1")).status).toBe(200);
  expect((await deliver(url, "cb_2", { headers: {} })).status).toBe(400);
  expect((await deliver(url, "cb_3", { body: BODY.replace("tx_1", "tx_2"), headers: signedHeaders("cb_3") })).status).toBe(400);
  const old = new Date(Date.now() - 600_000);
  expect((await deliver(url, "cb_4", { headers: signedHeaders("cb_4", BODY, old) })).status).toBe(400);
  expect(events()).toMatchObject([
    { id: "cb_1", verified: true, event: "settlement.executed", attempt: 1, answered: 200, body: { tx_id: "tx_1" } },
    { verified: false, reason: "there is no header webhook-id", answered: 400 },
    { id: "cb_3", verified: false, reason: "no signature fits", answered: 400 },
    { id: "cb_4", verified: false, reason: "it is too old, or of a wrong time", answered: 400 },
  ]);
});

test("--fail fails the first attempts of each callback by itself", async () => {
  const { url, events } = await listening("--fail", "2");
  const statuses = [];
  for (const id of ["cb_1", "cb_1", "cb_2", "cb_1"]) statuses.push((await deliver(url, id)).status);
  expect(statuses).toEqual([500, 500, 500, 200]);
  expect(events().map(({ attempt }) => attempt)).toEqual([1, 2, 1, 3]);
});

test("--status and --redirect answer as they say", async () => {
  const tired = await listening("--status", "503");
  expect((await deliver(tired.url, "cb_1")).status).toBe(503);
  const moved = await listening("--redirect", "https://example.com/elsewhere");
  const answer = await deliver(moved.url, "cb_1");
  expect([answer.status, answer.headers.get("location")]).toEqual([302, "https://example.com/elsewhere"]);
});

test("--hang answers nothing, and Ctrl-C ends it all the same", async () => {
  const { url, run, events } = await listening("--hang");
  const answer = deliver(url, "cb_1").then(
    () => "answered",
    () => "cut off",
  );
  await vi.waitFor(() => expect(events()).toMatchObject([{ verified: true, answered: null }]), { timeout: 20_000 });
  expect(await run.stop()).toBe(0);
  expect(await answer).toBe("cut off");
});

test("--forward hands on the very bytes and headers and answers what is answered there; what does not verify is not handed on", async () => {
  const got: { headers: IncomingMessage["headers"]; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    got.push({ headers: request.headers, body: Buffer.concat(chunks).toString("utf8") });
    response.writeHead(202, { "content-type": "text/plain" }).end("thanks");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const onward = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const { url, events } = await listening("--forward", onward);
  const answer = await deliver(url, "cb_1");
  expect([answer.status, await answer.text()]).toEqual([202, "thanks"]);
  expect((await deliver(url, "cb_2", { headers: {} })).status).toBe(400);
  expect(got).toHaveLength(1);
  expect(got[0]?.body).toBe(BODY);
  expect(got[0]?.headers).toMatchObject({ "webhook-id": "cb_1", "content-type": "application/json" });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  expect((await deliver(url, "cb_3")).status).toBe(502);
  expect(events().at(-1)).toMatchObject({ answered: 502, trouble: expect.stringContaining("ECONNREFUSED") });
});

test("--count ends it, with 4 where something did not verify", async () => {
  const good = await listening("--count", "1");
  await deliver(good.url, "cb_1");
  expect(await good.run.ended).toBe(0);
  const bad = await listening("--count", "2");
  await deliver(bad.url, "cb_1");
  await deliver(bad.url, "cb_2", { headers: {} });
  expect(await bad.run.ended).toBe(4);
});

test("people are shown the callback without what a terminal would obey, and nobody a secret", async () => {
  const run = startSettle(["listen", "--port", "0"], { SETTLE_PROFILE: keepProfile() }, true);
  running.push(run);
  await vi.waitFor(() => expect(run.stderr()).toContain("/callbacks"), { timeout: 20_000 });
  const url = /http:\S+/.exec(run.stderr())?.[0] ?? "";
  await deliver(url, "cb_1");
  await vi.waitFor(() => expect(run.stdout()).toContain("settlement.executed"), { timeout: 20_000 });
  expect(run.stdout()).not.toContain("\u001b[2J");
  expect(run.stdout() + run.stderr()).not.toContain("whsec_");
});

test("without a callback secret the mirrored signature is checked in its place", async () => {
  const run = startSettle(["listen", "--port", "0", "--json"], { SETTLE_PROFILE: keepProfile({ callback_secret: null }) });
  running.push(run);
  await vi.waitFor(() => expect(run.stdout()).toContain("listening"), { timeout: 20_000 });
  const { listening: url } = JSON.parse(run.stdout());
  expect((await deliver(url, "cb_1")).status).toBe(400);
  const { pathname } = new URL(url);
  const signed = await sign(TEST_PROFILE, { method: "POST", target: pathname, body: BODY });
  const headers = { ...Object.fromEntries(signed.headers), "webhook-id": "cb_1" };
  expect((await deliver(url, "cb_1", { headers })).status).toBe(200);
});

test.each([
  ["--fail", "x"],
  ["--status", "99"],
  ["--redirect", "nowhere"],
  ["--port", "70000"],
  ["--path", "x"],
  ["--count", "0"],
])("%s %s is not understood", async (...args) => {
  const run = startSettle(["listen", "--port", "0", ...args], { SETTLE_PROFILE: keepProfile() });
  expect(await run.ended).toBe(2);
});
