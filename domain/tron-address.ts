import { createHash } from "node:crypto";
import { createBase58check } from "@scure/base";

const base58check = createBase58check((bytes) => createHash("sha256").update(bytes).digest());

/** The first byte of every Tron address, on the main network and on the test networks. */
const PREFIX = 0x41;

/** The 20 bytes of a Tron address, as contracts and events have them: `0x` and lower case. @throws Error for any other text */
export function hexOfTron(address: string): `0x${string}` {
  const bytes = base58check.decode(address);
  if (bytes.length !== 21 || bytes[0] !== PREFIX) throw new Error("a Tron address has 21 bytes and begins with 41");
  return `0x${Buffer.from(bytes.subarray(1)).toString("hex")}`;
}

/** Whether a text is a Tron address with its checksum. */
export function isTronAddress(text: string): boolean {
  try {
    hexOfTron(text);
    return true;
  } catch {
    return false;
  }
}

const TRON_LIKE = /^T[1-9A-HJ-NP-Za-km-z]{33}$/;

/** Whether a text looks like a Tron address and is none: it has a checksum, so a wrong letter shows. */
export function isDamagedTron(text: string): boolean {
  return TRON_LIKE.test(text) && !isTronAddress(text);
}

/** The Tron address (base58check) of 20 bytes. */
export function tronOfHex(hex: string): string {
  const bytes = Buffer.from(hex.replace(/^0x/, ""), "hex");
  if (bytes.length !== 20) throw new Error("the address of a contract or a key has 20 bytes");
  return base58check.encode(Uint8Array.of(PREFIX, ...bytes));
}
