import { expect, test } from "@playwright/test";
import { exchange } from "#sandbox/client/exchange.ts";
import { BRAND } from "#sandbox/client/signing.ts";
import { expectRefusal, readJson } from "../support/answers.ts";
import { requestBytes, sendBytes } from "../support/raw.ts";
import { BASE_URL } from "../support/running-sandbox.ts";
import { quote, SETTLEMENTS } from "../support/settlements.ts";
import { doubled, draft, send } from "../support/signed.ts";

/** Contract, parts 3 and 9: what was on the wire is what is signed, byte for byte, and nothing is rewritten or redirected. */

for (const query of [
  "a=%7e&b=%7E",
  "name=O'Brien",
  "a=a+b%20c",
  "a=1&&b=2",
  "&a=1&",
  "nxtPx=1&nxtP=2",
  "nxtPx=",
  "_rsc=abc",
  "__nextLocale=en",
  "a=%E2%82%AC&b=%f0%9f%92%b0",
  "a=%2F..%2F&b=../x",
  "a[]=1&a[]=2",
  "a=b=c",
  "a",
  "",
  "?",
  "a=?b?",
  "a=%zz",
  "a=%",
  'a="<>`{}|\\^',
  "a=*()!$,;:@",
]) {
  test(`the query ${JSON.stringify(query)} is signed as sent`, async () => {
    const echo = readJson(await send(draft({ target: `/api/v1/echo?${query}` })));
    expect(echo).toMatchObject({ path: "/api/v1/echo", query });
    const answer = await send(draft({ method: "GET", target: `${SETTLEMENTS}?${query}` }));
    // The signature is valid; a meaningless query is then refused as such.
    expect([200, 422], answer.text).toContain(answer.status);
  });
}

test("bytes beyond ASCII in the target are signed as they are or refused, never a 5xx", async () => {
  const target = "/api/v1/echo?a=é€";
  const { headers } = draft({ target: Buffer.from(target, "utf8").toString("latin1"), body: "{}" });
  const answer = await sendBytes(requestBytes("POST", target, [...headers, ["Content-Length", "2"]], "{}"));
  expect([200, 400, 401]).toContain(answer.status);
});

for (const segment of ["a%2Fb", "tx_%2e%2e", "%7e", "a%20b", "%E2%82%AC", "'", "a+b", "a;b", "%25", "a=b"]) {
  test(`the path segment ${segment} is signed as sent: 404, not 401`, async () => {
    expectRefusal(await send(draft({ method: "GET", target: `${SETTLEMENTS}/${segment}` })), 404, "settlement_not_found");
    expectRefusal(await send(draft({ target: `${SETTLEMENTS}/${segment}/cancel`, body: "" })), 404, "settlement_not_found");
  });
}

test("an id written with escapes is the id", async () => {
  const { tx_id } = await quote();
  const target = `${SETTLEMENTS}/${tx_id.replace("_", "%5F")}`;
  expect(readJson(await send(draft({ method: "GET", target }))).tx_id).toBe(tx_id);
});

for (const target of [
  "/api/v1/settlements/",
  "//api/v1/settlements",
  "/api//v1/settlements",
  "/api/v1//settlements",
  "/api/v1/./settlements",
  "/api/v1/x/../settlements",
  "/api/v1/Settlements",
  "/api/v1/settlements.json",
  "/api/v1",
  "/api/v1/",
  "/api/v1/nothing",
  "/api/v1/settlements/%zz",
]) {
  test(`${target} is no route: 404, no redirect`, async () => {
    const answer = await send(draft({ method: "GET", target }));
    expect(answer.headers.location).toBeUndefined();
    if (target.endsWith("%zz")) return expect([400, 404]).toContain(answer.status);
    expectRefusal(answer, 404, "route_not_found");
    expectRefusal(await exchange(BASE_URL, { method: "GET", target, headers: [] }), 404, "route_not_found");
  });
}

test("another version, and capitals, are nowhere", async () => {
  for (const target of ["/api/v2/settlements", "/API/v1/settlements"]) {
    const answer = await send(draft({ method: "GET", target }));
    expect({ status: answer.status, location: answer.headers.location }).toEqual({ status: 404, location: undefined });
  }
});

test("a target in absolute form leads nowhere else", async () => {
  const target = "http://attacker.example/api/v1/echo";
  const { headers } = draft({ body: "{}" });
  const answer = await sendBytes(requestBytes("POST", target, [...headers, ["Content-Length", "2"]], "{}"));
  expect(answer.status).toBeLessThan(500);
  expect(Math.floor(answer.status / 100)).not.toBe(3);
  expect(JSON.stringify(answer.headers)).not.toContain("attacker");
});

