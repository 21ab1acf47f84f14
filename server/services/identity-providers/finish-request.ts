import { randomUUID } from "node:crypto";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import {
  findIdentity,
  findSessionIdentity,
  type IdentityRequestRecord,
  insertIdentity,
  takeIdentityRequest,
} from "#db/queries/identity-providers/identities.ts";
import { findProvider, type ProviderInForce } from "#db/queries/identity-providers/providers.ts";
import { isKnownOrigin, saveOrigin } from "#db/queries/people/login-tries.ts";
import { markSteppedUp, type SessionHolder } from "#db/queries/people/sessions.ts";
import type { Proof } from "#domain/access.ts";
import { addressBlock } from "#domain/address-block.ts";
import { CLOCK_SKEW_SECONDS, type Claims, hashOf, requestSecretsOf } from "#domain/identity-provider.ts";
import { isSteppedUp, newSessionSecret, SESSION_LIFETIME_MS, sessionHash } from "#domain/session.ts";
import { isUuid } from "#domain/uuid.ts";
import type { Uses } from "#server/context.ts";
import { Rejected } from "#server/ports.ts";
import { enterSession } from "#server/services/people/sessions/enter-session.ts";
import { admitIdentity, endSessionsWithoutAccess, unknownPassword } from "./admit-identity.ts";
import { clientOf } from "./ask-provider.ts";
import { RefusedIdentity, recordRefused } from "./record-refused.ts";

export type FinishRequest = {
  /** Of the address that the answer came to. */
  providerId: string;
  /** What the browser brings; null: nothing. */
  secret: string | null;
  /** The answer as it came. */
  url: URL;
  baseUrl: string;
  /** Whose session the browser has. */
  holder: SessionHolder | null;
  client: { address: string; userAgent: string | null; requestId: string | null };
};
/** `session`: a new one, or the present one with a new secret; null: the session stays as it is. */
export type FinishedRequest = { target: string; session: { secret: string; expiresAt: Date } | null };

type Powers = Uses<"db" | "clock" | "mode" | "vault" | "passwords" | "identityProviders">;

/**
 * Finishes a request with a provider's answer. Every refusal is in the audit log with its reason, and looks alike from outside.
 *
 * @throws RefusedIdentity. Unreachable.
 */
export async function finishRequest(ctx: Powers, command: FinishRequest): Promise<FinishedRequest> {
  const provider = isUuid(command.providerId) ? await findProvider(ctx.db, { id: command.providerId }) : null;
  try {
    return await finish(ctx, provider, command);
  } catch (error) {
    const why = error instanceof RefusedIdentity || error instanceof Rejected ? error.message : null;
    if (why === null) throw error;
    await recordRefused(ctx, { provider, why, ...command.client });
    if (error instanceof Error && typeof error.cause === "string") await endSessionsWithoutAccess(ctx, error.cause);
    throw new RefusedIdentity(why);
  }
}

async function finish(ctx: Powers, provider: ProviderInForce | null, command: FinishRequest): Promise<FinishedRequest> {
  const { secret, url, baseUrl } = command;
  if (provider === null) throw new RefusedIdentity("there is no such provider");
  const request = secret === null ? null : await takeIdentityRequest(ctx.db, hashOf(secret));
  if (secret === null || request === null) throw new RefusedIdentity("nobody asked for this answer");
  if (request.expiresAt <= ctx.clock.now()) throw new RefusedIdentity("the answer came too late");
  if (request.providerId !== provider.id) throw new RefusedIdentity("another provider was asked");
  const { settings } = provider;
  const claims = await ctx.identityProviders.redeem({
    client: clientOf(ctx, provider, baseUrl),
    secrets: requestSecretsOf(secret),
    acr: settings.demandedAcr,
    freshly: request.purpose !== "sign_in",
    url,
    groupsClaim: settings.groupsClaim,
  });
  const finishing = { ...command, provider, request, claims };
  if (request.purpose === "sign_in") return await signIn(ctx, finishing);
  if (command.holder?.sessionId !== request.sessionId) throw new RefusedIdentity("another session asked");
  return request.purpose === "link" ? await link(ctx, finishing) : await stepUp(ctx, finishing);
}

type Finishing = FinishRequest & { provider: ProviderInForce; request: IdentityRequestRecord; claims: Claims };

/** Whether the provider proved the second factor that this company demands. */
function provesSecond({ provider, claims }: Pick<Finishing, "provider" | "claims">): boolean {
  return provider.settings.demandedAcr !== null && claims.acr === provider.settings.demandedAcr;
}

