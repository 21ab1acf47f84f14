import { createHash, randomBytes } from "node:crypto";

/** A sign-in to the console ends this long after it began, whatever happens (real time). */
export const SESSION_LIFETIME_MS = 12 * 3_600_000;
/** And after this long without any use. */
export const SESSION_IDLE_MS = 2 * 3_600_000;

/** What the browser keeps, sealed, and the database only the hash of. */
export function newSessionSecret(): string {
  return randomBytes(32).toString("base64url");
}

export function sessionHash(secret: string): string {
  return createHash("sha256").update(secret, "utf8").digest("hex");
}
