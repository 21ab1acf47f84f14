import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { newNonce, signingBytes, signRequest } from "../src/signing.ts";

const { vectors } = JSON.parse(readFileSync("docs/signing-vectors.json", "utf8"));

describe("the published signing vectors", () => {
  for (const { name, secret, signature, signing_string, ...parts } of vectors) {
    it(name, async () => {
      expect(new TextDecoder().decode(signingBytes(parts))).toBe(signing_string);
      expect(await signRequest(secret, parts)).toBe(signature);
    });
  }
});

it("signs and verifies where WebCrypto is not a global, as in Node 18", async () => {
  const own = Object.getOwnPropertyDescriptor(globalThis, "crypto");
  Object.defineProperty(globalThis, "crypto", { value: undefined, configurable: true });
  try {
    const [{ secret, signature, ...parts }] = vectors;
    expect(await signRequest(secret, parts)).toBe(signature);
    expect(await newNonce()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
  } finally {
    Object.defineProperty(globalThis, "crypto", own ?? {});
  }
});
