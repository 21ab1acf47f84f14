import type { CallerKind } from "#contract/operation.ts";
import { actorId, type By, type Scope } from "#domain/access.ts";
import type { ApiKey } from "#domain/api-key.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Tenant } from "#server/context.ts";

/** A partner whose signed request was accepted. */
export type SignedCaller = {
  kind: "signed";
  partnerId: string;
  apiKeyId: string;
  by: By;
  /** The exact signed text. */
  timestamp: string;
  /** What its key may do. */
  scopes: readonly Scope[];
};
export type PartnerCaller = {
  kind: "partner";
  partnerId: string;
  apiKeyId: string;
  by: By;
  /** No other key may come out freer than this one. */
  key: ApiKey;
};
export type OperatorCaller = {
  kind: "operator";
  by: By;
  /** The key that was sent; null: an access token. */
  key: ApiKey | null;
  /** The access token that was sent; null: an API key. */
  tokenId: string | null;
};
/** Nobody in particular: it may be about to say who it is. */
type AnybodyCaller = { kind: "anybody"; address: string; requestId: string };
/** A fiat provider, known by its signature over the bytes. */
type ProviderCaller = { kind: "provider"; name: string };

/** Who an operation's steps are given, by who the contract says may call it (contract, parts 6 and 7). */
export type Callers = {
  signed: SignedCaller;
  partner: PartnerCaller;
  operator: OperatorCaller;
  both: PartnerCaller | OperatorCaller;
  anybody: AnybodyCaller;
  provider: ProviderCaller;
};
export type Caller = Callers[CallerKind];

/** Whether the contract allows such a caller. */
export function isFor<Kind extends CallerKind>(kind: Kind, caller: Caller): caller is Caller & Callers[Kind] {
  return caller.kind === kind || (kind === "both" && (caller.kind === "partner" || caller.kind === "operator"));
}

/** Whose things the caller may touch: a partner its own, the operator everybody's. */
export function tenantOf(caller: PartnerCaller | OperatorCaller): { partnerId?: string } {
  return caller.kind === "partner" ? { partnerId: caller.partnerId } : {};
}

/** The partner that a path names, if the caller may touch its things. Another partner is hidden. @throws Refusal `not_found` */
export function partnerAsked(caller: PartnerCaller | OperatorCaller, partnerId: string): string {
  const { partnerId: own = partnerId } = tenantOf(caller);
  if (own.toLowerCase() !== partnerId.toLowerCase()) throw new Refusal("not_found", { detail: "There is no such partner." });
  return partnerId.toLowerCase();
}

/**
 * The rows that the database shows while the caller is served, whatever a query asks: for a partner's caller that partner's, and for a person of the
 * operator's their own sessions, factors and tokens.
 */
export function rowsOf(caller: Caller): Tenant {
  if (caller.kind === "signed" || caller.kind === "partner") return { of: "partner", id: caller.partnerId };
  const actor = caller.kind === "operator" ? caller.by.actor : null;
  return { of: "everybody", ...(actor?.type === "user" && { person: actor.userId }) };
}

/** What an Idempotency-Key belongs to, and who calls with it. */
export type IdempotencyOwner = { ownerId: string; callerId: string };

/**
 * The owner of an Idempotency-Key; null: it is ignored for this caller. A partner's keys share one scope; each of the operator's people and
 * API keys has its own. A provider repeats by its order ids, and a log-in has no identity yet.
 */
export function idempotencyOwner(caller: Caller): IdempotencyOwner | null {
  switch (caller.kind) {
    case "signed":
    case "partner":
      return { ownerId: caller.partnerId, callerId: caller.apiKeyId };
    case "operator": {
      const id = actorId(caller.by.actor);
      return id === null ? null : { ownerId: id, callerId: id };
    }
    default:
      return null;
  }
}
