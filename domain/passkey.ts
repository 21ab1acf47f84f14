import { createHash, randomBytes } from "node:crypto";

/** For so long (real time) a device may take to sign what it was given. */
export const CHALLENGE_LIFETIME_MS = 2 * 60_000;
/** Nobody needs more, and each is a door. */
export const MOST_PASSKEYS = 10;

/** How a device names its key, and how the browser reaches it. */
export type KnownPasskey = { credentialId: string; transports: readonly string[] };
/** What is kept of a key to check what it signs. */
export type KeptPasskey = KnownPasskey & { publicKey: string; signCount: number };
/** What a device that was asked to make a key has made. */
export type NewPasskey = KeptPasskey & { aaguid: string; syncs: boolean; backedUp: boolean };

/** What a browser hands to its device: plain JSON, with the challenge in it. */
export type PasskeyOptions = { readonly challenge: string };

/** Brought back with what the device has signed: 256 random bits, kept hashed. */
export function newTicket(): string {
  return randomBytes(32).toString("base64url");
}

export function ticketHash(ticket: string): string {
  return createHash("sha256").update(ticket, "utf8").digest("hex");
}
