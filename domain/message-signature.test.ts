import { createHmac, createPublicKey, verify } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type HttpMessage, messageSignatureMatches, readMessageSignature, signatureBase } from "./message-signature.ts";
import { type InnerList, isInnerList, parseDictionary } from "./structured-fields.ts";

/** RFC 9421, appendix B.2: the request that all of its examples sign. */
const DIGEST = "sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:";
const REQUEST: HttpMessage = {
  method: "POST",
  scheme: "https",
  path: "/foo",
  query: "param=Value&Pet=dog",
  body: Buffer.from('{"hello": "world"}'),
  headers: new Map([
    ["host", ["example.com"]],
    ["date", ["Tue, 20 Apr 2021 02:07:55 GMT"]],
    ["content-type", ["application/json"]],
    ["content-digest", [DIGEST]],
    ["content-length", ["18"]],
  ]),
};
const SHARED_SECRET = "uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ==";

function inputOf(text: string): InnerList {
  const [member] = [...(parseDictionary(text)?.values() ?? [])];
  if (member === undefined || !isInnerList(member)) throw new Error(`${text} is no Signature-Input`);
  return member;
}
const baseOf = (text: string) => String(signatureBase(REQUEST, inputOf(text)));

describe("the signature bases of RFC 9421, appendix B.2", () => {
  it("B.2.1: nothing but the parameters", () => {
    const params = '();created=1618884473;keyid="test-key-rsa-pss";nonce="b3k2pp5k7z-50gnwp.yemd"';
    expect(baseOf(`sig-b21=${params}`)).toBe(`"@signature-params": ${params}`);
  });

  it("B.2.2: some components, a parameter of the query among them", () => {
    const params =
      '("@authority" "content-digest" "@query-param";name="Pet");created=1618884473;keyid="test-key-rsa-pss";tag="header-example"';
    const lines = ['"@authority": example.com', `"content-digest": ${DIGEST}`, '"@query-param";name="Pet": dog'];
    expect(baseOf(`sig-b22=${params}`)).toBe([...lines, `"@signature-params": ${params}`].join("\n"));
  });

  it("B.2.3: all of them", () => {
    const params =
      '("date" "@method" "@path" "@query" "@authority" "content-type" "content-digest" "content-length");created=1618884473;keyid="test-key-rsa-pss"';
    expect(baseOf(`sig-b23=${params}`)).toBe(
      [
        '"date": Tue, 20 Apr 2021 02:07:55 GMT',
        '"@method": POST',
        '"@path": /foo',
        '"@query": ?param=Value&Pet=dog',
        '"@authority": example.com',
        '"content-type": application/json',
        `"content-digest": ${DIGEST}`,
        '"content-length": 18',
        `"@signature-params": ${params}`,
      ].join("\n"),
    );
  });

  it("of a field whose value begins or ends with more than spaces and tabs: those are no white space of HTTP", () => {
    const message = { ...REQUEST, headers: new Map([...REQUEST.headers, ["date", ["\u00a0 today\u00a0", " \ttoday\t "]]]) };
    const base = signatureBase(message, inputOf('sig=("date")'));
    const [line] = (typeof base === "string" ? base : base.toString("latin1")).split("\n");
    expect(line).toBe('"date": \u00a0 today\u00a0, today');
  });

  it("B.2.5: under hmac-sha256, to the very bytes of the signature", () => {
    const base = baseOf('sig-b25=("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret"');
    const signature = createHmac("sha256", Buffer.from(SHARED_SECRET, "base64")).update(base).digest("base64");
    expect(signature).toBe("pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=");
  });

  it("B.2.6: as the RFC's Ed25519 signature proves", () => {
    const params = '("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"';
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: "JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs" }, format: "jwk" });
    const signature = "wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==";
    expect(verify(null, Buffer.from(baseOf(`sig-b26=${params}`)), key, Buffer.from(signature, "base64"))).toBe(true);
  });
});

const COVERED = '("@method" "@target-uri" "content-digest")';
const PARAMS = ';created=1618884473;nonce="3f0c1d52-9b1e-4c68-8a83-0b3a4c1f0e11";keyid="key_test_1";alg="hmac-sha256"';

function signed(covered = COVERED, params = PARAMS, message = REQUEST): HttpMessage {
  const input = `sig1=${covered}${params}`;
  const signature = createHmac("sha256", "sec_1")
    .update(signatureBase(message, inputOf(input)))
    .digest("base64");
  return { ...message, headers: new Map([...message.headers, ["signature-input", [input]], ["signature", [`sig1=:${signature}:`]]]) };
}
const isKey = (text: string) => text.startsWith("key_test_");
const read = (message: HttpMessage) => readMessageSignature(message, isKey);
const holds = (message: HttpMessage) => {
  const parsed = read(message);
  return parsed?.wrong === null && messageSignatureMatches("sec_1", parsed.message);
};

