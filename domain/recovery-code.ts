import { createHash, randomBytes } from "node:crypto";
import { base32 } from "./totp.ts";

const COUNT = 10;
const GROUP = /.{4}/g;

/** Ten codes of 80 random bits each, in groups of four as people copy them: `ABCD-EFGH-IJKL-MNOP`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () => (base32(randomBytes(10)).match(GROUP) ?? []).join("-"));
}

/** The code's hash as it is stored, however it was typed; null for what is no such code. */
export function recoveryCodeHash(typed: string): string | null {
  const letters = typed.toUpperCase().replaceAll(/[\s-]/g, "");
  if (!/^[A-Z2-7]{16}$/.test(letters)) return null;
  return createHash("sha256").update(letters).digest("hex");
}
