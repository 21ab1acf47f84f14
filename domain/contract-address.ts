import { keccak_256 } from "@noble/hashes/sha3.js";
import { checksumAddress } from "./wallet-address.ts";

/** The address of the contract that a sender's transaction of that nonce creates (CREATE): it is known before anything is mined. */
export function createdAddress(sender: string, nonce: number): string {
  const address = Buffer.from(sender.slice(2), "hex");
  const payload = Buffer.concat([rlpBytes(address), rlpBytes(minimalBytes(nonce))]);
  return addressOf(Buffer.concat([Buffer.from([0xc0 + payload.length]), payload]));
}

function addressOf(preimage: Uint8Array): string {
  return checksumAddress(`0x${Buffer.from(keccak_256(preimage)).subarray(12).toString("hex")}`);
}

/** Recursive length prefix of at most 55 bytes. */
function rlpBytes(bytes: Uint8Array): Uint8Array {
  const [first] = bytes;
  if (bytes.length === 1 && first !== undefined && first < 0x80) return bytes;
  return Buffer.concat([Buffer.from([0x80 + bytes.length]), bytes]);
}

function minimalBytes(value: number): Uint8Array {
  if (value === 0) return new Uint8Array();
  const digits = value.toString(16);
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, "hex");
}
