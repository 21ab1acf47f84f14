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

/** What browsers and devices are asked and answer for passkeys (WebAuthn), under the address that the installation has. */
export type Passkeys = {
  /** Why there can be none here, as a public sentence; null when there can. */
  unavailable: string | null;
  /** What the browser needs to have a device make a key. `known`: those that are not to be made twice. */
  askNew(person: { id: string; email: string; name: string }, known: readonly KnownPasskey[]): Promise<PasskeyOptions>;
  /** The key, when the answer is a device's to that challenge, given at our address by somebody whom it recognised; otherwise null. */
  readNew(answer: unknown, challenge: string): Promise<NewPasskey | null>;
  /** What the browser needs to have one of these keys sign that challenge; null: a new one. */
  askProof(known: readonly KnownPasskey[], challenge: string | null): Promise<PasskeyOptions>;
  /** How the device says that its key's name is; null for what is no answer at all. */
  nameOf(answer: unknown): string | null;
  /** What the device says of the key now, when it has signed that challenge at our address for somebody whom it recognised; otherwise null. */
  readProof(answer: unknown, challenge: string, key: KeptPasskey): Promise<{ signCount: number; backedUp: boolean } | null>;
};

/** Brought back with what the device has signed: 256 random bits, kept hashed. */
export function newTicket(): string {
  return randomBytes(32).toString("base64url");
}

export function ticketHash(ticket: string): string {
  return createHash("sha256").update(ticket, "utf8").digest("hex");
}
