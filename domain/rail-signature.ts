import { createHmac, timingSafeEqual } from "node:crypto";

/** Separate from the fiat code that pages load: in a browser `node:crypto` would outweigh everything else. */

/** The hex HMAC-SHA512 of a body under the rail's secret: ours on what we send, the provider's on what it sends (contract, part 9). */
export function railSignature(secret: string, body: string | Uint8Array): string {
  return createHmac("sha512", Buffer.from(secret, "utf8")).update(body).digest("hex");
}

const HEX_SHA512 = /^[0-9a-fA-F]{128}$/;

/** Whether a signature is the body's, in constant time. Hex in either case; all 64 bytes or nothing. */
export function railSignatureMatches(secret: string, body: Uint8Array, signature: string): boolean {
  if (!HEX_SHA512.test(signature)) return false;
  return timingSafeEqual(Buffer.from(railSignature(secret, body), "hex"), Buffer.from(signature, "hex"));
}
