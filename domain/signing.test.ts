import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { type SignedRequest, sign, signatureMatches, signingString, webhookSignature } from "./signing.ts";

const nothing = Buffer.alloc(0);
const request: SignedRequest = { timestamp: "1795226400", method: "GET", path: "/api/v1/settlements", query: "", body: nothing };

type Vector = Omit<SignedRequest, "body"> & { name: string; secret: string; body: string; signing_string: string; signature: string };
const published: { vectors: Vector[] } = JSON.parse(readFileSync(new URL("../docs/signing-vectors.json", import.meta.url), "utf8"));

describe("signingString", () => {
  it("joins the five components with single newlines, also where the query and the body are empty", () => {
    expect(signingString(request).toString()).toBe("1795226400\nGET\n/api/v1/settlements\n\n");
  });

  it("writes the method in upper case", () => {
    expect(signingString({ ...request, method: "post" }).toString()).toContain("\nPOST\n");
  });

  it("leaves path and query as they were on the wire", () => {
    const wire = { path: "/a//b%2f%2F/../c", query: "a=%7e&&b='+c%20d&=&?" };
    expect(signingString({ ...request, ...wire }).toString()).toBe("1795226400\nGET\n/a//b%2f%2F/../c\na=%7e&&b='+c%20d&=&?\n");
  });

  it("takes bytes beyond ASCII in the target one for one", () => {
    expect([...signingString({ ...request, query: Buffer.from("é").toString("latin1") }).subarray(-3)]).toEqual([0xc3, 0xa9, 0x0a]);
  });

  it("refuses a target that is not bytes, which would otherwise be cut down to another one", () => {
    expect(() => signingString({ ...request, path: "/\u0161" })).toThrow(RangeError);
  });

  it("ends with the body's very bytes, UTF-8 or not", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (body) => {
        expect(Buffer.compare(signingString({ ...request, body }), Buffer.concat([signingString(request), body]))).toBe(0);
      }),
    );
  });
});

describe("sign", () => {
  /** RFC 4231, cases 1 to 7: our own use of HMAC would not sign these messages, so they check the building block. */
  it.each([
    ["0b".repeat(20), Buffer.from("Hi There"), "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"],
    [
      Buffer.from("Jefe").toString("hex"),
      Buffer.from("what do ya want for nothing?"),
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    ],
    ["aa".repeat(20), Buffer.alloc(50, 0xdd), "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"],
    [
      Buffer.from(Array.from({ length: 25 }, (_, index) => index + 1)).toString("hex"),
      Buffer.alloc(50, 0xcd),
      "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
    ],
    [
      "aa".repeat(131),
      Buffer.from("Test Using Larger Than Block-Size Key - Hash Key First"),
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
    ],
  ])("is the HMAC-SHA256 of RFC 4231 (key %s)", (key, message, expected) => {
    expect(createHmac("sha256", Buffer.from(key, "hex")).update(message).digest("hex")).toBe(expected);
  });

  it("is HMAC as RFC 2104 defines it, from SHA-256 alone, over the signing string", () => {
    const hash = (...parts: Uint8Array[]) => createHash("sha256").update(Buffer.concat(parts)).digest();
    const handwritten = (secret: string, message: Uint8Array) => {
      const bytes = Buffer.from(secret, "utf8");
      const key = Buffer.concat([bytes.length > 64 ? hash(bytes) : bytes, Buffer.alloc(64)]).subarray(0, 64);
      return hash(
        key.map((byte) => byte ^ 0x5c),
        hash(
          key.map((byte) => byte ^ 0x36),
          message,
        ),
      ).toString("hex");
    };
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 200, unit: "binary" }), fc.uint8Array(), (secret, body) => {
        expect(sign(secret, { ...request, body })).toBe(handwritten(secret, signingString({ ...request, body })));
      }),
    );
  });

  it("takes the UTF-8 bytes of the secret as issued for the key: hex or base64 in it is not decoded", () => {
    expect(sign("00ff", request)).not.toBe(createHmac("sha256", Buffer.from("00ff", "hex")).update(signingString(request)).digest("hex"));
    expect(sign("sécret", request)).toBe(
      createHmac("sha256", Buffer.from([0x73, 0xc3, 0xa9, 0x63, 0x72, 0x65, 0x74]))
        .update(signingString(request))
        .digest("hex"),
    );
  });
});

