import { createHash, randomBytes } from "node:crypto";

const FORM = /^tok_[A-Za-z0-9_-]{43}$/;

/** A new access token: 256 random bits, with no meaning of their own. */
export function newAccessToken(): string {
  return `tok_${randomBytes(32).toString("base64url")}`;
}

/** Whether a text could be a token at all: what could not is unknown without a look at the database. */
export function hasTokenForm(text: string): boolean {
  return FORM.test(text);
}

/** How a token is stored and found. It is long and random, so a plain hash is enough. */
export function accessTokenHash(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
