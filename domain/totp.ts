import { createHmac, timingSafeEqual } from "node:crypto";

const STEP_SECONDS = 30;
const DIGITS = 6;
/** A code may be typed late, or on a clock that is a little off: one half minute to either side (RFC 6238, part 5.2). */
const DRIFT_STEPS = 1;

/** The code of one half minute since 1970 under the secret's bytes (RFC 6238 with SHA-1, as authenticator apps do it). */
export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0x0f;
  const number = mac.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, "0");
}

/** The half minute of a code that is valid about now; null when it is not. Does not check whether it was used before. */
export function matchTotp(secret: Uint8Array, code: string, now: Date): number | null {
  if (!new RegExp(`^\\d{${DIGITS}}$`).test(code)) return null;
  const current = Math.floor(now.getTime() / 1_000 / STEP_SECONDS);
  for (let step = current - DRIFT_STEPS; step <= current + DRIFT_STEPS; step += 1) {
    if (timingSafeEqual(Buffer.from(totpCode(secret, step)), Buffer.from(code))) return step;
  }
  return null;
}

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** RFC 4648 without padding: how secrets are shown to people and put into links. */
export function base32(bytes: Uint8Array): string {
  let text = "";
  let held = 0;
  let bits = 0;
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) text += BASE32[(held >> (bits - 5)) & 31];
  }
  return bits === 0 ? text : text + BASE32[(held << (5 - bits)) & 31];
}

/** What an authenticator app reads out of the QR code: whose secret it is, and for which service. */
export function totpLink(secret: Uint8Array, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`;
}
