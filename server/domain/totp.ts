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

/** The half minute that the code belongs to, if it is right about now; null when it is not. Whether it was used before is not asked here. */
export function matchTotp(secret: Uint8Array, code: string, now: Date): number | null {
  if (!new RegExp(`^\\d{${DIGITS}}$`).test(code)) return null;
  const current = Math.floor(now.getTime() / 1_000 / STEP_SECONDS);
  for (let step = current - DRIFT_STEPS; step <= current + DRIFT_STEPS; step += 1) {
    if (timingSafeEqual(Buffer.from(totpCode(secret, step)), Buffer.from(code))) return step;
  }
  return null;
}
