import { describe, expect, it } from "vitest";
import { matchTotp, totpCode } from "./totp.ts";

/** RFC 6238, appendix B: the last six of its eight digits. */
const SECRET = Buffer.from("12345678901234567890");
const VECTORS: readonly (readonly [number, string])[] = [
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
];

describe("one-time codes", () => {
  it("are those of RFC 6238", () => {
    for (const [seconds, code] of VECTORS) expect(totpCode(SECRET, Math.floor(seconds / 30))).toBe(code);
  });

  it("hold in their own half minute and in the one before and after, and name the half minute they belong to", () => {
    const at = (seconds: number) => new Date(seconds * 1_000);
    expect(matchTotp(SECRET, "081804", at(1_111_111_109))).toBe(37_037_036);
    expect(matchTotp(SECRET, "081804", at(1_111_111_109 + 30))).toBe(37_037_036);
    expect(matchTotp(SECRET, "081804", at(1_111_111_109 - 30))).toBe(37_037_036);
    expect(matchTotp(SECRET, "081804", at(1_111_111_109 + 60))).toBeNull();
  });

  it("are six digits and nothing else", () => {
    for (const text of ["", "28708", "2870820", "28708a", " 287082", "287082\n"]) {
      expect(matchTotp(SECRET, text, new Date(59_000))).toBeNull();
    }
  });
});