describe("a signed message", () => {
  it("is read with its key, time and nonce, and holds", () => {
    expect(read(signed())).toMatchObject({ keyId: "key_test_1", created: "1618884473", nonce: "3f0c1d52-9b1e-4c68-8a83-0b3a4c1f0e11" });
    expect(holds(signed())).toBe(true);
    expect(holds(signed('("@method" "@path" "@query" "content-digest")'))).toBe(true);
    expect(holds(signed('("@method" "@request-target" "@scheme" "content-digest" "content-type")'))).toBe(true);
    expect(holds(signed('("@method" "@path")', PARAMS, { ...REQUEST, query: "", body: Buffer.alloc(0) }))).toBe(true);
    expect(holds({ ...signed(), method: "POST", headers: new Map([...signed().headers, ["host", ["EXAMPLE.com:443"]]]) })).toBe(true);
  });

  it("does not hold once anything of it is another", () => {
    const message = signed();
    const other = (change: Partial<HttpMessage>) => holds({ ...message, ...change });
    const header = (name: string, value: string) => other({ headers: new Map([...message.headers, [name, [value]]]) });
    expect(other({ method: "PUT" })).toBe(false);
    expect(other({ path: "/bar" })).toBe(false);
    expect(other({ query: "param=Value&Pet=cat" })).toBe(false);
    expect(other({ scheme: "http" })).toBe(false);
    expect(other({ body: Buffer.from('{"hello": "worlds"}') })).toBe(false);
    expect(header("host", "evil.example")).toBe(false);
    expect(header("content-digest", DIGEST.replace("WZDP", "WZDQ"))).toBe(false);
    expect(header("content-digest", "md5=:AAAA:")).toBe(false);
    expect(header("signature", "sig1=:AAAA:")).toBe(false);
    const [input = ""] = message.headers.get("signature-input") ?? [];
    expect(header("signature-input", input.replace("1618884473", "1618884474"))).toBe(false);
    expect(header("signature-input", input.replace("0e11", "0e12"))).toBe(false);
  });

  it("must cover what the five headers sign: a query or a body that is added is not let in by leaving it out", () => {
    const bare = signed('("@method" "@path")', PARAMS, { ...REQUEST, query: "", body: Buffer.alloc(0) });
    expect(read({ ...bare, query: "status=executed" })).toMatchObject({ wrong: expect.stringContaining("@query") });
    expect(read({ ...bare, body: Buffer.from("{}") })).toMatchObject({ wrong: expect.stringContaining("content-digest") });
    for (const covered of ["()", '("@target-uri" "content-digest")', '("@method" "content-digest")', '("@method" "@target-uri")'])
      expect(read(signed(covered)), covered).toMatchObject({ wrong: expect.stringMatching(/does not cover/) });
    expect(read(signed('("@method" "@query" "content-digest")'))).toMatchObject({ wrong: expect.stringContaining("@path") });
    expect(read(signed('("@method" "@target-uri" "content-digest" "@query-param";name="Pet")'))).toMatchObject({ wrong: null });
  });

  it("is wrong where its parameters or components are not what is known here", () => {
    const wrongs: [string, string][] = [
      [COVERED, PARAMS.replace("hmac-sha256", "ed25519")],
      [COVERED, PARAMS.replace(";created=1618884473", "")],
      [COVERED, PARAMS.replace(/;nonce="[^"]*"/, "")],
      [COVERED, `${PARAMS};expires="soon"`],
    ];
    for (const [covered, params] of wrongs) expect(read(signed(covered, params)), params).toMatchObject({ wrong: expect.any(String) });
    const named = (covered: string) => {
      const headers = new Map([...signed().headers, ["signature-input", [`sig1=${covered}${PARAMS}`]]]);
      return read({ ...REQUEST, headers })?.wrong;
    };
    for (const odd of ['"@status"', '"x-absent"', '"content-type";sf', '"@method"', '"@nothing"', "7"])
      expect(named(`("@method" "@target-uri" "content-digest" ${odd})`), odd).toMatch(/names/);
    const many = Array.from({ length: 40 }, (_, index) => `"@query-param";name="${index}"`).join(" ");
    expect(named(`("@method" "@target-uri" "content-digest" ${many})`)).toMatch(/more than 32/);
    const two = `sig1=${COVERED}${PARAMS}, sig2=${COVERED}${PARAMS}`;
    expect(read({ ...REQUEST, headers: new Map([...REQUEST.headers, ["signature-input", [two]]]) })?.wrong).toMatch(/two/);
    const unsigned = new Map([...signed().headers].filter(([name]) => name !== "signature"));
    expect(read({ ...REQUEST, headers: unsigned })?.wrong).toMatch(/no bytes/);
  });

  it("belongs to no key where no keyid is a key of ours, or nothing can be read", () => {
    const nobody = [
      "",
      "sig1=",
      'sig1=("@method")',
      'sig1=("@method");keyid="crawler"',
      'sig1=("@method";keyid="key_test_1"',
      "sig1=(@method)",
      'sig1="x"',
    ];
    for (const text of nobody) expect(read({ ...REQUEST, headers: new Map([["signature-input", [text]]]) }), text).toBeNull();
    expect(read(REQUEST)).toBeNull();
  });

  it("may appear next to a proxy's own", () => {
    const message = signed();
    const headers = new Map(message.headers);
    headers.set("signature-input", ['proxy=("@authority");keyid="edge"', ...(headers.get("signature-input") ?? [])]);
    headers.set("signature", ["proxy=:AAAA:", ...(headers.get("signature") ?? [])]);
    expect(holds({ ...message, headers })).toBe(true);
  });
});
