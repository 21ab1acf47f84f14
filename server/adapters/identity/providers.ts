import type { ClientAuth, Configuration } from "openid-client";
import { z } from "zod";
import {
  ASKED_SCOPES,
  CLOCK_SKEW_SECONDS,
  type Claims,
  type IdentityAnswer,
  type IdentityProviders,
  OLDEST_SIGN_IN_SECONDS,
  type ProviderClient,
  SIGNATURES,
} from "#domain/identity-provider.ts";
import { isStorable } from "#domain/storable-text.ts";
import { Rejected, Unreachable } from "#server/ports.ts";
import { createGuardedFetch, type GuardedFetchOptions } from "./guarded-fetch.ts";
import { readSignOutToken } from "./sign-out-token.ts";

/** Loaded with the first sign-in: a process without providers does not need it. */
const library = () => import("openid-client");

/** How long before the token's use it may have been issued. */
const OLDEST_TOKEN_SECONDS = 600;

const text = z.string().min(1).max(512).refine(isStorable);
/** The last second of the year 9999. */
const LAST_SECOND = 253_402_300_799;
const Known = z.object({
  sub: z.string().min(1).max(255).refine(isStorable, { error: "the subject has a character that cannot be kept" }),
  iat: z.number(),
  email: text.nullish().catch(null),
  email_verified: z.boolean().nullish().catch(null),
  name: text.nullish().catch(null),
  acr: text.nullish().catch(null),
  auth_time: z.number().min(0).max(LAST_SECOND).nullish(),
  sid: text.nullish().catch(null),
});
const Groups = z.union([z.array(text).max(1_000), text.transform((one) => [one])]).catch([]);

/** Companies' identity providers by openid-client. `now`: real time. */
export function createIdentityProviders(options: GuardedFetchOptions, now: () => Date = () => new Date()): IdentityProviders {
  const guarded = createGuardedFetch(options);
  const discover = (client: ProviderClient) => openClient(client, guarded, options.allowHttp);
  return {
    authorize: async ({ client, secrets, acr, freshly }) => {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library();
      const config = await discover(client);
      return buildAuthorizationUrl(config, {
        redirect_uri: client.redirectUri,
        scope: ASKED_SCOPES,
        state: secrets.state,
        nonce: secrets.nonce,
        code_challenge: await calculatePKCECodeChallenge(secrets.verifier),
        code_challenge_method: "S256",
        max_age: String(freshly ? 0 : OLDEST_SIGN_IN_SECONDS),
        ...(freshly && { prompt: "login" }),
        ...(acr !== null && { acr_values: acr }),
      });
    },
    redeem: async (answer) => {
      const config = await discover(answer.client);
      try {
        return await redeem(config, answer, now());
      } catch (error) {
        throw asPort(error);
      }
    },
    readSignOut: async (client, token) => {
      const { jwks_uri: keys } = (await discover(client)).serverMetadata();
      if (keys === undefined) throw new Rejected("the provider names no keys");
      try {
        return await readSignOutToken({ client, token, keys: await readKeys(guarded, keys), now: now() });
      } catch (error) {
        throw asPort(error);
      }
    },
  };
}

/**
 * RFC 6749, 2.3.1, with no more encoded than the form's own serializer does. The library encodes `-`, `_` and `.` too, and providers that decode
 * nothing then know no secret in base64url.
 */
function basic(secret: string): ClientAuth {
  const encoded = (text: string) => new URLSearchParams({ "": text }).toString().slice(1);
  return (_server, { client_id }, _body, headers) => {
    headers.set("authorization", `Basic ${Buffer.from(`${encoded(client_id)}:${encoded(secret)}`).toString("base64")}`);
  };
}

async function readKeys(guarded: typeof fetch, url: string): Promise<unknown> {
  const response = await guarded(url, { headers: { accept: "application/json" } });
  if (!response.ok) throw new Unreachable("the provider did not hand out its keys");
  return await response.json();
}

