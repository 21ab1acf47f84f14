import {
  deleteLapsedRequests,
  findIdentityRequest,
  findSessionIdentity,
  insertIdentityRequest,
} from "#db/queries/identity-providers/identities.ts";
import { findProvider, listChoices, type ProviderInForce } from "#db/queries/identity-providers/providers.ts";
import type { ByPerson } from "#domain/access.ts";
import {
  addressesOf,
  hashOf,
  IDENTITY_REQUEST_MS,
  newRequestSecret,
  type ProviderClient,
  requestSecretsOf,
} from "#domain/identity-provider.ts";
import { Refusal } from "#domain/refusal.ts";
import { clientSecretOf } from "#domain/sealed-place.ts";
import { refuseUnlessProven } from "#domain/session.ts";
import { isUuid } from "#domain/uuid.ts";
import type { Uses } from "#server/context.ts";

/** What the sign-in page offers: the operator's providers, or the one of that company. */
export async function listSignInChoices(ctx: Uses<"db">, company: string | null): Promise<{ id: string; name: string }[]> {
  return await listChoices(ctx.db, company);
}

export type BeginRequest = { providerId: string; purpose: "sign_in" | "step_up" | "link"; sessionId: string | null; target: string };

/**
 * Enters a request to a provider. The returned secret belongs to the browser alone.
 *
 * @throws Refusal `not_found`.
 */
export async function beginRequest(ctx: Uses<"db" | "clock">, { providerId, ...request }: BeginRequest): Promise<string> {
  if (!isUuid(providerId) || (await findProvider(ctx.db, { id: providerId })) === null) throw new Refusal("not_found");
  const [secret, createdAt] = [newRequestSecret(), ctx.clock.now()];
  const expiresAt = new Date(createdAt.getTime() + IDENTITY_REQUEST_MS);
  await insertIdentityRequest(ctx.db, { ...request, providerId, secretHash: hashOf(secret), createdAt, expiresAt });
  return secret;
}

/**
 * For a signed-in person: to prove who they are again with the identity of this session.
 *
 * @throws Refusal `conflict` when a password opened the session, or the provider proves no second factor.
 */
export async function beginStepUp(
  ctx: Uses<"db" | "clock">,
  { sessionId, target }: { sessionId: string; target: string },
): Promise<{ ticket: string; providerId: string }> {
  const identity = await findSessionIdentity(ctx.db, sessionId);
  const provider = identity && (await findProvider(ctx.db, { id: identity.providerId }));
  if (!provider?.settings.demandedAcr)
    throw new Refusal("conflict", { detail: "This provider proves no second factor. Use your own passkey or code." });
  const ticket = await beginRequest(ctx, { providerId: provider.id, purpose: "step_up", sessionId, target });
  return { ticket, providerId: provider.id };
}

/** For a signed-in person: to link an identity of their own company's. @throws Refusal `not_found`, `step_up_required`. */
export async function beginLink(
  ctx: Uses<"db" | "clock">,
  { by, sessionId, providerId }: { by: ByPerson; sessionId: string; providerId: string },
): Promise<string> {
  refuseUnlessProven(by, ctx.clock.now());
  const provider = isUuid(providerId) ? await findProvider(ctx.db, { id: providerId }) : null;
  if (provider === null || provider.partnerId !== by.actor.partnerId) throw new Refusal("not_found");
  return await beginRequest(ctx, { providerId, purpose: "link", sessionId, target: "/console/account" });
}

/**
 * Where to send the browser that has the request's secret, and in which session it must be.
 *
 * @throws Refusal `not_found` for one that has lapsed. Unreachable, Rejected.
 */
export async function startRequest(
  ctx: Uses<"db" | "clock" | "vault" | "identityProviders">,
  { secret, baseUrl }: { secret: string; baseUrl: string },
): Promise<{ url: URL; sessionId: string | null }> {
  const now = ctx.clock.now();
  await deleteLapsedRequests(ctx.db, now);
  const request = await findIdentityRequest(ctx.db, hashOf(secret));
  const provider = request && (await findProvider(ctx.db, { id: request.providerId }));
  if (request === null || provider === null) throw new Refusal("not_found");
  const url = await ctx.identityProviders.authorize({
    client: clientOf(ctx, provider, baseUrl),
    secrets: requestSecretsOf(secret),
    acr: provider.settings.demandedAcr,
    freshly: request.purpose !== "sign_in",
  });
  return { url, sessionId: request.sessionId };
}

/** Each provider answers at its own address, so that no answer is taken for another provider's. */
export function clientOf(ctx: Uses<"vault">, provider: ProviderInForce, baseUrl: string): ProviderClient {
  const { id, settings, sealedClientSecret: sealed } = provider;
  const clientSecret = sealed === null ? null : ctx.vault.open(sealed, clientSecretOf(id));
  const { redirect: redirectUri } = addressesOf(baseUrl, { id, company: null });
  return { issuer: settings.issuer, clientId: settings.clientId, clientSecret, redirectUri };
}