describe("the published vectors", () => {
  it("are there, each under its own name, no two with one signature", () => {
    expect(published.vectors.length).toBeGreaterThanOrEqual(20);
    expect(new Set(published.vectors.map((vector) => vector.name)).size).toBe(published.vectors.length);
    expect(new Set(published.vectors.map((vector) => vector.signature)).size).toBe(published.vectors.length);
  });

  it.each(published.vectors)("verify: $name", ({ secret, signature, signing_string, body, ...rest }) => {
    const vector = { ...rest, body: Buffer.from(body, "utf8") };
    expect(signingString(vector).toString("utf8")).toBe(signing_string);
    expect(sign(secret, vector)).toBe(signature);
    expect(signatureMatches(secret, vector, signature)).toBe(true);
  });
});

describe("signatureMatches", () => {
  const secret = "sec_test_1";
  const signature = sign(secret, request);

  it("takes hex in either case, and mixed", () => {
    expect(signatureMatches(secret, request, signature.toUpperCase())).toBe(true);
    expect(signatureMatches(secret, request, signature.slice(0, 32).toUpperCase() + signature.slice(32))).toBe(true);
  });

  it.each([
    ["nothing", ""],
    ["a truncated one", signature.slice(0, 62)],
    ["half of it", signature.slice(0, 32)],
    ["one with more behind it", `${signature}00`],
    ["one with a line end", `${signature}\n`],
    ["one with a space before it", ` ${signature.slice(1)}`],
    ["one that is not hex", `${signature.slice(0, 63)}g`],
    ["base64 of the right bytes", Buffer.from(signature, "hex").toString("base64")],
    ["digits that only look like hex", "\uff11".repeat(64)],
  ])("refuses %s", (_, wrong) => {
    expect(signatureMatches(secret, request, wrong)).toBe(false);
  });

  it("refuses the signature once any one bit of it is another", () => {
    for (let bit = 0; bit < 256; bit += 1) {
      const bytes = Buffer.from(signature, "hex");
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(signatureMatches(secret, request, bytes.toString("hex"))).toBe(false);
    }
  });

  it.each([
    ["timestamp", { timestamp: "1795226401" }],
    ["method", { method: "POST" }],
    ["path", { path: "/api/v1/settlements/" }],
    ["query", { query: "limit=1" }],
    ["body", { body: Buffer.from(" ") }],
  ])("refuses another %s", (_, change) => {
    expect(signatureMatches(secret, { ...request, ...change }, signature)).toBe(false);
  });

  it("refuses another secret", () => {
    expect(signatureMatches("sec_test_2", request, signature)).toBe(false);
  });
});

describe("webhookSignature", () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  const id = "cb_06f8m3k2r9n4v7q1s5t8w2x6y0";

  it("is what the Standard Webhooks library makes of it, and verifies there", () => {
    const now = Math.floor(Date.now() / 1_000);
    const body = JSON.stringify({ tx_id: "tx_1", note: "Ñandú 🦁" });
    const signature = webhookSignature(secret, id, now, body);
    expect(signature).toBe(new Webhook(secret).sign(id, new Date(now * 1_000), body));
    const headers = { "webhook-id": id, "webhook-timestamp": String(now), "webhook-signature": signature };
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
  });

  it("is one of two that a receiver accepts while a rotation overlaps", () => {
    const now = Math.floor(Date.now() / 1_000);
    const other = `whsec_${Buffer.alloc(24, 9).toString("base64")}`;
    const both = [other, secret].map((each) => webhookSignature(each, id, now, "{}")).join(" ");
    const headers = { "webhook-id": id, "webhook-timestamp": String(now), "webhook-signature": both };
    for (const each of [secret, other]) expect(new Webhook(each).verify("{}", headers)).toEqual({});
  });

  it("is the published one of the scheme's own example", () => {
    const example = webhookSignature(
      "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
      "msg_p5jXN8AQM9LWM0D4loKWxJek",
      1_614_265_330,
      '{"test": 2432232314}',
    );
    expect(example).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  });

  it("is the same for text and for its bytes", () => {
    expect(webhookSignature(secret, id, 1, "ü")).toBe(webhookSignature(secret, id, 1, Buffer.from("ü")));
  });

  it.each(["", "whsec_", "whsec_***", "whsec_abc", "sec_test_abcd", "whsec_YWJjZA== "])("takes the secret %j for a defect", (wrong) => {
    expect(() => webhookSignature(wrong, id, 1, "{}")).toThrow(RangeError);
  });
});
