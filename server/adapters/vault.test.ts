import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { callbackSecretOf, keptAnswerOf, type SealedPlace, secretOfKey, totpDraftOf, totpSecretOf } from "#domain/sealed-place.ts";
import { createVault } from "./vault.ts";

const first = { id: "2026-11", key: randomBytes(32) };
const second = { id: "2027-01", key: randomBytes(32) };
const place = secretOfKey("k1");

describe("the vault", () => {
  it("opens what it sealed, and never seals the same text twice alike", () => {
    const vault = createVault([first]);
    const sealed = vault.seal("sec_test_ünïcode", place);
    expect(vault.open(sealed, place)).toBe("sec_test_ünïcode");
    expect(vault.seal("sec_test_ünïcode", place)).not.toBe(sealed);
    expect(sealed).not.toContain("sec_test");
  });

  it("opens after a rotation what was sealed before it, and seals under the new key", () => {
    const before = createVault([first]).seal("secret", place);
    const rotated = createVault([second, first]);
    expect(rotated.open(before, place)).toBe("secret");
    expect([rotated.isCurrent(before), rotated.isCurrent(rotated.seal("secret", place))]).toEqual([false, true]);
    expect(rotated.seal("secret", place)).toContain(".2027-01.");
    expect(() => createVault([second]).open(before, place)).toThrow("2026-11");
  });

  it("refuses a text in which anything was changed", () => {
    const vault = createVault([first, { ...second, key: first.key }]);
    const sealed = vault.seal("secret", place);
    const [version, id, iv = "", body = ""] = sealed.split(".");
    const flipped = Buffer.from(body, "base64url");
    flipped.writeUInt8(flipped.readUInt8(0) ^ 1, 0);
    for (const forged of [
      `${version}.${id}.${iv}.${flipped.toString("base64url")}`,
      `${version}.${second.id}.${iv}.${body}`,
      `v1.${id}.${iv}.${body}`,
      `${version}.${id}.${randomBytes(12).toString("base64url")}.${body}`,
      `${version}.${id}.${iv}.${body.slice(0, 10)}`,
      `${version}.${id}.${iv}.`,
      "",
    ]) {
      expect(() => vault.open(forged, place)).toThrow();
    }
  });

  it("opens a text nowhere but in the place that it was sealed for: another row, column or part of a row is another place", () => {
    const vault = createVault([first]);
    const answer = { ownerId: "k1", method: "POST", path: "/a", key: "b" };
    const places: SealedPlace[] = [
      secretOfKey("k1"),
      secretOfKey("k2"),
      callbackSecretOf("k1"),
      totpSecretOf("k1"),
      totpDraftOf("k1"),
      keptAnswerOf(answer),
      keptAnswerOf({ ...answer, ownerId: "k2" }),
      keptAnswerOf({ ...answer, key: "c" }),
      keptAnswerOf({ ...answer, path: '/a","b', key: "" }),
    ];
    for (const [index, home] of places.entries()) {
      const sealed = vault.seal("secret", home);
      for (const [other, elsewhere] of places.entries()) {
        if (other === index) expect(vault.open(sealed, elsewhere)).toBe("secret");
        else expect(() => vault.open(sealed, elsewhere)).toThrow();
      }
    }
  });

  it("opens what was sealed before there were places, calls it out of date, and seals so where the settings ask for it", () => {
    const before = createVault([first], { binds: false });
    const old = before.seal("secret", place);
    expect(old).toMatch(/^v1\./);
    const vault = createVault([first]);
    expect(vault.open(old, place)).toBe("secret");
    const bound = vault.seal("secret", place);
    expect([vault.isCurrent(old), before.isCurrent(bound), before.open(bound, place)]).toEqual([false, false, "secret"]);
  });
});
