import { findPartner } from "#db/queries/partners/partners.ts";
import { type By, type Scope, scopesOf } from "#domain/access.ts";
import {
  defaultScopes,
  defaultSignedManagement,
  isFreer,
  type KeyMode,
  type KeyRights,
  type SignedManagement,
  signsLess,
} from "#domain/api-key.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessProven } from "#domain/session.ts";
import type { Uses } from "#server/context.ts";
import { type CreatedApiKey, type DrawnKey, type DrawUp, drawUpKey, principalOf, saveKey } from "./issue-api-key.ts";
import { proposeKey } from "./propose-key.ts";

export type CreateApiKey = {
  by: By;
  mode: KeyMode;
  /** null: an operator's key. */
  partnerId: string | null;
  name: string;
  /** Left out: those of `defaultScopes`. */
  scopes?: readonly Scope[];
  /**
   * The issuing key, if a key issues it: an operator's cannot issue one with more rights than its own, and passes on its own limits by
   * default.
   */
  issuer?: KeyRights | null;
  /** Addresses and CIDR ranges; any when left out. */
  allowedIps?: readonly string[];
  /** Real time. */
  expiresAt?: Date | null;
  /** Left out: everything in live mode, and what an issuer itself has to sign. */
  signedManagement?: SignedManagement;
};

/**
 * Issues a key. Only the answer contains key and secret: the key is stored hashed, the secret encrypted. In live mode an operator's key,
 * and a partner's that the operator's side makes, wait for a second person.
 *
 * @throws Refusal `step_up_required`, `not_found` for an unknown partner, `validation_failed` for an expiry in the past or a scope of the
 * other side, `forbidden` for a key that would have more rights than its issuer.
 */
export async function createApiKey(ctx: Uses<"db" | "clock" | "vault" | "mode">, command: CreateApiKey): Promise<CreatedApiKey> {
  refuseUnlessProven(command.by, ctx.clock.now());
  const { partnerId, mode, name } = command;
  const issuer = partnerId === null ? (command.issuer ?? null) : null;
  const { allowedIps = issuer?.allowedIps ?? [], expiresAt = issuer?.expiresAt ?? null } = command;
  const scopes = command.scopes ?? defaultScopes(partnerId, mode).filter((scope) => issuer === null || issuer.scopes.includes(scope));
  const { signedManagement = defaultSigning(mode, issuer) } = command;
  refuseImpossible({ partnerId, scopes, expiresAt }, ctx.clock.now());
  if (issuer !== null) refuseFreer({ scopes, allowedIps, expiresAt, signedManagement }, issuer);
  const drawn = drawUpKey({ mode, partnerId, name, scopes, allowedIps, expiresAt, signedManagement });
  if (partnerId === null) return await proposeKey(ctx, command.by, drawn, null);
  if (ctx.mode === "live" && isOperators(command.by)) return await proposePartnerKey(ctx, command.by, drawn, partnerId);
  const issued = await ctx.db.transaction(async (tx) => {
    if ((await findPartner(tx, partnerId)) === null) throw new Refusal("not_found", { detail: "There is no such partner." });
    return await saveKey(tx, ctx, { by: command.by, madeBy: await principalOf(tx, command.by.actor), drawn });
  });
  return { ...issued, proposalId: null };
}

/** Whether somebody of the operator's side acts: what they make for a partner is the partner's to use. */
export function isOperators({ actor }: By): boolean {
  return actor.type === "operator_key" || (actor.type === "user" && actor.partnerId === null);
}

/** @throws Refusal `not_found`, `forbidden` for a key that changes something unsigned: only the partner may decide so */
async function proposePartnerKey(
  ctx: Uses<"db" | "clock" | "vault" | "mode">,
  by: By,
  drawn: DrawnKey,
  partnerId: string,
): Promise<CreatedApiKey> {
  if (drawn.signedManagement === false)
    throw new Refusal("forbidden", {
      detail: "A partner's key signs its changes. Only the partner's own people may make one that does not.",
    });
  const partner = await findPartner(ctx.db, partnerId);
  if (partner === null) throw new Refusal("not_found", { detail: "There is no such partner." });
  return await proposeKey(ctx, by, drawn, partner);
}

function defaultSigning(mode: KeyMode, issuer: KeyRights | null): SignedManagement {
  const usual = defaultSignedManagement(mode);
  return issuer !== null && signsLess(usual, issuer.signedManagement) ? issuer.signedManagement : usual;
}

function refuseImpossible({ partnerId, scopes, expiresAt }: Pick<DrawUp, "partnerId" | "scopes" | "expiresAt">, now: Date): void {
  const own = scopesOf(partnerId);
  const foreign = scopes.filter((scope) => !own.includes(scope));
  const errors = [
    ...(expiresAt !== null && expiresAt <= now
      ? [{ pointer: "/expires_at", code: "in_the_past" as const, message: "must be in the future" }]
      : []),
    ...(foreign.length > 0 ? [{ pointer: "/scopes", code: "wrong_side" as const, message: `must be some of ${own.join(", ")}` }] : []),
  ];
  if (errors.length > 0) throw new Refusal("validation_failed", { errors });
}

/** @throws Refusal `forbidden` for a key that has, or would have, more rights than the caller. */
export function refuseFreer(key: KeyRights, than: KeyRights): void {
  if (!isFreer(key, than)) return;
  throw new Refusal("forbidden", {
    detail: "The new key may not exceed the key that creates it, in scopes, addresses or lifetime, or by not signing.",
  });
}
