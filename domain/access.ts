import { Refusal } from "./refusal.ts";
import type { DecisionSignature } from "./signed-decision.ts";

/** What a partner's API key may do on the surfaces (contract, part 9). */
export const SCOPES = ["settlements:read", "settlements:write", "partner:read", "partner:write"] as const;
/** What an operator's may (contract, part 10 "Keys"). */
export const OPERATOR_SCOPES = ["settlements:decide", "partners:admin", "treasury", "read"] as const;
export type PartnerScope = (typeof SCOPES)[number];
export type OperatorScope = (typeof OPERATOR_SCOPES)[number];
export type Scope = PartnerScope | OperatorScope;

/** How long an old key or callback secret may stay valid next to the new one. */
export const OVERLAPS_SECONDS = [0, 86_400, 604_800] as const;

/** The scopes that a key of that side, the operator's (null) or a partner's, can have. */
export function scopesOf(partnerId: string | null): readonly Scope[] {
  return partnerId === null ? OPERATOR_SCOPES : SCOPES;
}

/** Contract, part 7. Operator users have no partner, partner users have exactly one. */
export const OPERATOR_ROLES = ["admin", "approver", "viewer"] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];
export const PARTNER_STAFF_ROLES = ["owner", "staff"] as const;
export type PartnerStaffRole = (typeof PARTNER_STAFF_ROLES)[number];
export type UserRole = OperatorRole | PartnerStaffRole;

/** The actor. Every write names one, and the audit log records it. */
export type Actor =
  | { type: "api_key"; apiKeyId: string; partnerId: string }
  | { type: "operator_key"; apiKeyId: string }
  | { type: "user"; userId: string; role: UserRole; partnerId: string | null }
  | { type: "system" };

/** A signed-in user. */
export type Person = Extract<Actor, { type: "user" }>;

/** The actions that need an operator with the right role; never allowed to a partner's key or user. */
export type OperatorPermission = "decide_settlement" | "resend_callback" | "read" | "administer";

const OPERATOR_RIGHTS: Record<OperatorRole, readonly OperatorPermission[]> = {
  admin: ["decide_settlement", "resend_callback", "read", "administer"],
  approver: ["decide_settlement", "resend_callback", "read"],
  viewer: ["read"],
};

/** Whether the actor may do the operator's action (contract, part 7). An operator's API key may do everything. */
export function mayAsOperator(actor: Actor, permission: OperatorPermission): boolean {
  if (actor.type === "operator_key") return true;
  // What nobody decided in time, the service decides itself.
  if (actor.type === "system") return permission === "decide_settlement";
  if (actor.type !== "user" || actor.partnerId !== null) return false;
  return actor.role in OPERATOR_RIGHTS && OPERATOR_RIGHTS[actor.role as OperatorRole].includes(permission);
}

/** @throws Refusal `forbidden` unless {@link mayAsOperator}. */
export function refuseUnlessOperator(actor: Actor, permission: OperatorPermission): void {
  if (!mayAsOperator(actor, permission)) throw new Refusal("forbidden", { detail: "Your role does not include this." });
}

/** What a partner's people may do with their own partner's things. */
export type PartnerPermission = "read" | "resend_callback" | "manage_members" | "move_fiat" | "pay" | "manage_keys" | "manage_people";

const PARTNER_RIGHTS: Record<PartnerStaffRole, readonly PartnerPermission[]> = {
  owner: ["read", "resend_callback", "manage_members", "move_fiat", "pay", "manage_keys", "manage_people"],
  staff: ["read"],
};

/** Whether the actor is one of a partner's people whose role includes the action (contract, part 7). */
export function mayAsPartner(actor: Actor, permission: PartnerPermission): boolean {
  if (actor.type !== "user" || actor.partnerId === null) return false;
  return actor.role in PARTNER_RIGHTS && PARTNER_RIGHTS[actor.role as PartnerStaffRole].includes(permission);
}

/**
 * A resend beyond one partner (`partnerId` null) is an operator's action; within one, its keys' and its people's but the staff's.
 *
 * @throws Refusal `forbidden` (contract, part 7).
 */
export function refuseUnlessMayResend(actor: Actor, partnerId: string | null): void {
  if (partnerId === null) {
    refuseUnlessOperator(actor, "resend_callback");
    return;
  }
  const may = actor.type === "api_key" ? actor.partnerId === partnerId : mayAsPartner(actor, "resend_callback");
  if (!may && !mayAsOperator(actor, "resend_callback")) throw new Refusal("forbidden", { detail: "Your role does not include this." });
}

/** Whether somebody of that side, the operator's (null) or a partner's, can have the role. */
export function fitsSide(role: UserRole, partnerId: string | null): boolean {
  return role in OPERATOR_RIGHTS === (partnerId === null);
}

export type Permission = { permission: `operator:${OperatorPermission}` | `partner:${PartnerPermission}`; roles: readonly UserRole[] };

/** Which role may do what, as {@link mayAsOperator} and {@link mayAsPartner} decide it. */
export function listPermissions(): Permission[] {
  const operator = OPERATOR_RIGHTS.admin.map((permission) => ({
    permission: `operator:${permission}` as const,
    roles: OPERATOR_ROLES.filter((role) => OPERATOR_RIGHTS[role].includes(permission)),
  }));
  const partner = PARTNER_RIGHTS.owner.map((permission) => ({
    permission: `partner:${permission}` as const,
    roles: PARTNER_STAFF_ROLES.filter((role) => PARTNER_RIGHTS[role].includes(permission)),
  }));
  return [...operator, ...partner];
}

/** Who decides on other people's money. */
export function isDecider(role: UserRole): boolean {
  return role in OPERATOR_RIGHTS && OPERATOR_RIGHTS[role as OperatorRole].includes("decide_settlement");
}

/** When somebody last proved who they are (real time), and whether by a one-time or recovery code. */
export type Proof = { at: Date; byCode: boolean };

/**
 * The actor and the request, which a write records in the audit log. A person brings proof of recent authentication; without it, nothing is
 * proven. `signature`: of the decision, by the person's passkey.
 */
export type By = { actor: Actor; requestId: string | null; proof?: Proof | null; signature?: DecisionSignature | null };

/** As {@link By}, for a signed-in user. */
export type ByPerson = By & { actor: Person };

/** The service itself, without a person's decision. */
export const SYSTEM: By = { actor: { type: "system" }, requestId: null };

/** The actor in one word for `created_by` columns and the audit log: `user:…`, `operator_key:…`, `api_key:…`, `system`. */
export function actorId(actor: Actor): string | null {
  switch (actor.type) {
    case "api_key":
    case "operator_key":
      return actor.apiKeyId;
    case "user":
      return actor.userId;
    case "system":
      return null;
  }
}
