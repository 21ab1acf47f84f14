import { execFileSync } from "node:child_process";
import { createPublicKey, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "./canonical-json.ts";
import { openProofKeys } from "./proof.ts";
import { type Claims, type ProofJwk, verifyProof } from "./verify-proof.ts";

const ISSUER = "https://pay.example";
const older = { id: "2025", key: randomBytes(32) };
const newer = { id: "2026", key: randomBytes(32) };
const keys = openProofKeys(ISSUER, [newer, older]);
const CLAIMS: Claims = { tx_id: "stl_1", iss: ISSUER, iat: 1_700_000_000, amount: "0.1", tx_hash: null, "\u00e9": "ß" };

function signed(claims = CLAIMS, by = keys): string {
  return by.sign?.("receipt", claims) ?? "";
}

describe("a proof", () => {
  it("shows what was signed to anyone who has the public keys, and the same claims give the same proof", async () => {
    expect(await verifyProof(signed(), keys.jwks)).toEqual({ valid: true, type: "receipt", kid: "2026", claims: CLAIMS });
    expect(signed(Object.fromEntries(Object.entries(CLAIMS).toReversed()))).toBe(signed());
  });

  it("of a key that no longer signs is believed, of one that is gone is not", async () => {
    const then = signed(CLAIMS, openProofKeys(ISSUER, [older]));
    expect(await verifyProof(then, keys.jwks)).toMatchObject({ valid: true, kid: "2025" });
    expect(await verifyProof(then, openProofKeys(ISSUER, [newer]).jwks)).toEqual({
      valid: false,
      reason: "No key of this issuer is called 2025.",
    });
  });

  it("of which any character was changed is refused", async () => {
    const proof = signed();
    await fc.assert(
      fc.asyncProperty(fc.nat(proof.length - 1), fc.constantFrom(..."ABcd01-_.{"), async (at, character) => {
        fc.pre(proof[at] !== character);
        const changed = `${proof.slice(0, at)}${character}${proof.slice(at + 1)}`;
        expect((await verifyProof(changed, keys.jwks)).valid).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  it("is not to be had by naming another algorithm, or none", async () => {
    const [, body] = signed().split(".");
    for (const alg of ["none", "HS256", "ES256"]) {
      const head = Buffer.from(JSON.stringify({ alg, kid: "2026", typ: "settlement-receipt+jws" })).toString("base64url");
      expect((await verifyProof(`${head}.${body}.`, keys.jwks)).valid).toBe(false);
    }
  });

  it("is what OpenSSL, which knows nothing of us, holds for a signature of that key", () => {
    const folder = mkdtempSync(join(tmpdir(), "proof-"));
    try {
      const [head, body, signature = ""] = signed().split(".");
      const jwk = keys.jwks.keys[0] as ProofJwk;
      writeFileSync(join(folder, "key.pem"), createPublicKey({ key: { ...jwk }, format: "jwk" }).export({ format: "pem", type: "spki" }));
      writeFileSync(join(folder, "text"), `${head}.${body}`);
      writeFileSync(join(folder, "signature"), Buffer.from(signature, "base64url"));
      const args = ["pkeyutl", "-verify", "-pubin", "-inkey", "key.pem", "-rawin", "-in", "text", "-sigfile", "signature"];
      expect(execFileSync("openssl", args, { cwd: folder, encoding: "utf8" })).toContain("Verified Successfully");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("is not signed where there is no key", () => {
    expect(openProofKeys(ISSUER, [])).toMatchObject({ sign: null, jwks: { keys: [] } });
  });
});

it("canonical JSON orders names by their code units and adds no blanks (RFC 8785, 3.2.3)", () => {
  const names = {
    "\u20ac": "Euro Sign",
    "\r": "Carriage Return",
    "\ufb33": "Hebrew Letter Dalet With Dagesh",
    "1": "One",
    "\u0080": "Control",
    "\u00f6": "Latin Small Letter O With Diaeresis",
  };
  expect(canonicalJson({ ...names, "\u{1f600}": "Emoji" })).toBe(
    '{"\\r":"Carriage Return","1":"One","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis","\u20ac":"Euro Sign","\u{1f600}":"Emoji","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
  );
});
