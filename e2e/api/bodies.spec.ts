import { createHash } from "node:crypto";
import { expect, test } from "@playwright/test";
import { exchange, type Header } from "#sandbox/client/exchange.ts";
import { signedHeaders } from "#sandbox/client/signing.ts";
import { expectFault, expectRefusal, readJson } from "../support/answers.ts";
import { partner } from "../support/client.ts";
import { BASE_URL, sandbox } from "../support/running-sandbox.ts";
import { createBody, quote, SETTLEMENTS } from "../support/settlements.ts";
import { draft, send, withHeader, without } from "../support/signed.ts";

/** Contract, parts 1 and 9 "Requests": bytes, JSON and content types. */

/** A signed POST of these bytes whose content type is this, or missing. */
function postAs(contentType: string | null, body: string | Buffer, target = SETTLEMENTS) {
  const signed = signedHeaders(sandbox.partner, { method: "POST", target, body }).filter(([name]) => name !== "Content-Type");
  const typed: Header[] = contentType === null ? [] : [["Content-Type", contentType]];
  return exchange(BASE_URL, { method: "POST", target, body, headers: [...signed, ...typed] });
}

for (const [body, what] of [
  ["", "an empty body"],
  ["   ", "a blank body"],
  ["{", "half an object"],
  ["{'a': 1}", "single quotes"],
  ['{"a": 1,}', "a comma too many"],
  ['{"a": NaN}', "not a number"],
  ['{"a": 01}', "a leading zero"],
  ['{"a": 1} {"b": 2}', "two values"],
  ['{"source_amount": 1, "source_amount": 2}', "a repeated key"],
  ['{"a": {"b": 1, "b": 1}}', "a repeated key further in"],
  ['{"source_amount": 1, "source\\u005famount": 1}', "a key repeated under an escape"],
  ['\ufeff{"a": 1}', "a byte order mark"],
  ['{"a": "\u0001"}', "a control character in a string"],
  [`${"[".repeat(30_000)}${"]".repeat(30_000)}`, "nested thirty thousand deep"],
] as const) {
  test(`${what} is malformed_json or refused, never a 5xx`, async () => {
    const answer = await partner.post(SETTLEMENTS, Buffer.from(body, "utf8"));
    if (what.startsWith("nested") && answer.status === 422) return void expectRefusal(answer, 422, "validation_failed");
    expectRefusal(answer, 400, "malformed_json");
  });
}

test("bytes that are not UTF-8 are invalid_utf8", async () => {
  for (const bytes of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xc0, 0xaf], [0xf8, 0x88, 0x80, 0x80, 0x80]]) {
    const body = Buffer.concat([Buffer.from('{"external_merchant_id": "'), Buffer.from(bytes), Buffer.from('"}')]);
    expectRefusal(await partner.post(SETTLEMENTS, body), 400, "invalid_utf8");
  }
});

for (const body of ["[]", "null", "5", '"text"', "true"]) {
  test(`a body that is ${body} and no object is refused`, async () => {
    expectRefusal(await partner.post(SETTLEMENTS, body), 422, "validation_failed");
  });
}

test("a lone surrogate is text that cannot be stored, not a crash", async () => {
  const body = JSON.stringify(createBody({ external_merchant_id: "@@" })).replace("@@", "\\ud800");
  expectFault(await partner.post(SETTLEMENTS, body), "validation_failed", { pointer: "/external_merchant_id" });
});

test("a POST with a body needs application/json, with or without charset=utf-8", async () => {
  const body = JSON.stringify(createBody());
  for (const good of ["application/json", "application/json; charset=utf-8", "application/json;charset=UTF-8", "Application/JSON"]) {
    expect((await postAs(good, body)).status, good).toBe(201);
  }
  for (const bad of [null, "text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin1", "application/jsonp"]) {
    expectRefusal(await postAs(bad, body), 415, "unsupported_media_type");
  }
});

test("the content type is checked before the JSON", async () => {
  expectRefusal(await postAs("text/plain", "{"), 415, "unsupported_media_type");
});

test("without a body, and on GET, the content type is not looked at", async () => {
  const { tx_id } = await quote();
  expect((await postAs("text/plain", "", `${SETTLEMENTS}/${tx_id}/cancel`)).status).toBe(200);
  const read = () => draft({ method: "GET", target: `${SETTLEMENTS}/${tx_id}` });
  expect((await send(without(read(), "Content-Type"))).status).toBe(200);
  expect((await send(withHeader(read(), "Content-Type", "text/html"))).status).toBe(200);
});

test("the echo neither checks the content type nor reads the body, not even as UTF-8", async () => {
  const bodies = [Buffer.from([0xff, 0x00, 0xfe]), Buffer.from("{"), Buffer.from("\ufeff{}"), Buffer.alloc(0)];
  for (const body of bodies) {
    const answer = await send(withHeader(draft({ body }), "Content-Type", "text/plain"));
    expect(readJson(answer)).toMatchObject({ body_length: body.length, body_sha256: createHash("sha256").update(body).digest("hex") });
  }
});

test("a POST takes no query", async () => {
  const { tx_id } = await quote();
  for (const target of [`${SETTLEMENTS}?dry_run=1`, `${SETTLEMENTS}/cancel?tx_id=${tx_id}`, `${SETTLEMENTS}/${tx_id}/cancel?force=1`]) {
    expectFault(await partner.post(target, target === SETTLEMENTS ? createBody() : { tx_id }), "validation_failed", {
      parameter: /\?(\w+)/.exec(target)?.[1] ?? "",
    });
  }
});
