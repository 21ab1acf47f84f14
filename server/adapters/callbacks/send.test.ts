import { once } from "node:events";
import https from "node:https";
import net, { type AddressInfo, type Server, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import type { CallbackOutcome, OutgoingCallback } from "#domain/callback.ts";
import { TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from "#testing/certificate.ts";
import { AT_ONCE_MS } from "#testing/patience.ts";
import { openReceiver, type Receiver } from "#testing/stage/receiver.ts";
import { createCallbackSender } from "./send.ts";

const closing: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const local = createCallbackSender({ allowHttp: true, exemptHosts: ["localhost", "127.0.0.1"] });

function send(url: string, more: Partial<OutgoingCallback> = {}, sender = local): Promise<CallbackOutcome> {
  return sender.send({ url, headers: { "content-type": "application/json" }, body: '{"a":1}', timeoutMs: 5_000, ...more });
}

async function receiver(answer?: Receiver["answer"]): Promise<Receiver> {
  const opened = await openReceiver(answer);
  closing.push(() => opened.close());
  return opened;
}

/** A server that answers with given bytes. */
async function rawServer(onSocket: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server: Server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    onSocket(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Answers with these bytes once the request has begun to arrive. */
function saying(bytes: string): (socket: Socket) => void {
  return (socket) => socket.once("data", () => socket.end(bytes));
}

describe("an attempt", () => {
  it("posts the very bytes to the very path and query, with the given headers", async () => {
    const partner = await receiver();
    const body = '{"name":"Ünïcode € 😀"}';
    const outcome = await send(`${partner.origin}/it's/a%7e/b?z=o'b%7e&&a&x=%27&y=a+b|{}`, {
      body,
      headers: { "Webhook-Id": "cb_1", "content-type": "application/json" },
    });
    expect(outcome).toMatchObject({ status: 200, trouble: null, responseBody: '{"received":true}', remoteAddress: "127.0.0.1" });
    expect(partner.requests).toHaveLength(1);
    expect(partner.requests[0]).toMatchObject({ method: "POST", target: "/it's/a%7e/b?z=o'b%7e&&a&x=%27&y=a+b|{}", body });
    expect(partner.requests[0]?.headers).toMatchObject({
      "webhook-id": "cb_1",
      host: `127.0.0.1:${partner.port}`,
      "content-length": String(Buffer.byteLength(body)),
      "accept-encoding": "identity",
      connection: "keep-alive",
    });
  });

  it.each([200, 201, 202, 204, 206, 226, 299])("succeeds with %i", async (status) => {
    const partner = await receiver((_request, response) => response.writeHead(status).end());
    expect(await send(partner.origin)).toMatchObject({ status, trouble: null });
  });

  it.each([300, 301, 302, 303, 307, 308, 304, 400, 401, 404, 410, 429, 500, 503, 599])("fails with %i", async (status) => {
    const elsewhere = await receiver();
    const partner = await receiver((_request, response) => response.writeHead(status, { location: `${elsewhere.origin}/there` }).end("no"));
    const outcome = await send(partner.origin);
    expect(outcome).toMatchObject({ status, trouble: { kind: "status", message: expect.stringContaining(String(status)) } });
    expect(elsewhere.requests).toHaveLength(0);
    expect(partner.requests).toHaveLength(1);
  });

  it("keeps 4 KiB of the answer, as text that a database takes", async () => {
    const partner = await receiver((_request, response) =>
      response.end(Buffer.concat([Buffer.from([0, 0xff]), Buffer.from("€".repeat(3_000))])),
    );
    const { responseBody, trouble } = await send(partner.origin);
    expect(trouble).toBeNull();
    // 4,096 bytes less the first two, and the euro cut in two at the end.
    expect(responseBody).toBe(`\ufffd\ufffd${"€".repeat(1_364)}`);
  });

  it("reads no more than a little of an answer without end, and lets its status decide", async () => {
    let written = 0;
    const partner = await receiver((_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, "x"))) written += 65_536;
      };
      response.on("drain", more);
      more();
    });
    const outcome = await send(partner.origin);
    expect(outcome).toMatchObject({ status: 200, trouble: null });
    expect(outcome.responseBody).toHaveLength(4_096);
    expect(written).toBeLessThan(8_000_000);
  });

  it("unpacks nothing", async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const partner = await receiver((_request, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(bomb));
    const outcome = await send(partner.origin);
    expect(outcome.trouble).toBeNull();
    expect(outcome.responseBody?.length).toBeLessThanOrEqual(4_096);
  });

  it.each([
    ["a 204 with bytes after it", 'HTTP/1.1 204 No Content\r\n\r\n{"received":true}', null],
    ["a body that breaks off", "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf", null],
    ["no body where one was announced", "HTTP/1.1 202 Accepted\r\ncontent-length: 100\r\n\r\n", null],
    ["chunks that are none", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzzz\r\n", null],
    ["an error whose body breaks off", "HTTP/1.1 503 Busy\r\ncontent-length: 100\r\n\r\nhalf", { kind: "status" }],
  ])("has its verdict with the status line and the headers: %s", async (_what, bytes, trouble) => {
    const host = await rawServer(saying(bytes));
    const outcome = await send(`http://${host}/`);
    expect(outcome.status).toBe(Number(bytes.slice(9, 12)));
    if (trouble === null) expect(outcome.trouble).toBeNull();
    else expect(outcome.trouble).toMatchObject(trouble);
    if (bytes.endsWith("half")) expect(outcome.responseBody).toBe("half");
  });

  it("calls the root where the URL has no path", async () => {
    const partner = await receiver();
    expect(await send(`${partner.origin}?a=b`)).toMatchObject({ trouble: null });
    expect(partner.requests[0]?.target).toBe("/?a=b");
  });
});

describe("the deadline of an attempt", () => {
  const limit = { timeoutMs: 300 };
  async function expectTimeout(outcome: Promise<CallbackOutcome>): Promise<void> {
    const startedAt = Date.now();
    expect((await outcome).trouble).toEqual({ kind: "timeout", message: "The receiver did not answer within 0.3 seconds." });
    expect(Date.now() - startedAt).toBeLessThan(AT_ONCE_MS);
  }

  it("ends a wait for DNS", async () => {
    const sender = createCallbackSender({ allowHttp: true, exemptHosts: [], resolve: () => new Promise(() => {}) });
    await expectTimeout(send("http://example.com/", limit, sender));
  });

  it("ends a wait for headers", async () => {
    const host = await rawServer(() => {});
    await expectTimeout(send(`http://${host}/`, limit));
  });

  it("ends headers that drip", async () => {
    const host = await rawServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      const drip = setInterval(() => socket.write("x-drip: 1\r\n"), 50);
      socket.on("close", () => clearInterval(drip));
    });
    await expectTimeout(send(`http://${host}/`, limit));
  });

  it("ends a body that drips, whose status has long decided", async () => {
    const partner = await receiver((_request, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write("."), 50);
      response.on("close", () => clearInterval(drip));
    });
    const outcome = await send(partner.origin, { timeoutMs: 3_000 });
    expect(outcome).toMatchObject({ status: 200, trouble: null, responseBody: expect.stringMatching(/^\.+$/) });
  });

  it("ends a wait for the TLS handshake", async () => {
    const host = await rawServer(() => {});
    await expectTimeout(send(`https://${host}/`, limit));
  });

  it("is the caller's too: an attempt can be called off", async () => {
    const host = await rawServer(() => {});
    const caller = new AbortController();
    setTimeout(() => caller.abort(), 50);
    expect(await send(`http://${host}/`, { signal: caller.signal })).toMatchObject({ trouble: { kind: "aborted" } });
    expect(await send(`http://${host}/`, { signal: caller.signal })).toMatchObject({ trouble: { kind: "aborted" } });
  });
});

