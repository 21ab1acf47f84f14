import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:http2";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { Refusal } from "#domain/refusal.ts";
import { clientAddress } from "#server/rest/client-address.ts";
import { MAX_BODY_BYTES } from "#server/rest/read-input.ts";
import { TEST_CERTIFICATE } from "./certificate.ts";
import { type Answer, closeFrontDoors, type Next, openFrontDoor } from "./front-door.ts";
import { type ProxyKind, proxyProgram, startProxy } from "./proxy.ts";

/** The files of `ops/proxy`, run by the programs that they are for, before two front doors of the service. */

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await closeFrontDoors();
});

type Web = Awaited<ReturnType<typeof openFrontDoor>> & { /** What `/health` says. */ health: number };

/** A web process: the surfaces answer its name, the rest is as Next would answer it. */
async function openWeb(name: string, stream: Next): Promise<Web> {
  const next: Next = async (incoming, response) => {
    if (incoming.url === "/health") return void response.writeHead(web.health).end();
    if (incoming.url === "/console/changes") return await stream(incoming, response);
    response.end(`page of ${name}`);
  };
  const answer: Answer = async (raw) => {
    if ((await raw.readBody(MAX_BODY_BYTES)) === "too_large") throw new Refusal("body_too_large");
    return { status: 200, headers: {}, body: name };
  };
  const web: Web = { ...(await openFrontDoor({ answer, next })), health: 200 };
  return web;
}

async function openStage(kind: ProxyKind, stream: Next = async (_, response) => void response.end()) {
  const web = [await openWeb("web-1", stream), await openWeb("web-2", stream)] as const;
  const proxy = await startProxy(kind, [web[0].port, web[1].port]);
  closers.push(proxy.stop);
  return { web, port: proxy.port };
}

type Asked = { path?: string; method?: string; headers?: Record<string, string>; body?: string | Buffer; onText?: (text: string) => void };

/** From another address of this machine, so that the proxy's own and the client's differ. */
function ask(port: number, { path = "/api/v1/pairs", method = "GET", headers = {}, body, onText }: Asked = {}) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const target = { host: "127.0.0.1", port, path, method, headers: { host: "pay.example.com", ...headers } };
    const sent = request({ ...target, localAddress: "127.0.0.2", servername: "localhost", ca: TEST_CERTIFICATE, agent: false });
    sent.once("error", reject);
    sent.once("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
        onText?.(text);
      });
      response.once("end", () => resolve({ status: response.statusCode ?? 0, text }));
      response.once("error", reject);
    });
    sent.end(body);
  });
}

