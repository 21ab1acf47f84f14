import { createHash, createHmac, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { sign } from "#domain/signing.ts";
import { nameSignatureMistake } from "./mistakes.ts";
import type { RefusedSignature } from "./search.ts";

const SECRET = "sec_test_Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4";
const OTHER_SECRET = "sec_test_another-secret-of-the-same-one";
const BODY =
  '{"source_amount":1000000,"source_currency":"KES","wallet_address":"0xAb","callback_url":"https://shop.example/cb","note":"Café"}';
const WRITE = { timestamp: "1763700000", method: "POST", path: "/api/v1/settlements", query: "", body: Buffer.from(BODY) };
const READ = {
  timestamp: "1763700000",
  method: "GET",
  path: "/api/v1/settlements",
  query: "status=executed&created_from=2026-01-01T00%3A00%3A00Z&limit=5",
  body: Buffer.alloc(0),
};

type Request = typeof WRITE;
const hmac = (message: string | Buffer, { key = SECRET, hash = "sha256" }: { key?: string | Buffer; hash?: string } = {}) =>
  createHmac(hash, key).update(message).digest();
const text = ({ timestamp, method, path, query, body }: Request) => [timestamp, method, path, query, body.toString("utf8")];
const signed = (request: Request, changed: Partial<Record<keyof Request, string>>) =>
  hmac(text({ ...request, ...changed, body: Buffer.from(changed.body ?? request.body) }).join("\n")).toString("hex");
const tree = JSON.parse(BODY);
const sorted = Object.fromEntries(Object.entries(tree).toSorted(([one], [other]) => (one < other ? -1 : 1)));
const spaced = (json: string) => json.replaceAll('":', '": ').replaceAll(/,"/g, ', "');

function judge(request: Request, signature: string, more: Partial<RefusedSignature> = {}) {
  const about = {
    host: "pay.example",
    nonce: "0b0c7a3e-6f0e-4f5e-9d52-0d3c4b0c9b11",
    otherSecrets: [{ name: "the key “Shop”", secret: OTHER_SECRET }],
  };
  return nameSignatureMistake({ request, secret: SECRET, signature, signedWithApiKey: false, ...about, ...more });
}

const FORGED: [id: string, request: Request, signature: string][] = [
  ["timestamp_in_milliseconds", WRITE, signed(WRITE, { timestamp: "1763700000417" })],
  ["timestamp_differs_from_header", WRITE, signed(WRITE, { timestamp: "1763699998" })],
  ["timestamp_as_iso", WRITE, signed(WRITE, { timestamp: new Date(1_763_700_000_000).toISOString() })],
  ["method_in_lower_case", WRITE, signed(WRITE, { method: "post" })],
  ["method_capitalised", WRITE, signed(WRITE, { method: "Post" })],
  ["path_without_prefix", WRITE, signed(WRITE, { path: "/settlements" })],
  ["path_with_prefix_twice", WRITE, signed(WRITE, { path: "/api/v1/api/v1/settlements" })],
  ["path_with_origin", WRITE, signed(WRITE, { path: "https://pay.example/api/v1/settlements" })],
  ["path_with_query", READ, signed(READ, { path: `${READ.path}?${READ.query}`, query: "" })],
  ["path_without_first_slash", WRITE, signed(WRITE, { path: "api/v1/settlements" })],
  ["path_with_other_last_slash", WRITE, signed(WRITE, { path: "/api/v1/settlements/" })],
  ["path_decoded", { ...WRITE, path: "/api/v1/a%20b" }, signed(WRITE, { path: "/api/v1/a b" })],
  ["query_with_question_mark", READ, signed(READ, { query: `?${READ.query}` })],
  ["query_left_out", READ, signed(READ, { query: "" })],
  ["query_decoded", READ, signed(READ, { query: decodeURIComponent(READ.query) })],
  ["query_encoded_otherwise", READ, signed(READ, { query: READ.query.replaceAll("%3A", "%3a") })],
  ["query_reordered", READ, signed(READ, { query: READ.query.split("&").toSorted().join("&") })],
  ["body_left_out", WRITE, signed(WRITE, { body: "" })],
  ["body_trailing_newline", WRITE, signed(WRITE, { body: `${BODY}\n` })],
  ["body_without_trailing_newline", { ...WRITE, body: Buffer.from(`${BODY}\n`) }, signed(WRITE, { body: BODY })],
  ["body_line_ends", { ...WRITE, body: Buffer.from('{"a":\n1}') }, signed(WRITE, { body: '{"a":\r\n1}' })],
  ["body_compact", { ...WRITE, body: Buffer.from(JSON.stringify(tree, null, 2)) }, signed(WRITE, { body: BODY })],
  ["body_pretty", WRITE, signed(WRITE, { body: JSON.stringify(tree, null, 2) })],
  ["body_pretty_4", WRITE, signed(WRITE, { body: JSON.stringify(tree, null, 4) })],
  ["body_pretty_tab", WRITE, signed(WRITE, { body: JSON.stringify(tree, null, "\t") })],
  ["body_python_spaces", WRITE, signed(WRITE, { body: spaced(BODY) })],
  ["body_python_spaces", WRITE, signed(WRITE, { body: spaced(BODY).replace("é", "\\u00e9") })],
  ["body_sorted", WRITE, signed(WRITE, { body: JSON.stringify(sorted) })],
  ["body_unicode_escaped", WRITE, signed(WRITE, { body: BODY.replace("é", "\\u00e9") })],
  ["body_unicode_unescaped", { ...WRITE, body: Buffer.from(BODY.replace("é", "\\u00e9")) }, signed(WRITE, { body: BODY })],
  ["body_slashes_escaped", WRITE, signed(WRITE, { body: BODY.replaceAll("/", "\\/") })],
  ["body_slashes_unescaped", { ...WRITE, body: Buffer.from(BODY.replaceAll("/", "\\/")) }, signed(WRITE, { body: BODY })],
  ["body_quoted", WRITE, signed(WRITE, { body: JSON.stringify(BODY) })],
  ["body_empty_object", READ, signed(READ, { body: "{}" })],
  ["body_hashed", WRITE, signed(WRITE, { body: createHash("sha256").update(BODY).digest("hex") })],
  ["body_in_base64", WRITE, signed(WRITE, { body: Buffer.from(BODY).toString("base64") })],
  [
    "body_in_latin1",
    WRITE,
    hmac(Buffer.concat([Buffer.from(text(WRITE).slice(0, 4).join("\n")), Buffer.from(`\n${BODY}`, "latin1")])).toString("hex"),
  ],
  ["body_with_bom", WRITE, signed(WRITE, { body: `\ufeff${BODY}` })],
  ["joined_by_crlf", WRITE, hmac(text(WRITE).join("\r\n")).toString("hex")],
  ["joined_by_literal_backslash_n", WRITE, hmac(text(WRITE).join("\\n")).toString("hex")],
  ["joined_without_newlines", WRITE, hmac(text(WRITE).join("")).toString("hex")],
  ["joined_by_other_separator", WRITE, hmac(text(WRITE).join("|")).toString("hex")],
  ["components_in_other_order", WRITE, hmac([...text(WRITE).slice(1), WRITE.timestamp].join("\n")).toString("hex")],
  ["empty_components_dropped", WRITE, hmac(text(WRITE).filter(Boolean).join("\n")).toString("hex")],
  ["component_left_out", WRITE, hmac(text(WRITE).toSpliced(1, 1).join("\n")).toString("hex")],
  ["nonce_signed", WRITE, hmac(text(WRITE).toSpliced(1, 0, "0b0c7a3e-6f0e-4f5e-9d52-0d3c4b0c9b11").join("\n")).toString("hex")],
  ["line_break_around", READ, hmac(`\n${text(READ).join("\n")}`).toString("hex")],
  ["whitespace_in_secret", WRITE, hmac(text(WRITE).join("\n"), { key: `${SECRET}\n` }).toString("hex")],
  ["secret_in_quotes", WRITE, hmac(text(WRITE).join("\n"), { key: `"${SECRET}"` }).toString("hex")],
  ["secret_without_prefix", WRITE, hmac(text(WRITE).join("\n"), { key: SECRET.slice(9) }).toString("hex")],
  ["secret_decoded", WRITE, hmac(text(WRITE).join("\n"), { key: Buffer.from(SECRET.slice(9), "base64") }).toString("hex")],
  ["secret_hashed", WRITE, hmac(text(WRITE).join("\n"), { key: createHash("sha256").update(SECRET).digest("hex") }).toString("hex")],
  ["secret_empty", WRITE, hmac(text(WRITE).join("\n"), { key: "" }).toString("hex")],
  ["secret_of_another_key", WRITE, hmac(text(WRITE).join("\n"), { key: OTHER_SECRET }).toString("hex")],
  ["secret_and_message_swapped", WRITE, hmac(SECRET, { key: text(WRITE).join("\n") }).toString("hex")],
  [
    "plain_hash",
    WRITE,
    createHash("sha256")
      .update(SECRET + text(WRITE).join("\n"))
      .digest("hex"),
  ],
  ["other_hash", WRITE, hmac(text(WRITE).join("\n"), { hash: "sha512" }).toString("hex")],
  ["other_hash", WRITE, hmac(text(WRITE).join("\n"), { hash: "sha1" }).toString("hex")],
  ["signature_in_base64", WRITE, hmac(text(WRITE).join("\n")).toString("base64")],
  ["signature_in_base64", WRITE, hmac(text(WRITE).join("\n")).toString("base64url")],
  ["signature_hex_in_base64", WRITE, Buffer.from(hmac(text(WRITE).join("\n")).toString("hex")).toString("base64")],
  ["signature_decorated", WRITE, `sha256=${hmac(text(WRITE).join("\n")).toString("hex")}`],
];

describe("the signature debugger", () => {
  it.each(FORGED)("names %s, and nothing else", (id, request, signature) => {
    const { outcome, mistakes, sentence } = judge(request, signature);
    expect(mistakes.map((mistake) => mistake.id)).toEqual([id]);
    expect(outcome).toBe("mistake");
    expect(sentence).toMatch(/^The signature matches if .+\.$/);
    const printed = JSON.stringify([mistakes, sentence]);
    for (const hidden of [SECRET, OTHER_SECRET, sign(SECRET, request)]) expect(printed).not.toContain(hidden);
  });

  it("names two mistakes that were made at once", () => {
    const signature = signed(WRITE, { path: "/settlements", body: JSON.stringify(tree, null, 2) });
    expect(judge(WRITE, signature).sentence).toBe(
      "The signature matches if the path was signed without /api/v1, and the body was signed pretty-printed, indented by 2 spaces.",
    );
    const inBase64 = Buffer.from(signed(WRITE, { method: "post" }), "hex").toString("base64");
    expect(judge(WRITE, inBase64).mistakes.map(({ id }) => id)).toEqual(["method_in_lower_case", "signature_in_base64"]);
  });

  it("names the API key where it was used as the secret", () => {
    expect(judge(WRITE, "00".repeat(32), { signedWithApiKey: true }).mistakes[0]?.id).toBe("api_key_as_secret");
  });

  it("says of a right signature that it is right, in capitals too", () => {
    expect(judge(WRITE, sign(SECRET, WRITE)).outcome).toBe("right");
    expect(judge(WRITE, sign(SECRET, WRITE).toUpperCase()).outcome).toBe("right");
  });

  it("says of a random signature that no common mistake matched", () => {
    for (const request of [WRITE, READ])
      expect(judge(request, randomBytes(32).toString("hex")).sentence).toMatch(/^No common mistake matched\./);
  });

  it("bears a body of any kind, the longest too, and a signature of any form", () => {
    const bodies = [
      Buffer.from("{"),
      Buffer.from([0xff, 0, 0xc3]),
      Buffer.from("[".repeat(65_536)),
      Buffer.alloc(65_536, "é"),
      Buffer.from('{"a":"]"}'),
    ];
    for (const body of bodies) expect(judge({ ...WRITE, body }, randomBytes(32).toString("hex")).outcome).toBe("unknown");
    for (const signature of ["", "=", "zz", "é", "a".repeat(10_000)])
      expect(judge(WRITE, signature).mistakes[0]?.id).toBe("signature_of_no_form");
  });

  it("keeps numbers the digits they are when it lays JSON out again", () => {
    const body = '{"a":12345678901234567890,"b":1.0,"c":1e2,"d":[],"e":{},"f":[1,{"g":null}]}';
    const pretty =
      '{\n  "a": 12345678901234567890,\n  "b": 1.0,\n  "c": 1e2,\n  "d": [],\n  "e": {},\n  "f": [\n    1,\n    {\n      "g": null\n    }\n  ]\n}';
    expect(judge({ ...WRITE, body: Buffer.from(body) }, signed(WRITE, { body: pretty })).mistakes[0]?.id).toBe("body_pretty");
  });
});
