import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { signingBytes, signRequest } from "../src/signing.ts";

const { vectors } = JSON.parse(readFileSync("docs/signing-vectors.json", "utf8"));

describe("the published signing vectors", () => {
  for (const { name, secret, signature, signing_string, ...parts } of vectors) {
    it(name, async () => {
      expect(new TextDecoder().decode(signingBytes(parts))).toBe(signing_string);
      expect(await signRequest(secret, parts)).toBe(signature);
    });
  }
});
