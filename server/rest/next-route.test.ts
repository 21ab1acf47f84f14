import { afterAll, beforeAll, expect, it } from "vitest";
import type { IssuedApiKey } from "#server/services/access/issue-api-key.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { issueKey, type RequestParts, signedRequest, testContext, testSurfaceContext } from "#testing/surface.ts";
import { routeHandlers } from "./next-route.ts";
import type { SurfaceContext } from "./surface-context.ts";

/** What works where only Next runs, and what cannot be known there (docs/decisions/front-door.md). */

let database: TestDatabase;
let surfaceContext: SurfaceContext;
let key: IssuedApiKey;
beforeAll(async () => {
  database = await createTestDatabase();
  surfaceContext = testSurfaceContext(testContext(database.db));
  key = await issueKey(surfaceContext.ctx);
});
afterAll(() => database.close());

/** Signed exactly, and then converted to a `Request`. */
async function send(parts: RequestParts, by = key, more: RequestInit & { duplex?: "half" } = {}) {
  const { method = "POST", target = "/api/v1/echo" } = parts;
  const { headers } = signedRequest(by, { ...parts, method, target });
  const pairs = [...headers].flatMap(([name, values]) => values.map((value): [string, string] => [name, value]));
  const body = method === "GET" ? {} : { body: String(parts.body ?? "") };
  const { POST, GET } = routeHandlers("settlement", () => surfaceContext);
  const request = new Request(`http://localhost${target}`, { method, headers: pairs, ...body, ...more });
  const answer = await (method === "GET" ? GET : POST)(request);
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}

it.each(["", "?", "?a=%7E&b=%20c", "?a=1&&b=2&", "?a[]=1&a=b=c&d", "?a=%zz&b=%", "/%7E?a=?b", "?a=*()!$,;:@"])(
  "verifies the signature over the target exactly as it was sent: /api/v1/echo%s",
  async (rest) => {
    const { status, body } = await send({ target: `/api/v1/echo${rest}` });
    expect([status, body.code]).toEqual(rest.startsWith("/") ? [404, "route_not_found"] : [200, undefined]);
    if (status === 200) expect(`?${body.query}`).toBe(rest === "" ? "?" : rest);
  },
);

it("takes a target that was rewritten on the way for no other: its signature does not hold", async () => {
  for (const target of ["/api/v1/echo?name=O'Brien", '/api/v1/echo?a="', "/api/v1/echo?a=<b>"]) {
    expect(await send({ target })).toMatchObject({ status: 401, body: { code: "signature_mismatch" } });
  }
});

it("lets nobody in by headers that were joined on the way", async () => {
  const twice = { "X-Service-Nonce": ["5cbb0cb5-a8f9-4b1a-9d7c-0e0d2a2ac9c1", "5cbb0cb5-a8f9-4b1a-9d7c-0e0d2a2ac9c2"] };
  expect((await send({ headers: twice })).status).toBe(401);
  expect((await send({ headers: { Authorization: [key.apiKey, key.apiKey] } })).status).toBe(401);
});

it("refuses a key with an allow-list, since it does not know where a request comes from, whatever a header says", async () => {
  const listed = await issueKey(surfaceContext.ctx, { allowedIps: ["0.0.0.0/0", "::/0"] });
  const answer = await send({ headers: { "X-Forwarded-For": "127.0.0.1" } }, listed);
  expect([answer.status, answer.body.code]).toEqual([403, "ip_not_allowed"]);
});

it("reads a body without a length no further than its limit, and one that breaks off not at all", async () => {
  let pulled = 0;
  const endless = new ReadableStream({
    pull: (controller) => {
      pulled += 1;
      controller.enqueue(new Uint8Array(16_384));
    },
  });
  expect((await send({}, key, { body: endless, duplex: "half" })).body.code).toBe("body_too_large");
  expect(pulled).toBeLessThan(10);
  const broken = new ReadableStream({ pull: (controller) => controller.error(new Error("gone")) });
  expect((await send({}, key, { body: broken, duplex: "half" })).body.code).toBe("malformed_header");
});
