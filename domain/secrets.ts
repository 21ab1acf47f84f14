import { createHash, randomBytes } from "node:crypto";
import { base32 } from "./totp.ts";

const FORM = /^tok_[A-Za-z0-9_-]{43}$/;

/** A new access token: 256 random bits without meaning. */
export function newAccessToken(): string {
  return `tok_${randomBytes(32).toString("base64url")}`;
}

/** Whether a text has the form of a token. Any other text is unknown without a query. */
export function hasTokenForm(text: string): boolean {
  return FORM.test(text);
}

/** How a token is stored and found. It is long and random, so a plain hash is enough. */
export function accessTokenHash(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

const COUNT = 10;
const GROUP = /.{4}/g;

/** Ten codes of 120 random bits each, in groups of four as people copy them: `ABCD-EFGH-…`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () => (base32(randomBytes(15)).match(GROUP) ?? []).join("-"));
}

/** The code's stored hash, however it was typed; null for a text of another form. */
export function recoveryCodeHash(typed: string): string | null {
  const letters = typed.toUpperCase().replaceAll(/[\s-]/g, "");
  // Codes of before 1.2.0 are shorter.
  if (!/^(?:[A-Z2-7]{16}|[A-Z2-7]{24})$/.test(letters)) return null;
  return createHash("sha256").update(letters).digest("hex");
}

/** An invitation's link works for three days (real time), once. */
export const INVITATION_LIFETIME_MS = 72 * 3_600_000;

/** What the link carries, and the database only the hash of. */
export function newInvitationToken(): string {
  return `inv_${randomBytes(32).toString("base64url")}`;
}

export function invitationTokenHash(token: string): string {
  return createHash("sha256").update(token, "utf8").digest("hex");
}
