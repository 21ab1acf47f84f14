import { describe, expect, it } from "vitest";
import { createPasswords } from "./passwords.ts";

const passwords = createPasswords();

describe("passwords", () => {
  it("verify against what was stored of them; without a stored password none does", async () => {
    const stored = await passwords.hash("correct horse battery staple");
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$/);
    expect(await passwords.verify(stored, "correct horse battery staple")).toBe(true);
    expect(await passwords.verify(stored, "correct horse battery stable")).toBe(false);
    expect(await passwords.verify(null, "correct horse battery staple")).toBe(false);
  });

  it("take as long for a person who does not exist as for one who does", async () => {
    const stored = await passwords.hash("correct horse battery staple");
    await passwords.verify(null, "warm");
    const timeOf = async (of: string | null) => {
      const began = performance.now();
      await passwords.verify(of, "not the password");
      return performance.now() - began;
    };
    // In turns, and the shortest of each: what a busy machine adds is in the longer ones.
    let [known, unknown] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let round = 0; round < 15; round += 1) {
      known = Math.min(known, await timeOf(stored));
      unknown = Math.min(unknown, await timeOf(null));
    }
    expect(unknown).toBeGreaterThan(known / 3);
    expect(unknown).toBeLessThan(known * 3);
  });

  it("are hashed a few at a time, and beyond a full queue nobody waits", async () => {
    const many = await Promise.allSettled(Array.from({ length: 100 }, () => passwords.hash("x")));
    const refused = many.filter((each) => each.status === "rejected");
    expect(refused).toHaveLength(100 - 4 - 64);
    for (const each of refused) expect(each.reason).toMatchObject({ name: "Unreachable" });
  });

  it("are called weak when they are common, repeated, typed in a row, or made of what is known of the person", async () => {
    for (const weak of [
      "password1234",
      "Password123!",
      "qwertyuiop12",
      "aaaaaaaaaaaa",
      "administrator1",
      "123456789012",
      "ada.lovelace1",
    ]) {
      expect(await passwords.weakness(weak, ["ada.lovelace@example.com"])).toMatch(/easily guessed/);
    }
    for (const strong of ["correct horse battery staple", "7hUq-2kd9_Lzx", "vellum-otter-92-quay"]) {
      expect(await passwords.weakness(strong, ["ada.lovelace@example.com"])).toBeNull();
    }
  });
});