describe("trouble", () => {
  it("reports a refused connection, also when every address of the name refuses", async () => {
    const gone = await receiver();
    await gone.close();
    expect(await send(gone.origin)).toMatchObject({ status: null, trouble: { kind: "refused" } });
    expect(await send(`http://localhost:${gone.port}/`)).toMatchObject({ status: null, trouble: { kind: "refused" } });
  });

  it("finds a receiver that listens on one of the name's addresses only", async () => {
    const partner = await receiver();
    expect(await send(`http://localhost:${partner.port}/`)).toMatchObject({ status: 200, trouble: null });
  });

  it("reports a connection that is reset", async () => {
    const host = await rawServer((socket) => socket.once("data", () => socket.resetAndDestroy()));
    expect(await send(`http://${host}/`)).toMatchObject({ status: null, trouble: { kind: "reset" } });
  });

  it("reports a name that does not resolve", async () => {
    const sender = createCallbackSender({ allowHttp: true, exemptHosts: [], resolve: () => Promise.reject(new Error("ENOTFOUND")) });
    expect(await send("http://example.com/", {}, sender)).toMatchObject({ trouble: { kind: "dns" } });
    // The real resolver, and a name that can never be.
    const real = createCallbackSender({ allowHttp: true, exemptHosts: [] });
    expect(await send("http://nothing.invalid/", {}, real)).toMatchObject({ trouble: { kind: "dns" } });
  });

  it.each([
    ["garbage", "what?\r\n\r\n"],
    ["a malformed status line", "HTTP/1.1 abc OK\r\n\r\n"],
    ["headers beyond measure", `HTTP/1.1 200 OK\r\nx: ${"a".repeat(40_000)}\r\n\r\n`],
    ["another protocol", "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n"],
    ["interim answers without end", "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(50)],
    ["a body with two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab"],
  ])("reports an answer of %s", async (_what, bytes) => {
    const host = await rawServer(saying(bytes));
    expect(await send(`http://${host}/`)).toMatchObject({ trouble: { kind: "protocol" } });
  });

  it("reports a certificate that nobody vouches for, and one for another name", async () => {
    const server = https.createServer({ cert: TEST_CERTIFICATE, key: TEST_CERTIFICATE_KEY }, (_request, response) => response.end("ok"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closing.push(() => new Promise((resolve) => server.close(resolve)));
    const { port } = server.address() as AddressInfo;
    expect(await send(`https://localhost:${port}/`)).toMatchObject({ status: null, trouble: { kind: "tls" } });
    const options = { allowHttp: true, exemptHosts: ["localhost", "127.0.0.1"], ca: TEST_CERTIFICATE };
    const trusting = createCallbackSender(options);
    expect(await send(`https://localhost:${port}/`, {}, trusting)).toMatchObject({ status: 200, trouble: null, responseBody: "ok" });
    expect(await send(`https://127.0.0.1:${port}/`, {}, trusting)).toMatchObject({ status: 200, trouble: null });
    expect(await send(`https://localhost.:${port}/`, {}, trusting)).toMatchObject({ status: 200, trouble: null });
    const plain = await receiver();
    expect(await send(`https://127.0.0.1:${plain.port}/`)).toMatchObject({ status: null, trouble: { kind: "tls" } });
  });

  it("never throws, whatever it is asked to send", async () => {
    const partner = await receiver();
    for (const request of [
      { url: "not a URL" },
      { url: "" },
      { url: "ftp://example.com/" },
      { url: partner.origin, headers: { "bad header": "x" } },
      { url: partner.origin, headers: { good: "bad\r\nvalue" } },
    ]) {
      const outcome = await send(request.url, request);
      expect(outcome.trouble).not.toBeNull();
      expect(outcome.trouble?.message).toMatch(/^[A-Z].*\.$/);
    }
  });
});

describe("the guard at the moment of sending", () => {
  it("refuses a name that was public when it was given and leads inside now", async () => {
    const partner = await receiver();
    const answers = [["93.184.215.14"], ["127.0.0.1"]];
    const rebinding = createCallbackSender({ allowHttp: true, exemptHosts: [], resolve: async () => answers.shift() ?? [] });
    const url = `http://example.com:${partner.port}/`;
    expect(await rebinding.judge(url)).toEqual({ verdict: "allowed" });
    expect(await send(url, {}, rebinding)).toMatchObject({ remoteAddress: null, trouble: { kind: "blocked_address" } });
    expect(partner.requests).toHaveLength(0);
  });

  it("refuses a name as soon as one of its addresses is special", async () => {
    const partner = await receiver();
    const mixed = createCallbackSender({ allowHttp: true, exemptHosts: [], resolve: async () => ["93.184.215.14", "127.0.0.1"] });
    const outcome = await send(`http://example.com:${partner.port}/`, {}, mixed);
    expect(outcome).toMatchObject({ trouble: { kind: "blocked_address" } });
    expect(outcome.trouble?.message).not.toMatch(/\d/);
  });

  it("asks once for the address and connects to that answer alone", async () => {
    let questions = 0;
    const answers = [["93.184.215.14"], ["127.0.0.1"]];
    const sender = createCallbackSender({
      allowHttp: true,
      exemptHosts: [],
      resolve: async () => {
        questions += 1;
        return answers.shift() ?? [];
      },
    });
    const partner = await receiver();
    await send(`http://example.com:${partner.port}/`, { timeoutMs: 300 }, sender);
    expect(questions).toBe(1);
    expect(partner.requests).toHaveLength(0);
  });

  it("uses a connection again for the address it leads to, and leaves it where the name leads elsewhere now", async () => {
    const partner = await receiver();
    const answers = [["127.0.0.1"], ["127.0.0.1"], ["127.0.0.2"], ["10.0.0.1"]];
    const moving = createCallbackSender({
      allowHttp: true,
      exemptHosts: [],
      allowedNetworks: ["127.0.0.0/8"],
      resolve: async () => answers.shift() ?? [],
    });
    const url = `http://example.com:${partner.port}/`;
    const [first, second] = [await send(url, {}, moving), await send(url, {}, moving)];
    expect([first.timings.connect, second.timings.connect]).toEqual([expect.any(Number), undefined]);
    expect(second).toMatchObject({ status: 200, remoteAddress: "127.0.0.1", trouble: null });
    expect(await send(url, {}, moving)).toMatchObject({ status: null, trouble: { kind: "refused" } });
    expect(await send(url, {}, moving)).toMatchObject({ remoteAddress: null, trouble: { kind: "blocked_address" } });
    expect(partner.requests).toHaveLength(2);
  });

  it("sends once also where a kept connection breaks with the request on it: the receiver may have read it", async () => {
    const requests: number[] = [];
    const host = await rawServer((socket) => {
      const connection = requests.push(0) - 1;
      socket.on("data", () => {
        requests[connection] = (requests[connection] ?? 0) + 1;
        if (requests[connection] > 1) socket.resetAndDestroy();
        else socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
      });
    });
    expect(await send(`http://${host}/`)).toMatchObject({ status: 200, trouble: null });
    expect(await send(`http://${host}/`)).toMatchObject({ status: null, trouble: { kind: "reset" } });
    expect(requests).toEqual([2]);
    expect(await send(`http://${host}/`)).toMatchObject({ status: 200, trouble: null });
    expect(requests).toEqual([2, 1]);
  });

  it("begins with a new connection where the receiver has closed the one that was kept", async () => {
    const closed: Promise<unknown>[] = [];
    const host = await rawServer((socket) => {
      closed.push(once(socket, "close"));
      socket.on("data", () => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"));
    });
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      expect(await send(`http://${host}/`)).toMatchObject({ status: 200, trouble: null });
      expect(closed).toHaveLength(attempt);
      await closed.at(-1);
    }
  });

  it("keeps no connection whose answer was not read to its end", async () => {
    let connections = 0;
    const host = await rawServer((socket) => {
      connections += 1;
      socket.on("data", () => socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n${"x".repeat(20_000)}`));
    });
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      expect(await send(`http://${host}/`)).toMatchObject({ status: 200, trouble: null });
      expect(connections).toBe(attempt);
    }
  });

  it("refuses plain http where it is not allowed", async () => {
    const partner = await receiver();
    const live = createCallbackSender({ allowHttp: false, exemptHosts: [] });
    expect(await send(partner.origin, {}, live)).toMatchObject({ trouble: { kind: "malformed_url" } });
    expect(await send(`https://127.0.0.1:${partner.port}/`, {}, live)).toMatchObject({ trouble: { kind: "blocked_address" } });
    expect(partner.requests).toHaveLength(0);
  });
});

describe("many at once", () => {
  it("holds five hundred hanging attempts while others go through", async () => {
    const host = await rawServer(() => {});
    const partner = await receiver();
    const caller = new AbortController();
    const before = process.memoryUsage().rss;
    const hanging = Array.from({ length: 500 }, () => send(`http://${host}/`, { timeoutMs: 30_000, signal: caller.signal }));
    await new Promise((resolve) => setTimeout(resolve, 500));
    const startedAt = Date.now();
    const others = await Promise.all(Array.from({ length: 50 }, () => send(partner.origin, { timeoutMs: 30_000 })));
    expect(others.every(({ trouble }) => trouble === null)).toBe(true);
    expect(Date.now() - startedAt).toBeLessThan(AT_ONCE_MS);
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
    caller.abort();
    for (const outcome of await Promise.all(hanging)) expect(outcome.trouble?.kind).toBe("aborted");
  });
});