describe.each<ProxyKind>(["nginx", "haproxy"])("%s with the file of ops/proxy", (kind) => {
  test("brings a signed request as it was sent, and the client's address as the proxy sees it", async () => {
    const { web, port } = await openStage(kind);
    const path = "/api/v1/settlements?b=%7e&&a=1&x=%2F..%2f&o='";
    const body = '{"source_amount": 1,  "ü":"%"}';
    const spoofed = { "X-Forwarded-For": "203.0.113.9", Forwarded: "for=203.0.113.9", "X-Forwarded-Proto": "http" };
    const signed = { "Content-Type": "application/json", "X-Service-Signature": "ab", "X-Service-Nonce": "n_1", "Idempotency-Key": "k 1" };
    expect((await ask(port, { path, method: "POST", headers: { ...signed, ...spoofed }, body })).status).toBe(200);
    const [raw, ...others] = web.flatMap(({ seen }) => seen);
    if (raw === undefined) throw new Error("nothing came");
    expect(others).toEqual([]);
    expect([raw.method, `${raw.path}?${raw.query}`]).toEqual(["POST", path]);
    for (const [name, value] of Object.entries(signed)) expect([name, raw.headers.get(name.toLowerCase())]).toEqual([name, [value]]);
    expect(raw.headers.get("content-length")).toEqual([String(Buffer.byteLength(body))]);
    expect([raw.headers.get("host"), raw.headers.get("x-forwarded-proto"), raw.headers.get("forwarded")]).toEqual([
      ["pay.example.com"],
      ["https"],
      undefined,
    ]);
    expect(clientAddress(raw, ["127.0.0.1"])).toBe("127.0.0.2");
  });

  test("speaks HTTP/2 with browsers, and lets the service refuse a body that is too large", async () => {
    const { port } = await openStage(kind);
    const browser = connect(`https://localhost:${port}`, { ca: TEST_CERTIFICATE });
    const page = await new Promise<string>((resolve, reject) => {
      const stream = browser.request({ ":path": "/console" }).setEncoding("utf8");
      let text = "";
      stream.on("data", (chunk: string) => {
        text += chunk;
      });
      stream.once("end", () => resolve(text)).once("error", reject);
    });
    browser.close();
    expect(page).toMatch(/^page of web-[12]$/);
    const tooLarge = await ask(port, { path: "/api/v1/settlements", method: "POST", body: Buffer.alloc(200_000, "x") });
    expect([tooLarge.status, tooLarge.text]).toEqual([413, expect.stringContaining("body_too_large")]);
  });

  test("hands on each event of a live stream when it is said", async () => {
    const heard = Promise.withResolvers<void>();
    const { port } = await openStage(kind, async (_, response) => {
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      response.write("data: first\n\n");
      // The second is only sent once the first has arrived: a buffering proxy would keep both waiting.
      await heard.promise;
      response.end("data: second\n\n");
    });
    const onText = (text: string) => text.includes("first") && heard.resolve();
    expect((await ask(port, { path: "/console/changes", onText })).text).toBe("data: first\n\ndata: second\n\n");
  });

  test("loses no request while one process drains and ends, and none after it", async () => {
    const { web, port } = await openStage(kind);
    const failed: number[] = [];
    let at = 0;
    const send = async (count: number) => {
      for (const end = at + count; at < end; at++) {
        const { status } = await ask(
          port,
          at % 2 === 0 ? {} : { method: "POST", body: "{}", headers: { "Content-Type": "application/json" } },
        );
        if (status !== 200) failed.push(at);
      }
    };
    await send(20);
    expect(web.map(({ seen }) => seen.length > 0)).toEqual([true, true]);
    web[0].health = 503;
    web[0].drain.announce();
    // HAProxy checks and avoids it, nginx retries; either way, no request fails.
    if (kind === "haproxy")
      await expect
        .poll(async () => {
          const before = web[0].seen.length;
          await send(6);
          return web[0].seen.length - before;
        })
        .toBe(0);
    await send(20);
    await web[0].drain.end(5_000);
    await send(20);
    expect(failed).toEqual([]);
    expect(web[0].seen.length + web[1].seen.length).toBe(at);
  });
});

test("HAProxy takes the file of the database's failover below it, without that one's `global`", () => {
  const read = (name: string) => readFileSync(fileURLToPath(new URL(`../ops/${name}`, import.meta.url)), "utf8");
  const both = `${read("proxy/haproxy.cfg")}\n${read("database/haproxy.cfg").replace(/^global\n(?: .*\n)+/m, "")}`;
  const nodes = {
    PROXY_LISTEN: "127.0.0.1:5432",
    NODE_1: "10.0.0.21:5432",
    NODE_1_API: "8008",
    NODE_2: "10.0.0.22:5432",
    NODE_2_API: "8008",
  };
  const env = { ...process.env, ...nodes };
  const folder = mkdtempSync(join(tmpdir(), "settlement-haproxy-"));
  closers.push(async () => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "haproxy.cfg"), both);
  const { stderr } = spawnSync(proxyProgram("haproxy"), ["-c", "-f", join(folder, "haproxy.cfg")], { encoding: "utf8", env });
  // The certificate is the operator's; nothing else is missing.
  const alerts = stderr.split("\n").filter((line) => /\[ALERT\]/.test(line) && !/Error\(s\) found|Fatal errors/.test(line));
  expect(alerts).toEqual([expect.stringContaining("/etc/haproxy/settlement.pem")]);
});