async function signIn(ctx: Powers, finishing: Finishing): Promise<FinishedRequest> {
  const { provider, claims, client, request } = finishing;
  const newPasswordHash = await unknownPassword(ctx);
  const now = ctx.clock.now();
  const provenByProvider = provesSecond(finishing);
  if (provider.settings.demandedAcr !== null && !provenByProvider)
    throw new RefusedIdentity("the provider did not prove the second factor");
  const origin = addressBlock(client.address);
  const secret = await ctx.db.transaction(async (tx) => {
    const { user, identity } = await admitIdentity({ ...ctx, db: tx }, { provider, claims, requestId: client.requestId, newPasswordHash });
    const isKnown = await isKnownOrigin(tx, user.email, origin, new Date(now.getTime() - 30 * 86_400_000));
    await saveOrigin(tx, user.id, origin, now);
    const at = claims.authenticatedAt;
    const proof: Proof | null = at !== null && isSteppedUp({ steppedUpAt: at }, now) ? { at, byCode: provenByProvider } : null;
    const by = { identityId: identity.id, providerSid: claims.sid, provenByProvider };
    return await enterSession(tx, { user, now, proof, client, isKnown, by, change: { method: "provider", provider_id: provider.id } });
  });
  return { target: request.target, session: { secret, expiresAt: new Date(now.getTime() + SESSION_LIFETIME_MS) } };
}

/** The person has just signed in to the provider again, and as who opened this session. It gets a new secret. */
async function stepUp(ctx: Powers, finishing: Finishing): Promise<FinishedRequest> {
  const { request, claims, provider, client } = finishing;
  const holder = holderOf(finishing);
  const identity = await findSessionIdentity(ctx.db, holder.sessionId);
  if (identity?.issuer !== provider.settings.issuer || identity.subject !== claims.subject)
    throw new RefusedIdentity("the subject has changed");
  if (!provesSecond(finishing)) throw new RefusedIdentity("the provider did not prove the second factor");
  refuseUnlessFresh(finishing);
  const secret = newSessionSecret();
  const renewal = { id: holder.sessionId, from: holder.sidHash, to: sessionHash(secret) };
  await ctx.db.transaction(async (tx) => {
    if (!(await markSteppedUp(tx, renewal, { at: ctx.clock.now(), byCode: true }))) throw new RefusedIdentity("the session has ended");
    const { userId, role, partnerId } = holder;
    await insertAuditEntry(tx, {
      by: { actor: { type: "user", userId, role, partnerId }, requestId: client.requestId },
      partnerId,
      action: "user.stepped_up",
      objectId: userId,
      change: { session_id: holder.sessionId, method: "provider" },
    });
  });
  return { target: request.target, session: { secret, expiresAt: holder.expiresAt } };
}

/** From inside the person's own session, which has just been proven. */
async function link(ctx: Powers, finishing: Finishing): Promise<FinishedRequest> {
  const { request, claims, provider, client } = finishing;
  const { sessionId, userId, role, partnerId, steppedUpAt, viewedBy } = holderOf(finishing);
  refuseUnlessFresh(finishing);
  if (partnerId !== provider.partnerId || viewedBy !== null) throw new RefusedIdentity("the person belongs to another company");
  // The request's own ten minutes, and the five of the proof before it.
  if (steppedUpAt === null || steppedUpAt.getTime() < request.createdAt.getTime() - 5 * 60_000)
    throw new RefusedIdentity("the session is not proven");
  await ctx.db.transaction(async (tx) => {
    const { issuer } = provider.settings;
    const known = await findIdentity(tx, issuer, claims.subject);
    if (known !== null && known.userId !== userId) throw new RefusedIdentity("the identity is another person's");
    const row = { id: randomUUID(), issuer, subject: claims.subject, userId, providerId: provider.id, createdAt: ctx.clock.now() };
    if (known === null && !(await insertIdentity(tx, row))) throw new RefusedIdentity("the identity became somebody's at the same moment");
    const change = { provider_id: provider.id, subject: claims.subject, session_id: sessionId };
    const by = { actor: { type: "user", userId, role, partnerId } as const, requestId: client.requestId };
    await insertAuditEntry(tx, { by, partnerId, action: "user.identity_linked", objectId: userId, change });
  });
  return { target: request.target, session: null };
}

function holderOf({ holder }: Finishing): SessionHolder {
  if (holder === null) throw new RefusedIdentity("nobody is signed in");
  return holder;
}

/** @throws RefusedIdentity unless the person signed in to the provider after this was asked. */
function refuseUnlessFresh({ claims, request }: Finishing): void {
  const since = request.createdAt.getTime() - CLOCK_SKEW_SECONDS * 1_000;
  if (claims.authenticatedAt === null || claims.authenticatedAt.getTime() < since) throw new RefusedIdentity("the sign-in is an old one");
}
