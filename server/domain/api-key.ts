import { createHash, randomBytes } from "node:crypto";
import type { Scope } from "./access.ts";

/** An API key as the surfaces judge it. Times are real time. */
export type ApiKey = {
  id: string;
  name: string;
  /** null: an operator's key. */
  partner: KeyHolder | null;
  lastFour: string;
  sealedSecret: string;
  scopes: readonly Scope[];
  /** Addresses and CIDR ranges; empty: any. */
  allowedIps: readonly string[];
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  lastUsedAddress: string | null;
};

/** What a key's partner brings along for every request. */
export type KeyHolder = {
  id: string;
  status: "active" | "suspended";
  /** Requests a second; null: the service's own limit; 0: none. */
  writesPerSecond: number | null;
  readsPerSecond: number | null;
};

/** Which kind of installation a key was issued by; it stands in the key and is what a person sees first. */
export type KeyMode = "live" | "test";

const RANDOM_BYTES = 24;
const FORM = /^key_(?:live|test)_[A-Za-z0-9_-]{32}$/;

/** A new key and its secret, 192 random bits each. */
export function newKeyPair(mode: KeyMode): { apiKey: string; apiSecret: string } {
  const random = () => randomBytes(RANDOM_BYTES).toString("base64url");
  return { apiKey: `key_${mode}_${random()}`, apiSecret: `sec_${mode}_${random()}` };
}

/** Whether a text could be a key at all: what could not is unknown without a look at the database. */
export function hasKeyForm(text: string): boolean {
  return FORM.test(text);
}

/** How a key is stored and found (contract, part 3). The key is long and random, so a plain hash is enough. */
export function keyHash(apiKey: string): string {
  return createHash("sha256").update(apiKey).digest("hex");
}

/** Neither revoked nor expired. At the very instant `expiresAt` a key has expired. */
export function isInForce(key: Pick<ApiKey, "expiresAt" | "revokedAt">, now: Date): boolean {
  const ended = (at: Date | null) => at !== null && at.getTime() <= now.getTime();
  return !ended(key.revokedAt) && !ended(key.expiresAt);
}
