import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import ipaddr from "ipaddr.js";
import { z } from "zod";
import { CHALLENGE_LIFETIME_MS, type KnownPasskey, passkeyFingerprint } from "#domain/passkey.ts";
import type { SignatureParts } from "#domain/signed-decision.ts";
import type { Passkeys } from "#server/ports.ts";

const base64url = (most: number) =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/)
    .max(most);
const key = { id: base64url(1_400), rawId: base64url(1_400), type: z.literal("public-key") };
/** Limits on the parts of an answer. Extensions are dropped. */
const Made = z.object({
  ...key,
  response: z.object({
    clientDataJSON: base64url(4_096),
    attestationObject: base64url(16_384),
    transports: z.array(z.string().max(32)).max(10).default([]),
  }),
});
const Signed = z.object({
  ...key,
  response: z.object({ clientDataJSON: base64url(4_096), authenticatorData: base64url(4_096), signature: base64url(8_192) }),
});

type Settings = { baseUrl: string; brand: string; trustedPasskeys?: ReadonlySet<string> };

/** Loaded with the first passkey, since it is large: a process without passkeys does not need it. */
const library = () => import("@simplewebauthn/server");

/**
 * Passkeys by @simplewebauthn/server. The device must have verified its user (PIN, finger, face): anyone at the machine can give a touch.
 * `baseUrl`: the only accepted origin; keys are bound to its host. `trustedPasskeys`: the fingerprints of the only keys that sign decisions; empty
 * or left out: any.
 */
export function createPasskeys({ baseUrl, brand, trustedPasskeys = new Set() }: Settings): Passkeys {
  const { origin, hostname: rpID } = new URL(baseUrl);
  const ours = { expectedOrigin: origin, expectedRPID: rpID, requireUserVerification: true };
  return {
    unavailable: reasonAgainst(baseUrl),
    askNew: async (person, known) =>
      await (await library()).generateRegistrationOptions({
        rpName: brand,
        rpID,
        userID: Uint8Array.from(Buffer.from(person.id, "utf8")),
        userName: person.email,
        userDisplayName: person.name,
        timeout: CHALLENGE_LIFETIME_MS,
        attestationType: "none",
        excludeCredentials: named(known),
        authenticatorSelection: { residentKey: "discouraged", userVerification: "required" },
      }),
    async readNew(answer, challenge) {
      const read = Made.safeParse(answer);
      if (!read.success) return null;
      const response: RegistrationResponseJSON = { ...read.data, clientExtensionResults: {} };
      const { verifyRegistrationResponse } = await library();
      const made = await verifyRegistrationResponse({ ...ours, response, expectedChallenge: challenge }).catch(() => null);
      if (!made?.verified) return null;
      const { credential, aaguid, credentialDeviceType, credentialBackedUp } = made.registrationInfo;
      return {
        credentialId: credential.id,
        publicKey: Buffer.from(credential.publicKey).toString("base64url"),
        signCount: credential.counter,
        transports: read.data.response.transports,
        aaguid,
        syncs: credentialDeviceType === "multiDevice",
        backedUp: credentialBackedUp,
      };
    },
    askProof: async (known, challenge) =>
      await (await library()).generateAuthenticationOptions({
        rpID,
        timeout: CHALLENGE_LIFETIME_MS,
        userVerification: "required",
        allowCredentials: named(known),
        ...(challenge !== null && { challenge: Uint8Array.from(Buffer.from(challenge, "base64url")) }),
      }),
    partsOf(answer) {
      const { data } = Signed.safeParse(answer);
      if (data === undefined) return null;
      const { clientDataJSON: clientData, authenticatorData, signature } = data.response;
      return { credentialId: data.id, authenticatorData, clientData, signature };
    },
    verifyKept,
    trusts: (person, publicKey) => trustedPasskeys.size === 0 || trustedPasskeys.has(passkeyFingerprint(person, publicKey)),
    async readProof(answer, challenge, { credentialId, publicKey, signCount }) {
      const read = Signed.safeParse(answer);
      if (!read.success) return null;
      const response: AuthenticationResponseJSON = { ...read.data, clientExtensionResults: {} };
      const credential = { id: credentialId, publicKey: Uint8Array.from(Buffer.from(publicKey, "base64url")), counter: signCount };
      const { verifyAuthenticationResponse } = await library();
      const proof = await verifyAuthenticationResponse({ ...ours, response, expectedChallenge: challenge, credential }).catch(() => null);
      if (!proof?.verified) return null;
      return { signCount: proof.authenticationInfo.newCounter, backedUp: proof.authenticationInfo.credentialBackedUp };
    },
  };
}

/** The count of uses proves nothing later: another signature may have come since. */
async function verifyKept(
  { credentialId: id, authenticatorData, clientData, signature }: SignatureParts,
  challenge: string,
  { publicKey, origin }: { publicKey: string; origin: string },
): Promise<boolean> {
  if (!URL.canParse(origin)) return false;
  const { verifyAuthenticationResponse } = await library();
  const proof = await verifyAuthenticationResponse({
    response: {
      id,
      rawId: id,
      type: "public-key",
      clientExtensionResults: {},
      response: { clientDataJSON: clientData, authenticatorData, signature },
    },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: new URL(origin).hostname,
    requireUserVerification: true,
    credential: { id, publicKey: Uint8Array.from(Buffer.from(publicKey, "base64url")), counter: 0 },
  }).catch(() => null);
  return proof?.verified === true;
}

/** Browsers bind keys to a host name, over TLS; without TLS they accept only this machine. */
function reasonAgainst(baseUrl: string): string | null {
  const { protocol, hostname } = new URL(baseUrl);
  if (ipaddr.isValid(hostname.replace(/^\[|\]$/g, "")))
    return "Passkeys need an address with a host's name: this installation has a bare number.";
  if (protocol !== "https:" && hostname !== "localhost") return "Passkeys need an https address.";
  return null;
}

function named(known: readonly KnownPasskey[]) {
  return known.map(({ credentialId, transports }) => ({ id: credentialId, transports: [...transports] }));
}
