import { createHash, randomBytes } from "node:crypto";

/** An invitation's link works for three days (real time), once. */
export const INVITATION_LIFETIME_MS = 72 * 3_600_000;

/** What the link carries, and the database only the hash of. */
export function newInvitationToken(): string {
  return `inv_${randomBytes(32).toString("base64url")}`;
}

export function invitationTokenHash(token: string): string {
  return createHash("sha256").update(token, "utf8").digest("hex");
}