for (const name of ["Authorization", `X-${BRAND}-Timestamp`, `X-${BRAND}-Nonce`, `X-${BRAND}-Signature`]) {
  test(`${name} sent twice is malformed_header, before any other check`, async () => {
    expectRefusal(await send(doubled(draft(), name)), 400, "malformed_header");
    expectRefusal(await send(doubled(draft(), name, "another")), 400, "malformed_header");
    expectRefusal(
      await send({
        ...doubled(draft(), name),
        headers: [
          [name, "x"],
          [name.toLowerCase(), "x"],
        ],
      }),
      400,
      "malformed_header",
    );
  });
}

for (const [method, target, allowed] of [
  ["GET", "/api/v1/echo", "POST"],
  ["GET", "/api/v1/settlements/confirm", "POST"],
  ["GET", "/api/v1/settlements/cancel", "POST"],
  ["GET", "/api/v1/settlements/tx_x/confirm", "POST"],
  ["GET", "/api/v1/settlements/tx_x/cancel", "POST"],
  ["GET", "/api/v1/settlements/tx_x/callbacks/cb_x/resend", "POST"],
  ["POST", "/api/v1/pairs", "GET"],
  ["POST", "/api/v1/rates/preview", "GET"],
  ["POST", "/api/v1/settlements/tx_x", "GET"],
  ["PUT", "/api/v1/settlements", "GET"],
  ["PATCH", "/api/v1/settlements", "POST"],
  ["DELETE", "/api/v1/settlements/tx_x", "GET"],
  ["OPTIONS", "/api/v1/settlements", "GET"],
  ["TRACE", "/api/v1/settlements", "GET"],
] as const) {
  test(`${method} ${target} is 405 with Allow, unsigned`, async () => {
    const answer = await exchange(BASE_URL, { method, target, headers: [] });
    expectRefusal(answer, 405, "method_not_allowed");
    expect(String(answer.headers.allow).split(/,\s*/)).toContain(allowed);
    expect(String(answer.headers.allow).split(/,\s*/)).not.toContain(method);
  });
}

test("HEAD is answered where GET is, signed as such, without a body; unsigned it never passes", async () => {
  const unsigned = await exchange(BASE_URL, { method: "HEAD", target: SETTLEMENTS, headers: [] });
  expect([unsigned.status, unsigned.bytes.length]).toEqual([401, 0]);
  expect(unsigned.headers["www-authenticate"]).toMatch(/^HMAC-SHA256 /);
  const signed = await send(draft({ method: "HEAD", target: SETTLEMENTS }));
  expect([signed.status, signed.bytes.length, signed.headers["content-type"]]).toEqual([200, 0, "application/json"]);
  expect(signed.headers.vary).toBeUndefined();
  for (const target of ["/time", "/health", "/ready", "/metrics", "/openapi/partner.json"]) {
    const open = await exchange(BASE_URL, { method: "HEAD", target, headers: [] });
    expect([target, open.status, open.bytes.length]).toEqual([target, 200, 0]);
  }
});

test("no answer of a surface varies by the page framework's headers", async () => {
  for (const target of ["/time", SETTLEMENTS, "/partners/current", "/partners/none"]) {
    expect((await exchange(BASE_URL, { method: "GET", target, headers: [] })).headers.vary).toBeUndefined();
  }
});

test("a request signed as GET is no POST", async () => {
  expectRefusal(await send({ ...draft({ method: "GET", target: SETTLEMENTS }), method: "POST" }), 401, "signature_mismatch");
});

for (const [what, bytes] of [
  ["two lengths", "POST /api/v1/echo HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}"],
  ["a length with chunks", "POST /api/v1/echo HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"],
  ["a folded header", "GET /api/v1/pairs HTTP/1.1\r\nHost: x\r\nAuthorization: a\r\n b\r\n\r\n"],
  ["a space before the colon", "GET /api/v1/pairs HTTP/1.1\r\nHost: x\r\nAuthorization : a\r\n\r\n"],
  ["no HTTP at all", "hello\r\n\r\n"],
  ["NUL in a header", "GET /api/v1/pairs HTTP/1.1\r\nHost: x\r\nAuthorization: a\u0000b\r\n\r\n"],
  ["a header of 100 KB", `GET /api/v1/pairs HTTP/1.1\r\nHost: x\r\nX-Long: ${"x".repeat(100_000)}\r\n\r\n`],
] as const) {
  test(`${what} is a 4xx`, async () => {
    const answer = await sendBytes(bytes);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
  });
}
