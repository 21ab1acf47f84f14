import { randomBytes } from "node:crypto";

/** An address that nobody has the key of, of that ending. */
export function walletOfNobody(ending = ""): string {
  // A last zero: an ending that means something to a sandbox is only had by asking for it.
  const digits = `${randomBytes(20).toString("hex").slice(0, 39)}0`;
  return `0x${digits.slice(0, 40 - ending.length)}${ending}`;
}
