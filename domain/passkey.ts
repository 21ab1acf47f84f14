import { createHash, randomBytes } from "node:crypto";
import { canonicalJson } from "./canonical-json.ts";
import { challengeOf, type SignatureParts } from "./signed-decision.ts";

/** How long (real time) a device may take to sign its challenge. */
export const CHALLENGE_LIFETIME_MS = 2 * 60_000;
/** Nobody needs more, and each is a door. */
export const MOST_PASSKEYS = 10;

/** How a device names its key, and how the browser reaches it. */
export type KnownPasskey = { credentialId: string; transports: readonly string[] };
/** The stored part of a key, for verifying its signatures. */
export type KeptPasskey = KnownPasskey & { publicKey: string; signCount: number };
/** A device's answer to a registration. */
export type NewPasskey = KeptPasskey & { aaguid: string; syncs: boolean; backedUp: boolean };

/** The browser's input for its device: plain JSON, with the challenge in it. */
export type PasskeyOptions = { readonly challenge: string };

/** The protocol with browsers and devices for passkeys (WebAuthn), under the installation's address. */
export type Passkeys = {
  /** Why there can be none here, as a public sentence; null when there can. */
  unavailable: string | null;
  /** The browser's options for a registration. `known`: keys that must not be registered twice. */
  askNew(person: { id: string; email: string; name: string }, known: readonly KnownPasskey[]): Promise<PasskeyOptions>;
  /** The key, when the answer is a device's to that challenge, given at our address by somebody whom it recognised; otherwise null. */
  readNew(answer: unknown, challenge: string): Promise<NewPasskey | null>;
  /** The browser's options for signing that challenge with one of these keys; null: a new one. */
  askProof(known: readonly KnownPasskey[], challenge: string | null): Promise<PasskeyOptions>;
  /** The name of the device's key, and what it signed; null for a malformed answer. */
  partsOf(answer: unknown): SignatureParts | null;
  /** Whether the owner of that key signed that challenge at that address, whenever it was. */
  verifyKept(parts: SignatureParts, challenge: string, key: { publicKey: string; origin: string }): Promise<boolean>;
  /** Whether the settings trust that person's key; left out: they trust all of the register. */
  trusts?(person: string, publicKey: string): boolean;
  /** The device's new key data, if it has signed that challenge at our address and verified its user; otherwise null. */
  readProof(answer: unknown, challenge: string, key: KeptPasskey): Promise<{ signCount: number; backedUp: boolean } | null>;
};

/** What the signer's settings call a person's key: SHA-256 of both. */
export function passkeyFingerprint(person: string, publicKey: string): string {
  return challengeOf(canonicalJson({ person, public_key: publicKey }));
}

/** Returned with the device's signature: 256 random bits, stored hashed. */
export function newTicket(): string {
  return randomBytes(32).toString("base64url");
}

export function ticketHash(ticket: string): string {
  return createHash("sha256").update(ticket, "utf8").digest("hex");
}
