import { createHash, createHmac, randomBytes } from "node:crypto";
import type { UserRole } from "./access.ts";

/** What a company says about its identity provider. */
export type ProviderSettings = {
  name: string;
  /** The issuer's identifier: its URL, as its tokens say it. */
  issuer: string;
  clientId: string;
  /** The claim that lists a person's groups. */
  groupsClaim: string;
  /** Of a person's groups the first one here decides. */
  roles: RoleOfGroup[];
  /** The authentication context that counts as a second factor; null: none does. */
  demandedAcr: string | null;
  /** Whether the side's people sign in with it alone. */
  isDuty: boolean;
  /** Who may still sign in with password and passkey. */
  keeperIds: string[];
};
export type RoleOfGroup = { group: string; role: UserRole };

/** A client of a provider. */
export type ProviderClient = { issuer: string; clientId: string; clientSecret: string | null; redirectUri: string };

/** What a browser and this service share about one request to a provider. */
export type RequestSecrets = { state: string; nonce: string; verifier: string };

/** What to ask of a provider. `acr`: the demanded authentication context. `freshly`: even of somebody who is signed in there. */
export type AskIdentity = { client: ProviderClient; secrets: RequestSecrets; acr: string | null; freshly: boolean };

/** A provider's answer as it came. */
export type IdentityAnswer = AskIdentity & { url: URL; groupsClaim: string };

/** What a verified answer says about a person. */
export type Claims = {
  subject: string;
  groups: string[];
  email: string | null;
  emailVerified: boolean;
  name: string | null;
  acr: string | null;
  authenticatedAt: Date | null;
  /** The provider's own session. */
  sid: string | null;
};

/** What a verified order to sign out says. */
export type SignOutOrder = { jti: string; subject: string | null; sid: string | null; expiresAt: Date };

/**
 * Companies' identity providers (OpenID Connect), asked again each time: no key of theirs is kept. @throws Unreachable (nothing is known),
 * Rejected (the answer is refused; the message says why, for the audit log alone).
 */
export type IdentityProviders = {
  /** Where to send the browser. */
  authorize(asked: AskIdentity): Promise<URL>;
  /** Uses up the code of an answer and verifies all of it. */
  redeem(answer: IdentityAnswer): Promise<Claims>;
  /** Verifies a provider's order to sign somebody out. */
  readSignOut(client: ProviderClient, token: string): Promise<SignOutOrder>;
};

/** A person at the provider must answer within this time (real time). */
export const IDENTITY_REQUEST_MS = 10 * 60_000;
/** An older sign-in at the provider does not open a session here. */
export const OLDEST_SIGN_IN_SECONDS = 12 * 3_600;
/** How far the provider's clock may be off. */
export const CLOCK_SKEW_SECONDS = 60;

/** The signatures that a provider's own key makes: never none, never a secret that the client has too. */
export const SIGNATURES = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"];

/** What is asked of a provider about a person. */
export const ASKED_SCOPES = "openid email profile";

/** The addresses of one provider here. `company`: a partner's short name; null: the operator's. */
export function addressesOf(baseUrl: string, { id, company }: { id: string; company: string | null }) {
  return {
    redirect: `${baseUrl}/api/oidc/callback/${id}`,
    signOut: `${baseUrl}/api/oidc/sign-out/${id}`,
    directory: `${baseUrl}/api/scim/v2`,
    signIn: `${baseUrl}/console/sign-in${company === null ? "" : `?company=${company}`}`,
  };
}

export const newRequestSecret = (): string => randomBytes(32).toString("base64url");

/** Of a request's secret, a directory's token. */
export const hashOf = (secret: string): string => createHash("sha256").update(secret, "utf8").digest("hex");

/** State, nonce and verifier follow from what the browser alone holds, so that the database has none of them. */
export function requestSecretsOf(secret: string): RequestSecrets {
  const derive = (label: string) => createHmac("sha256", secret).update(label).digest("base64url");
  return { state: derive("state"), nonce: derive("nonce"), verifier: derive("verifier") };
}

/** Every directory's bearer token begins with `dir_`, for secret scanners. */
export const newDirectoryToken = (): string => `dir_${randomBytes(32).toString("base64url")}`;

/** The role by a person's groups; null: none of them gives access. */
export function roleByGroups(roles: readonly RoleOfGroup[], groups: readonly string[]): UserRole | null {
  return roles.find(({ group }) => groups.includes(group))?.role ?? null;
}
