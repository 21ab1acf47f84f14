import type { Header } from "#sandbox/client/exchange.ts";
import type { Random } from "./random.ts";

/** Requests that nobody should send, well enough formed that a client can. */

export type Place = { surface: "settlement" | "partner" | "console" | "pages"; method: string; target: string };
export type Bad = Place & { headers: Header[]; body: Buffer | undefined };

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "PROPFIND", "TRACE"];
const MEDIA = [
  "application/json",
  "text/plain",
  "application/xml",
  "multipart/form-data; boundary=x",
  "application/json; charset=utf-16",
  "",
  "a/b/c",
];
const WORDS: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  1e-7,
  0.1,
  2 ** 53,
  "",
  " ",
  "\u0000",
  "\ud800",
  "💥",
  "ä".repeat(300),
  "9".repeat(400),
  "__proto__",
  "constructor",
  "'; drop table settlements; --",
  "{{7*7}}",
  "../../etc/passwd",
  "%00",
  "NaN",
  [],
  {},
  [[]],
  [null],
  "tx_00000000000000000000000000",
  "00000000-0000-4000-8000-000000000000",
  "eip155:31337",
  "KES",
  "2026-13-45T99:99:99Z",
  "0x",
];
const KEYS = [
  "source_amount",
  "source_currency",
  "destination_currency",
  "external_merchant_id",
  "chain",
  "wallet_address",
  "callback_url",
  "external_tx_id",
  "expected_destination_amount",
  "reason",
  "note",
  "email",
  "password",
  "amount",
  "currency",
  "limit",
  "cursor",
  "id",
  "json",
  "0",
  "__proto__",
  "constructor",
  "toString",
  "",
  "a".repeat(2_000),
];
const SEGMENTS = ["x", "%00", "%2e%2e", "%ff", "a".repeat(3_000), "tx_00000000000000000000000000", "-1", "null", "%F0%9F%92%A5", ";", "*"];
const ODD_HEADERS: readonly Header[] = [
  ["Accept", "*/*;q=x"],
  ["Accept-Language", "xx-invalid-".repeat(50)],
  ["Cookie", `next-auth.session-token=${"a.".repeat(900)}`],
  ["Cookie", "=;;;=; x"],
  ["Origin", "null"],
  ["Origin", "http://elsewhere.example"],
  ["X-Forwarded-For", "not an address, 1.2.3.4, ::::"],
  ["X-Forwarded-Host", "elsewhere.example"],
  ["Idempotency-Key", "k".repeat(3_000)],
  ["Content-Encoding", "gzip"],
  ["Range", "bytes=9-1"],
  ["If-None-Match", "*"],
  ["Next-Action", "x".repeat(40)],
  ["RSC", "1"],
  ["Next-Router-State-Tree", "%7B"],
  ["trpc-batch-mode", "stream"],
  ["Upgrade", "websocket"],
];

/** Any JSON, as deep as it comes. */
export function anything(random: Random, depth = 0): unknown {
  const kind = random.below(depth > 3 ? 1 : 4);
  if (kind <= 1) return random.pick(WORDS);
  const size = random.below(5);
  if (kind === 2) return Array.from({ length: size }, () => anything(random, depth + 1));
  return Object.fromEntries(Array.from({ length: size }, () => [random.pick(KEYS), anything(random, depth + 1)]));
}

function bodyOf(random: Random): Buffer | undefined {
  const kinds: readonly (() => Buffer | undefined)[] = [
    () => undefined,
    () => Buffer.from(JSON.stringify(anything(random))),
    () => Buffer.from(JSON.stringify({ [random.pick(KEYS)]: anything(random), [random.pick(KEYS)]: anything(random) })),
    () => Buffer.from(JSON.stringify(anything(random)).slice(0, random.below(40))),
    () => Buffer.from(`${"[".repeat(random.below(5_000))}1`),
    () => Buffer.from(random.hex(random.below(200)), "hex"),
    () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{"a":1}')]),
    () => Buffer.from('{"a":1,"a":2,"__proto__":{"x":1}}'),
    () => Buffer.alloc(random.pick([70_000, 300_000]), "a"),
    () => Buffer.from(`{"source_amount":1${"0".repeat(random.below(500))}}`),
  ];
  return random.pick(kinds)();
}

function targetOf(random: Random, target: string): string {
  const path = target.replace(/\{\w+\}/g, () => random.pick(SEGMENTS));
  const kind = random.below(6);
  if (kind === 0) return `${path}/${random.pick(SEGMENTS)}`;
  if (kind === 1)
    return `${path}?${random.pick(["limit=-1", "limit=1e9", "cursor=%ff", "a=1&a=2", "=", "%", "&".repeat(500), "status[]=x", "input=%7B", "batch=1"])}`;
  if (kind === 2)
    return `${path}?${encodeURIComponent(random.pick(KEYS).slice(0, 50))}=${encodeURIComponent(JSON.stringify(anything(random)).slice(0, 500).toWellFormed())}`;
  return path;
}

export function badRequest(random: Random, place: Place): Bad {
  const target = targetOf(random, place.target);
  const input =
    place.surface === "console" && random.chance(0.5)
      ? `${target.includes("?") ? "&" : "?"}input=${encodeURIComponent(JSON.stringify(anything(random)).slice(0, 1_500).toWellFormed())}`
      : "";
  const method = random.chance(0.8) ? place.method : random.pick(METHODS);
  const headers: Header[] = random.chance(0.4) ? [random.pick(ODD_HEADERS)] : [];
  if (random.chance(0.3)) headers.push(["Content-Type", random.pick(MEDIA)]);
  const body = ["GET", "HEAD", "TRACE"].includes(method) && random.chance(0.9) ? undefined : bodyOf(random);
  return { ...place, method, target: target + input, headers, body };
}

/** Bytes that no client would write. */
export function oddBytes(random: Random, target: string): Buffer {
  const kinds: readonly (() => string)[] = [
    () => `GET ${target} HTTP/1.1\r\n\r\n`,
    () => `GET ${target} HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`,
    () => `GET ${target} HTTP/9.9\r\nHost: a\r\n\r\n`,
    () => `${"G".repeat(random.below(3_000))} ${target} HTTP/1.1\r\nHost: a\r\n\r\n`,
    () => `POST ${target} HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    () => `POST ${target} HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n`,
    () => `POST ${target} HTTP/1.1\r\nHost: a\r\nContent-Length: 1e3\r\n\r\n`,
    () => `POST ${target} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\nx\r\n0\r\n\r\n`,
    () => `POST ${target} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    () => `GET ${target} HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(40_000)}\r\n\r\n`,
    () => `GET ${target} HTTP/1.1\r\nHost: a\r\n${"X: y\r\n".repeat(3_000)}\r\n`,
    () => `GET ${target} HTTP/1.1\r\nHost: a\r\n folded: x\r\n\r\n`,
    () => `GET ${target} HTTP/1.1\r\nHost: a\r\nX: a\u0000b\r\n\r\n`,
    () => `GET http://elsewhere.example${target} HTTP/1.1\r\nHost: a\r\n\r\n`,
    () => `GET //${target} HTTP/1.1\r\nHost: a\r\n\r\n`,
    () => `GET ${target}\\..\\x HTTP/1.1\r\nHost: a\r\n\r\n`,
    () => `CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: a\r\n\r\n`,
    () => `OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n`,
    () => `GET ${target} HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\n\r\n`,
    () => `GET ${target} HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabc`,
    () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    () => `\u0016\u0003\u0001${random.hex(40)}`,
    () => random.hex(200),
  ];
  return Buffer.from(random.pick(kinds)(), "latin1");
}