/** Discovers the provider again each time: sign-ins are rare, and a key that was taken away counts no more at once. */
async function openClient(client: ProviderClient, guarded: typeof fetch, allowHttp: boolean): Promise<Configuration> {
  const openid = await library();
  const auth = client.clientSecret === null ? openid.None() : basic(client.clientSecret);
  const { customFetch, clockTolerance, allowInsecureRequests } = openid;
  try {
    const config = await openid.discovery(new URL(client.issuer), client.clientId, { [clockTolerance]: CLOCK_SKEW_SECONDS }, auth, {
      [customFetch]: guarded,
      execute: [openid.enableNonRepudiationChecks, ...(allowHttp ? [allowInsecureRequests] : [])],
    });
    const { id_token_signing_alg_values_supported: offered = ["RS256"] } = config.serverMetadata();
    if (!offered.some((alg) => SIGNATURES.includes(alg))) throw new Rejected("the provider signs with no key of its own");
    return config;
  } catch (error) {
    if (error instanceof Rejected) throw error;
    throw new Unreachable("the provider's configuration could not be read", { cause: error });
  }
}

async function redeem(config: Configuration, { client, secrets, url, freshly, groupsClaim }: IdentityAnswer, now: Date): Promise<Claims> {
  const openid = await library();
  const { authorization_response_iss_parameter_supported: namesItself } = config.serverMetadata();
  const issuers = url.searchParams.getAll("iss");
  if (issuers.length > 1 || issuers.some((iss) => iss !== client.issuer) || (namesItself === true && issuers.length === 0))
    throw new Rejected("the answer is another provider's");
  const tokens = await openid.authorizationCodeGrant(config, url, {
    pkceCodeVerifier: secrets.verifier,
    expectedState: secrets.state,
    expectedNonce: secrets.nonce,
    idTokenExpected: true,
    // Of a fresh sign-in the caller compares the time itself, by when it asked.
    maxAge: freshly ? OLDEST_TOKEN_SECONDS : OLDEST_SIGN_IN_SECONDS,
  });
  const token = tokens.claims();
  if (token === undefined) throw new Rejected("there is no ID token");
  if (!SIGNATURES.includes(algorithmOf(tokens.id_token ?? ""))) throw new Rejected("the ID token is not signed by the provider's own key");
  const said: Record<string, unknown> = token;
  const known = Known.parse(said);
  const nowSeconds = now.getTime() / 1_000;
  if (known.iat > nowSeconds + CLOCK_SKEW_SECONDS) throw new Rejected("the ID token is from the future");
  if (known.iat < nowSeconds - OLDEST_TOKEN_SECONDS) throw new Rejected("the ID token is old");
  const asks = config.serverMetadata().userinfo_endpoint !== undefined && (said[groupsClaim] === undefined || said.email === undefined);
  const more = asks ? await openid.fetchUserInfo(config, tokens.access_token, known.sub) : {};
  // What the token says counts before what the endpoint says.
  const all: Record<string, unknown> = { ...more, ...said };
  const { email, email_verified: verified, name } = Known.parse(all);
  return {
    subject: known.sub,
    groups: Groups.parse(all[groupsClaim] ?? []),
    email: email?.toLowerCase() ?? null,
    emailVerified: verified === true,
    name: name ?? null,
    acr: known.acr ?? null,
    authenticatedAt: known.auth_time ? new Date(known.auth_time * 1_000) : null,
    sid: known.sid ?? null,
  };
}

function algorithmOf(jws: string): string {
  try {
    return String(JSON.parse(Buffer.from(jws.split(".")[0] ?? "", "base64url").toString()).alg);
  } catch {
    return "";
  }
}

/** A network's failure says nothing; everything else refuses the answer. The library's message names the check, and no value. */
function asPort(error: unknown): Error {
  if (error instanceof Rejected || error instanceof Unreachable) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const message = error instanceof Error ? error.message : "the answer could not be read";
  if (/^(?:E[A-Z]+|ABORT_ERR|UND_ERR.*|OAUTH_TIMEOUT)$/.test(code) || /fetch failed|timeout|was not sent/i.test(message))
    return new Unreachable("the provider does not answer", { cause: error });
  if (code === "OAUTH_RESPONSE_IS_NOT_CONFORM" && error instanceof Error && isServerTrouble(error.cause))
    return new Unreachable("the provider is in trouble", { cause: error });
  // The library's own message is general; the one below it names the check.
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause.message : message;
  return new Rejected(inner.slice(0, 200), { cause: error });
}

function isServerTrouble(cause: unknown): boolean {
  return cause instanceof Response && cause.status >= 500;
}
