import { generateKeyPairSync } from "node:crypto";
import { base58 } from "@scure/base";
import { describe, expect, it } from "vitest";
import { isEd25519Key } from "./ed25519-point.ts";

const hex = (text: string) => Uint8Array.from(Buffer.from(text, "hex"));

describe("an Ed25519 public key", () => {
  it("is what a key pair has", () => {
    for (let made = 0; made < 50; made += 1) {
      const { publicKey } = generateKeyPairSync("ed25519");
      const { x = "" } = publicKey.export({ format: "jwk" });
      expect(isEd25519Key(Buffer.from(x, "base64url"))).toBe(true);
    }
  });

  it.each([
    ["d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "RFC 8032, test 1"],
    ["3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "RFC 8032, test 2"],
    ["278117fc144c72340f67d0f2316e8386ceffbf2b2428c9c51fef7c597f1d426e", "RFC 8032, test 1024"],
  ])("%s is one: %s", (key) => expect(isEd25519Key(hex(key))).toBe(true));

  it.each([
    "9fmAU34wjuR6b6mGCiVWZxQNTnEo2BLabnV72wnSKs7z",
    "DVeYPmCfhMkJZncU78pXvYNBqZ36o3Qezd3BuBkwTg7h",
    "Ao2rQvHLU9xuoKtUxHrnND9cwv55b3vHHoNedx6u3eqA",
    "3PoQZGeSqAemAcWkz92A7tZzeLe8fhuVvcZ18nPDNt1u",
  ])("is not %s, an associated token account", (address) => expect(isEd25519Key(base58.decode(address))).toBe(false));

  it.each([
    ["0000000000000000000000000000000000000000000000000000000000000000", "order 4"],
    ["0000000000000000000000000000000000000000000000000000000000000080", "order 4, the other x"],
    ["0100000000000000000000000000000000000000000000000000000000000000", "the neutral point"],
    ["0100000000000000000000000000000000000000000000000000000000000080", "the neutral point with a sign"],
    ["ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", "order 2"],
    ["26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05", "order 8"],
    ["26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85", "order 8, the other x"],
    ["c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a", "order 8"],
    ["c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa", "order 8, the other x"],
    ["edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", "y = p, which is 0 in its second encoding"],
    ["ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", "above p"],
    ["0200000000000000000000000000000000000000000000000000000000000000", "y = 2 has no x"],
  ])("%s is none: %s", (key) => expect(isEd25519Key(hex(key))).toBe(false));

  it("has 32 bytes", () => {
    const key = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
    for (const other of [key.slice(2), `${key}00`, `00${key}`, ""]) expect(isEd25519Key(hex(other))).toBe(false);
  });
});
