import { hash, randomBytes } from "node:crypto";
import type { PartnerScope, Scope } from "./access.ts";
import { scopesOf } from "./access.ts";

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
  /**
   * Whose decisions the key's count as where two people are needed: a person's id; null: the person who runs the machine. Irrelevant for a
   * partner's key.
   */
  madeBy: string | null;
  /** An operator's key whose person is disabled: it decides nothing. Left out in lists. */
  makerIsOut?: boolean;
  signedManagement: SignedManagement;
  /** The key that it took the place of. */
  rotatedFrom: string | null;
  /** The key that made or rotated it; it ends with that one. */
  madeByKey: string | null;
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  lastUsedAddress: string | null;
  /** When each operation was last called with it, by the operation's id: ISO 8601, true to the hour. */
  lastUses: Readonly<Record<string, string>>;
};

/**
 * What a key must sign on the partner-management surface: its changes (true), or whatever it asks. Alone, the key itself, which travels in
 * every request, can then only read there, or do nothing at all.
 */
export type SignedManagement = boolean | "all";

/** Whether a request of that kind must be signed. */
export function mustSign(signedManagement: SignedManagement, kind: "read" | "write"): boolean {
  return signedManagement === "all" || (signedManagement && kind === "write");
}

/** In live mode the key alone reads nothing either: members' names, phones and accounts are on that surface. */
export function defaultSignedManagement(mode: KeyMode): SignedManagement {
  return mode === "live" ? "all" : false;
}

/** What a key's partner brings along for every request. */
export type KeyHolder = {
  id: string;
  status: "active" | "suspended";
  /** Requests a second; null: the service's own limit; 0: none. */
  writesPerSecond: number | null;
  readsPerSecond: number | null;
};

/** The kind of installation that issued a key. It is at the beginning of the key, where people see it first. */
export type KeyMode = "live" | "test";

const RANDOM_BYTES = 24;
const FORM = /^key_(?:live|test)_[A-Za-z0-9_-]{32}$/;

/** A new key and its secret, 192 random bits each. */
export function newKeyPair(mode: KeyMode): { apiKey: string; apiSecret: string } {
  const random = () => randomBytes(RANDOM_BYTES).toString("base64url");
  return { apiKey: `key_${mode}_${random()}`, apiSecret: `sec_${mode}_${random()}` };
}

/** Whether a text has the form of a key. Any other text is unknown without a query. */
export function hasKeyForm(text: string): boolean {
  return FORM.test(text);
}

/** How a key is stored and found (contract, part 3). The key is long and random, so a plain hash is enough. */
export function keyHash(apiKey: string): string {
  return hash("sha256", apiKey);
}

/** Neither revoked nor expired. At the instant `expiresAt` a key has expired. */
export function isInForce(key: Pick<ApiKey, "expiresAt" | "revokedAt">, now: Date): boolean {
  const ended = (at: Date | null) => at !== null && at.getTime() <= now.getTime();
  return !ended(key.revokedAt) && !ended(key.expiresAt);
}

/** What a key may, from where and until when. */
export type KeyRights = Pick<ApiKey, "scopes" | "allowedIps" | "expiresAt" | "signedManagement">;

/** Whether one key may do what another may not: more, from elsewhere, for longer, or unsigned. Addresses are compared as they are written. */
export function isFreer(one: KeyRights, other: KeyRights): boolean {
  const mayMore = one.scopes.some((scope) => !other.scopes.includes(scope));
  const isWider =
    other.allowedIps.length > 0 && (one.allowedIps.length === 0 || one.allowedIps.some((each) => !other.allowedIps.includes(each)));
  const lastsLonger = other.expiresAt !== null && (one.expiresAt === null || one.expiresAt > other.expiresAt);
  return mayMore || isWider || lastsLonger || signsLess(one.signedManagement, other.signedManagement);
}

/** Whether a key may do unsigned what another one has to sign. */
export function signsLess(one: SignedManagement, other: SignedManagement): boolean {
  return (["read", "write"] as const).some((kind) => mustSign(other, kind) && !mustSign(one, kind));
}

/** The least privilege in live mode, unless asked for: an operator's key reads, and a partner's does not change the partner. */
const LIVE_SCOPES: readonly PartnerScope[] = ["settlements:read", "settlements:write", "partner:read"];

/** The scopes of a key for which none were named. */
export function defaultScopes(partnerId: string | null, mode: KeyMode): readonly Scope[] {
  if (mode === "test") return scopesOf(partnerId);
  return partnerId === null ? ["read"] : LIVE_SCOPES;
}
