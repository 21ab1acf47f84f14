import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { closeFrontDoors, exchange, type Next, openFrontDoor, statusOf } from "#testing/front-door.ts";

afterEach(closeFrontDoors);

const LIMIT = 65_536;
const SIGN_IN = "/api/auth/callback/credentials";
const post = (headers: string, body: string, target = SIGN_IN) => `POST ${target} HTTP/1.1\r\nHost: h\r\n${headers}\r\n${body}`;
const chunked = (body: string) => post("Transfer-Encoding: chunked\r\n", `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);

/** As Next and next-auth do: everything that comes is read, however long. */
const reading: Next = async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { method, url, headers } = request;
  response.end(JSON.stringify({ method, url, length: headers["content-length"], body: Buffer.concat(chunks).toString() }));
};

describe("a body that is no surface's", () => {
  it.each([
    ["with a length", post("Content-Length: 3\r\n", "a=1")],
    ["in chunks", chunked("a=1")],
  ])("reaches Next whole, %s", async (_how, bytes) => {
    const { port } = await openFrontDoor({ next: reading });
    const answer = await exchange(port, bytes);
    expect(statusOf(answer)).toBe(200);
    expect(answer).toContain(JSON.stringify({ method: "POST", url: SIGN_IN, length: "3", body: "a=1" }));
  });

  it.each([
    ["of 64 KiB", LIMIT, 200],
    ["of one byte more", LIMIT + 1, 413],
  ])("%s is %s bytes and gets %s, with a length or in chunks", async (_how, length, status) => {
    const { port, pages } = await openFrontDoor({ next: reading });
    const body = "x".repeat(length);
    expect(statusOf(await exchange(port, post(`Content-Length: ${length}\r\n`, body)))).toBe(status);
    expect(statusOf(await exchange(port, chunked(body)))).toBe(status);
    expect(pages).toHaveLength(status === 413 ? 0 : 2);
  });

  it.each([
    ["/api/trpc/batches.judge", 8 * LIMIT, 200],
    ["/api/trpc/batches.create", 8 * LIMIT, 200],
    ["/api/trpc/batches.create", 8 * LIMIT + 1, 413],
    ["/api/trpc/batches.confirm", LIMIT + 1, 413],
  ])("to %s of %s bytes gets %s: a part of a file of payments has 500 rows", async (target, length, status) => {
    const { port } = await openFrontDoor({ next: reading });
    const asked = post(`Content-Length: ${length}\r\nExpect: 100-continue\r\n`, "x".repeat(length), target);
    const answer = await exchange(port, asked);
    expect(answer.includes("100 Continue")).toBe(status === 200);
    expect(answer).toContain(`HTTP/1.1 ${status}`);
  });

  it("is refused by its announced length before a byte of it came, and not asked for", async () => {
    const { port, pages } = await openFrontDoor({ next: reading });
    for (const target of [SIGN_IN, "/api/trpc/people.accept", "/console", "/docs"]) {
      const answer = await exchange(port, post("Content-Length: 250000000\r\nExpect: 100-continue\r\n", "", target));
      expect(answer).not.toContain("100 Continue");
      expect(statusOf(answer)).toBe(413);
      expect(answer).toContain('"code":"body_too_large"');
    }
    expect(pages).toEqual([]);
  });

  it("without end is answered and cut off, and nothing of it is kept", async () => {
    const { port, pages } = await openFrontDoor({ next: reading });
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write(post("Transfer-Encoding: chunked\r\n", ""));
    const closed = new Promise((resolve) => socket.once("close", resolve));
    const flood = setInterval(() => socket.writable && socket.write(`4000\r\n${"x".repeat(0x4000)}\r\n`), 5);
    const [first] = await once(socket, "data");
    expect(String(first)).toContain("413");
    await closed;
    clearInterval(flood);
    expect(pages).toEqual([]);
  });

  it("that breaks off never reaches Next", async () => {
    const { port, pages } = await openFrontDoor({ next: reading });
    const socket = connect(port, "127.0.0.1");
    socket.write(post("Content-Length: 100\r\n", "half"));
    await new Promise((resolve) => setTimeout(resolve, 100));
    socket.destroy();
    await once(socket, "close");
    expect(await exchange(port, post("Content-Length: 0\r\n", ""))).toContain('"body":""');
    expect(pages).toHaveLength(1);
  });
});
