import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createVault } from "./vault.ts";

const first = { id: "2026-11", key: randomBytes(32) };
const second = { id: "2027-01", key: randomBytes(32) };

describe("the vault", () => {
  it("opens what it sealed, and never seals the same text twice alike", () => {
    const vault = createVault([first]);
    const sealed = vault.seal("sec_test_ünïcode");
    expect(vault.open(sealed)).toBe("sec_test_ünïcode");
    expect(vault.seal("sec_test_ünïcode")).not.toBe(sealed);
    expect(sealed).not.toContain("sec_test");
  });

  it("opens after a rotation what was sealed before it, and seals under the new key", () => {
    const before = createVault([first]).seal("secret");
    const rotated = createVault([second, first]);
    expect(rotated.open(before)).toBe("secret");
    expect(rotated.seal("secret")).toContain(".2027-01.");
    expect(() => createVault([second]).open(before)).toThrow("2026-11");
  });

  it("refuses a text in which anything was changed", () => {
    const vault = createVault([first, { ...second, key: first.key }]);
    const sealed = vault.seal("secret");
    const [version, id, iv = "", body = ""] = sealed.split(".");
    const flipped = Buffer.from(body, "base64url");
    flipped.writeUInt8(flipped.readUInt8(0) ^ 1, 0);
    for (const forged of [
      `${version}.${id}.${iv}.${flipped.toString("base64url")}`,
      `${version}.${second.id}.${iv}.${body}`,
      `${version}.${id}.${randomBytes(12).toString("base64url")}.${body}`,
      `${version}.${id}.${iv}.${body.slice(0, 10)}`,
      `${version}.${id}.${iv}.`,
      "",
    ]) {
      expect(() => vault.open(forged)).toThrow();
    }
  });
});
