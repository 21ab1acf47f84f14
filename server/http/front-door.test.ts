import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type Answer, closeFrontDoors, exchange, get, openFrontDoor, statusOf } from "#testing/front-door.ts";
import { AT_ONCE_MS } from "#testing/patience.ts";

afterEach(closeFrontDoors);

const requestId = /^x-request-id: (req_[0-9a-z]{26})\r$/im;

describe("the front door", () => {
  it.each([
    "/api/v1/settlements?a=%7e&b='&c=a+b%20c&&nxtPx=1&_rsc=2&%zz=%ff#x",
    "/api/v1/settlements/tx_1/?x",
    "/api/v1//pairs",
    "/api/v1/../admins",
    "/api/v1/%2e%2e/%70airs",
    "/api/v1/a\\b",
    "/api/v1/t%C3%A4g?%C3%A4",
    "/api/v1?",
  ])("keeps the target %s byte for byte, and asks nothing of Next", async (target) => {
    const { port, seen, pages } = await openFrontDoor();
    await exchange(port, get(target, "X-Twice: 1\r\nX-TWICE: 2\r\nNext-Action: 1\r\nx-nextjs-data: 1\r\n"));
    const [one] = seen;
    const mark = target.indexOf("?");
    expect(one?.path).toBe(mark === -1 ? target : target.slice(0, mark));
    expect(one?.query).toBe(mark === -1 ? "" : target.slice(mark + 1));
    expect(one?.headers.get("x-twice")).toEqual(["1", "2"]);
    expect(pages).toEqual([]);
  });

  it("hands every method to its surface, TRACE too, and the socket's address", async () => {
    const { port, seen } = await openFrontDoor();
    for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"]) {
      const answer = await exchange(port, `${method} /api/v1/echo HTTP/1.1\r\nHost: h\r\n\r\n`, 50);
      expect(answer).toMatch(requestId);
    }
    expect(seen.map((one) => one.method)).toEqual(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"]);
    expect(seen[0]?.remoteAddress).toBe("127.0.0.1");
  });

  it("names requests itself, whatever a client calls its own, and drops Next's internal headers from a client", async () => {
    const { port, seen, pages } = await openFrontDoor();
    await exchange(port, get("/api/v1/pairs", "X-Request-Id: mine\r\n"));
    await exchange(port, get("/docs", "X-Request-Id: mine\r\nx-middleware-subrequest: src/middleware\r\n"));
    expect(seen[0]?.requestId).toMatch(/^req_/);
    expect(pages[0]?.headers["x-request-id"]).toMatch(/^req_/);
    expect(pages[0]?.headers["x-middleware-subrequest"]).toBeUndefined();
  });

  it("leaves the surfaces to Next where a developer changes its routes", async () => {
    const { port, pages } = await openFrontDoor({ answer: null });
    const answer = await exchange(port, "POST /api/v1/echo?a=1 HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n{}");
    expect([statusOf(answer), pages[0]?.method, pages[0]?.url]).toEqual([200, "POST", "/api/v1/echo?a=1"]);
  });

  it("gives every answer its own request id, also where nothing of ours answers", async () => {
    const { port } = await openFrontDoor();
    const ids = await Promise.all(
      ["/", "/nothing", "/api/v1/x", "//x", "http://evil/"].map(async (target) => requestId.exec(await exchange(port, get(target)))?.[1]),
    );
    expect(ids.every((id) => id !== undefined)).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each([
    ["an absolute-form target", get("http://evil.example/api/v1/pairs"), 400],
    ["an absolute-form target of ours", get("http://h/api/v1/pairs"), 400],
    ["an asterisk", "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n", 400],
    ["a target of another host's", get("//evil.example/path"), 404],
    ["a doubled slash", get("/docs//errors"), 404],
    ["a backslash", get("/\\evil.example"), 404],
    ["a path that is no percent-encoded UTF-8", get("/docs/errors/%ff"), 404],
    ["half a percent sign's code", get("/docs/errors/%e"), 404],
    ["a path with dot segments", get("/x/../docs"), 404],
    ["a path with encoded dot segments", get("/x/%2e%2E/partners/current"), 404],
    ["another version of the API", get("/api/v2/settlements"), 404],
    ["another spelling of the API", get("/API/v1/settlements"), 404],
    ["TRACE of a page", "TRACE /docs HTTP/1.1\r\nHost: h\r\n\r\n", 405],
    ["CONNECT", "CONNECT evil.example:443 HTTP/1.1\r\nHost: h\r\n\r\n", 405],
    ["bytes beyond ASCII in the target", "GET /api/v1/echo?n=\u00c3\u00a4 HTTP/1.1\r\nHost: h\r\n\r\n", 400],
    ["two hosts", "GET /api/v1/pairs HTTP/1.1\r\nHost: h\r\nHost: evil.example\r\n\r\n", 400],
    ["chunks within another encoding", "POST /api/v1/echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 400],
    ["no host", "GET / HTTP/1.1\r\n\r\n", 400],
    ["an unknown method", "FROBNICATE / HTTP/1.1\r\nHost: h\r\n\r\n", 400],
    ["no HTTP at all", "\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n", 400],
    [
      "a length and chunks",
      "POST /api/v1/echo HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      400,
    ],
    ["two lengths", "POST /api/v1/echo HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", 400],
    ["a length that is no number", "POST /api/v1/echo HTTP/1.1\r\nHost: h\r\nContent-Length: +3\r\n\r\nabc", 400],
    ["an unknown transfer encoding", "POST /api/v1/echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip\r\n\r\n", 400],
    ["a folded header", "GET /api/v1/pairs HTTP/1.1\r\nHost: h\r\nX-A: 1\r\n 2\r\n\r\n", 400],
    ["a space before the colon", "GET /api/v1/pairs HTTP/1.1\r\nHost: h\r\nX-A : 1\r\n\r\n", 400],
    ["bare line feeds", "GET /api/v1/pairs HTTP/1.1\nHost: h\nX-A: \u0000\n\n", 400],
    ["headers without end", get("/", `X-A: ${"a".repeat(20_000)}\r\n`), 431],
    ["an expectation", get("/api/v1/pairs", "Expect: miracles\r\n"), 417],
  ])("refuses %s with a 4xx and a request id, and nothing else sees it", async (_name, bytes, status) => {
    const { port, seen, pages } = await openFrontDoor();
    const answer = await exchange(port, Buffer.from(bytes, "latin1"));
    expect(statusOf(answer)).toBe(status);
    expect(answer).toMatch(requestId);
    expect([...seen, ...pages]).toEqual([]);
  });

  it("answers a HEAD with the headers of its GET and no body", async () => {
    const { port, seen } = await openFrontDoor();
    const answer = await exchange(port, "HEAD /time HTTP/1.1\r\nHost: h\r\n\r\n");
    expect([statusOf(answer), seen[0]?.method, answer.split("\r\n\r\n")[1]]).toEqual([200, "HEAD", ""]);
    expect(answer).toMatch(/^content-length: 2\r$/im);
  });

  it("says which methods it knows where it refuses one", async () => {
    const { port } = await openFrontDoor();
    expect(await exchange(port, "TRACE /docs HTTP/1.1\r\nHost: h\r\n\r\n")).toMatch(
      /^Allow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS\r$/m,
    );
  });

  it("takes an offer to upgrade for the ordinary request it also is", async () => {
    const { port } = await openFrontDoor();
    const answer = await exchange(
      port,
      get("/api/v1/pairs", "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n"),
    );
    expect(statusOf(answer)).toBe(200);
  });

  it("gives every kind of answer the headers that keep it from being framed, sniffed, embedded or run", async () => {
    const { port } = await openFrontDoor({
      baseUrl: "https://base",
      answer: async ({ path }) => {
        if (path.endsWith("/breaks")) throw new Error("a defect");
        return { status: 200, headers: { "Content-Type": "application/json" }, body: "{}" };
      },
    });
    const kinds: [what: string, bytes: string, status: number][] = [
      ["the settlement surface", get("/api/v1/settlements"), 200],
      ["the partner-management surface", get("/partners/current"), 200],
      ["the open surface", get("/time"), 200],
      ["published keys", get("/.well-known/jwks.json"), 200],
      ["a surface's defect", get("/api/v1/breaks"), 500],
      ["a page", get("/docs"), 200],
      ["an empty target", get("//"), 404],
      ["a method that no page has", "TRACE /docs HTTP/1.1\r\nHost: h\r\n\r\n", 405],
      ["framing that is refused", get("/api/v1/pairs", "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n"), 400],
      ["an expectation that is not met", get("/api/v1/pairs", "Expect: more\r\n"), 417],
      ["CONNECT", "CONNECT h:443 HTTP/1.1\r\nHost: h\r\n\r\n", 405],
      ["bytes that are no request", "nonsense\r\n\r\n", 400],
    ];
    for (const [what, bytes, status] of kinds) {
      const answer = await exchange(port, bytes);
      expect(statusOf(answer), what).toBe(status);
      for (const header of [
        "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'",
        "X-Content-Type-Options: nosniff",
        "X-Frame-Options: DENY",
        "Referrer-Policy: ",
        "Cross-Origin-Opener-Policy: same-origin",
        "Cross-Origin-Resource-Policy: same-origin",
      ])
        expect(answer.split(header), `${what}: ${header}`).toHaveLength(2);
    }
  });

  it("says where to report a vulnerability, as RFC 9116 defines, where the settings name it", async () => {
    const { port, seen } = await openFrontDoor({ baseUrl: "https://base", securityContact: "mailto:security@example.com" });
    const answer = await exchange(port, get("/.well-known/security.txt"));
    expect(statusOf(answer)).toBe(200);
    expect(answer).toContain("Content-Type: text/plain; charset=utf-8");
    const [, body = ""] = answer.split("\r\n\r\n");
    const fields = Object.fromEntries(body.split("\n").map((line) => line.split(/: (.*)/).slice(0, 2)));
    expect(fields).toMatchObject({ Contact: "mailto:security@example.com", Canonical: "https://base/.well-known/security.txt" });
    const days = (Date.parse(fields.Expires) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(30);
    expect(days).toBeLessThan(365);
    expect(seen).toEqual([]);
    const nobody = await openFrontDoor();
    await exchange(nobody.port, get("/.well-known/security.txt"));
    expect(nobody.seen.map(({ path }) => path)).toEqual(["/.well-known/security.txt"]);
  });

  it("gives whatever Next answers the headers that keep it from being framed, sniffed or run, and over https all that it stays so", async () => {
    const { port } = await openFrontDoor({ baseUrl: "https://base" });
    const next = await exchange(port, get("/nothing-of-ours"));
    for (const header of ["Content-Security-Policy: default-src 'none'", "X-Content-Type-Options: nosniff", "X-Frame-Options: DENY"])
      expect(next).toContain(header);
    for (const target of ["/nothing-of-ours", "/api/v1/settlements", "//", "/login"])
      expect(await exchange(port, get(target)), target).toContain("Strict-Transport-Security: max-age=31536000");
    const plain = await openFrontDoor();
    expect(await exchange(plain.port, get("/api/v1/settlements"))).not.toContain("Strict-Transport-Security");
  });

  it("answers 500 with a request id when Next throws", async () => {
    const next = async () => {
      throw new Error("no");
    };
    const { port } = await openFrontDoor({ next });
    const answer = await exchange(port, get("/docs"));
    expect(statusOf(answer)).toBe(500);
    expect(answer).toMatch(requestId);
    expect(answer).toContain('"code":"internal_error"');
  });
});

describe("a body at the front door", () => {
  const LIMIT = 65_536;
  /** Answers how many bytes were read, or that they were too many. */
  const reading: Answer = async (raw) => {
    const body = await raw.readBody(LIMIT);
    if (body === "too_large") return { status: 413, headers: {}, body: "too large" };
    return { status: 200, headers: {}, body: `${body.length} ${Buffer.from(body).toString("hex").slice(0, 40)}` };
  };
  const post = (headers: string, body: string) => `POST /api/v1/echo HTTP/1.1\r\nHost: h\r\n${headers}\r\n${body}`;

  it("is read as it was sent, whole, in chunks or empty", async () => {
    const { port } = await openFrontDoor({ answer: reading });
    expect(await exchange(port, Buffer.from(post("Content-Length: 4\r\n", "\u00ff\u0000{}"), "latin1"))).toContain("\r\n\r\n4 ff007b7d");
    expect(await exchange(port, post("Transfer-Encoding: chunked\r\n", "2\r\n{ \r\n1;ext=1\r\n}\r\n0\r\nX-Trailer: 1\r\n\r\n"))).toContain(
      "\r\n\r\n3 7b207d",
    );
    expect(await exchange(port, post("", ""))).toContain("\r\n\r\n0 ");
    expect(await exchange(port, post(`Content-Length: ${LIMIT}\r\n`, "x".repeat(LIMIT)))).toContain(`\r\n\r\n${LIMIT} `);
  });

  it("is too large by one byte", async () => {
    const { port } = await openFrontDoor({ answer: reading });
    const tooLong = "x".repeat(LIMIT + 1);
    expect(statusOf(await exchange(port, post(`Content-Length: ${tooLong.length}\r\n`, tooLong)))).toBe(413);
    expect(
      statusOf(await exchange(port, post("Transfer-Encoding: chunked\r\n", `${tooLong.length.toString(16)}\r\n${tooLong}\r\n0\r\n\r\n`))),
    ).toBe(413);
  });

  it("is refused by its announced length before it comes, and not asked for", async () => {
    const { port } = await openFrontDoor({ answer: reading });
    const answer = await exchange(port, post("Content-Length: 10000000000\r\nExpect: 100-continue\r\n", ""));
    expect(answer).not.toContain("100 Continue");
    expect(statusOf(answer)).toBe(413);
  });

  it("is asked for when its sender waits to be", async () => {
    const { port } = await openFrontDoor({ answer: reading });
    const socket = connect(port, "127.0.0.1");
    socket.write(post("Content-Length: 2\r\nExpect: 100-continue\r\n", ""));
    const [first] = await once(socket, "data");
    expect(String(first)).toContain("100 Continue");
    socket.write("{}");
    const [second] = await once(socket, "data");
    expect(String(second)).toContain("200 OK");
    socket.destroy();
  });

  it("of 10 MB gets its 413 through to a client that sends first and reads afterwards", async () => {
    const { port } = await openFrontDoor({ answer: reading });
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/echo`, { method: "POST", body: new Uint8Array(10_000_000) });
    expect(answer.status).toBe(413);
    expect(await answer.text()).toBe("too large");
  });

  it("without end is answered, and its sender cut off soon after", async () => {
    const { port } = await openFrontDoor({ answer: reading });
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write(post("Transfer-Encoding: chunked\r\n", ""));
    const closed = new Promise((resolve) => socket.once("close", resolve));
    const flood = setInterval(() => socket.writable && socket.write(`4000\r\n${"x".repeat(0x4000)}\r\n`), 5);
    const [first] = await once(socket, "data");
    expect(String(first)).toContain("413");
    const began = performance.now();
    await closed;
    clearInterval(flood);
    expect(performance.now() - began).toBeLessThan(AT_ONCE_MS);
  });

  it("that breaks off ends its reading", async () => {
    const gone = Promise.withResolvers<string>();
    const asked = Promise.withResolvers<void>();
    const leaving: Answer = async (raw) => {
      asked.resolve();
      await raw.readBody(LIMIT).catch((error: Error) => gone.resolve(error.name));
      return { status: 400, headers: {}, body: "" };
    };
    const { port } = await openFrontDoor({ answer: leaving });
    const socket = connect(port, "127.0.0.1");
    socket.write(post("Content-Length: 100\r\n", "half"));
    await asked.promise;
    socket.destroy();
    expect(await gone.promise).toBe("ClientGone");
  });

  it("says that its client has left before the answer, and only then", async () => {
    const [gone, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let left = 0;
    const waiting: Answer = async (raw) => {
      raw.whenGone(() => {
        left += 1;
        gone.resolve();
      });
      if (raw.path === "/api/v1/echo") {
        asked.resolve();
        await gone.promise;
      }
      return { status: 200, headers: {}, body: "answered" };
    };
    const { port } = await openFrontDoor({ answer: waiting });
    expect(await exchange(port, get("/api/v1/pairs"))).toContain("answered");
    expect(left).toBe(0);
    const socket = connect(port, "127.0.0.1");
    socket.write(post("Content-Length: 2\r\n", "{}"));
    await asked.promise;
    socket.destroy();
    await gone.promise;
    expect(left).toBe(1);
  });

  it("with a broken chunk gets a 400", async () => {
    const { port } = await openFrontDoor({ answer: reading });
    const answer = await exchange(port, post("Transfer-Encoding: chunked\r\n", "zz\r\nhello\r\n0\r\n\r\n"));
    expect(statusOf(answer)).toBe(400);
  });
});

describe("draining", () => {
  it("once announced makes each answer its connection's last, and goes on answering", async () => {
    const { drain, port } = await openFrontDoor();
    expect(await exchange(port, get("/api/v1/pairs"))).toMatch(/^Connection: keep-alive\r$/m);
    drain.announce();
    for (const target of ["/api/v1/pairs", "/ready", "/docs"]) {
      const answer = await exchange(port, get(target));
      expect([statusOf(answer), /^Connection: close\r$/m.test(answer)]).toEqual([200, true]);
    }
  });

  it("finishes the requests under way, refuses new connections and then settles", async () => {
    const [asked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow: Answer = async () => {
      asked.resolve();
      await release.promise;
      return { status: 200, headers: {}, body: "finished" };
    };
    const { drain, port } = await openFrontDoor({ answer: slow });
    const idle = connect(port, "127.0.0.1");
    await once(idle, "connect");
    const busy = exchange(port, get("/api/v1/pairs"), 5_000);
    await asked.promise;
    const drained = drain.end(10_000);
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
    release.resolve();
    expect(await busy).toContain("finished");
    await drained;
    idle.destroy();
  });

  it("cuts off what does not finish within the grace", async () => {
    const asked = Promise.withResolvers<void>();
    const silent: Answer = () => {
      asked.resolve();
      return new Promise(() => {});
    };
    const { drain, port } = await openFrontDoor({ answer: silent });
    const stuck = exchange(port, get("/api/v1/pairs"), 5_000);
    await asked.promise;
    await drain.end(200);
    expect(await stuck).toBe("");
  });
});
