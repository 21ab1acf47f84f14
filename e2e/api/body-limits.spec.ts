import { expect, test } from "@playwright/test";
import { expectRefusal } from "../support/answers.ts";
import { requestBytes, sendBytes } from "../support/raw.ts";
import { SETTLEMENTS } from "../support/settlements.ts";
import { draft, send } from "../support/signed.ts";

/** Contract, part 9: 64 KiB of body, counted before any signature is verified. */

const KIB_64 = 65_536;

test("64 KiB of body are read, one byte more is 413, before any signature is looked at", async () => {
  const whole = draft({ target: "/api/v1/echo", body: "x".repeat(KIB_64) });
  expect(JSON.parse((await send(whole)).text)).toMatchObject({ body_length: KIB_64 });
  const tooLarge = requestBytes("POST", SETTLEMENTS, [["Content-Length", String(KIB_64 + 1)]], "x".repeat(KIB_64 + 1));
  expectRefusal(await sendBytes(tooLarge), 413, "body_too_large");
});

test("a body that is announced too large is refused without being sent", async () => {
  expectRefusal(await sendBytes(requestBytes("POST", SETTLEMENTS, [["Content-Length", "104857600"]])), 413, "body_too_large");
});

test("a body in chunks is counted as it comes, and not read further", async () => {
  const chunk = `4000\r\n${"x".repeat(0x4000)}\r\n`;
  const bytes = requestBytes("POST", SETTLEMENTS, [["Transfer-Encoding", "chunked"]], chunk.repeat(5));
  expectRefusal(await sendBytes(bytes), 413, "body_too_large");
});

test("a body in chunks is signed as the bytes that it is", async () => {
  const body = '{"hello": 1}';
  const chunked = `${"5\r\n"}${body.slice(0, 5)}\r\n${(body.length - 5).toString(16)}\r\n${body.slice(5)}\r\n0\r\n\r\n`;
  const { headers } = draft({ body });
  const answer = await sendBytes(requestBytes("POST", "/api/v1/echo", [...headers, ["Transfer-Encoding", "chunked"]], chunked));
  expect(answer.status, answer.text).toBe(200);
  expect(JSON.parse(answer.text)).toMatchObject({ body_length: body.length });
});
