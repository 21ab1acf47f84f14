import type { Operation } from "#contract/operation.ts";
import { Refusal } from "#domain/refusal.ts";
import { findKeyOf } from "#server/services/access/authenticate-api-key.ts";
import { authenticateSignedRequest, type SignedArrival } from "#server/services/access/authenticate-signed-request.ts";
import type { KnownKey } from "#server/services/access/known-keys.ts";
import { noteKeyUse } from "#server/services/access/note-key-use.ts";
import { forgetNonce, spendNonce } from "#server/services/access/spend-nonce.ts";
import { noteKey, refuseAddress, refuseSuspended, refuseTooMany, refuseWithoutScope } from "./admit-key.ts";
import { clientAddress } from "./client-address.ts";
import type { Door, SurfaceSettings } from "./door.ts";
import { refusedSignature } from "./log-request.ts";
import type { Passage } from "./passage.ts";
import { renderProblem } from "./problem.ts";
import { headerOf } from "./raw-request.ts";
import type { Surface } from "./surface.ts";

/** The settlement surface (`/api/v1`): every request signed, errors as problem documents (contract, parts 2, 3 and 5). */
export const settlementSurface: Surface = {
  name: "settlement",
  isOpen: () => true,
  singleHeaders: (settings) => Object.values(headerNames(settings)).map((name) => name.toLowerCase()),

  async admit(door, passage, operation, body) {
    const arrival = await readArrival(door, passage, body);
    const { key } = await acceptSigned(door, passage, arrival, operation);
    refuseAddress(door, passage, key);
    if (key.partner === null) {
      throw new Refusal("scope_missing", { detail: "An operator's key has no partner to act for on this surface." });
    }
    refuseWithoutScope(key, operation);
    refuseSuspended(key);
    await noteKeyUse(door.ctx, key, clientAddress(passage.raw, door.settings.trustedProxies));
    const partnerId = key.partner.id;
    const actor = { type: "api_key", apiKeyId: key.id, partnerId } as const;
    return { kind: "signed", partnerId, apiKeyId: key.id, by: { actor, requestId: passage.raw.requestId }, timestamp: arrival.timestamp };
  },

  challenge: (_operation, settings) => `HMAC-SHA256 realm="${settings.brand}", headers="${Object.values(headerNames(settings)).join(" ")}"`,
  renderRefusal: renderProblem,
};

/**
 * Whose request it is, once every signing check has passed but one: its nonce is spent with whatever the request is answered. What
 * fails a check is kept for the debugger.
 */
async function acceptSigned(door: Door, passage: Passage, arrival: SignedArrival, { kind }: Operation): Promise<KnownKey> {
  const keeping = async <Result>(check: () => Promise<Result>): Promise<Result> => {
    try {
      return await check();
    } catch (error) {
      passage.refused = refusedSignature(error, passage, arrival);
      throw error;
    }
  };
  const authenticate = () => keeping(() => authenticateSignedRequest(door.ctx, door.keys, arrival, (found) => noteKey(passage, found)));
  const { known, nonce } = await authenticate();
  try {
    refuseTooMany(door, passage, known.key, kind);
  } catch (tooMany) {
    // Burns no nonce, so that nothing says yet whether the key is still what this process remembers.
    door.keys.forget(known);
    await authenticate();
    throw tooMany;
  }
  passage.ticket = {
    spend: (ctx) => keeping(() => spendNonce(ctx, door.keys, known, nonce)),
    giveBack: (ctx) => forgetNonce(ctx, known.key.id, nonce),
  };
  return known;
}

/** The signing headers' names; `Service` is configuration (contract, part 3). */
function headerNames({ brand }: SurfaceSettings) {
  return {
    apiKey: "Authorization",
    timestamp: `X-${brand}-Timestamp`,
    nonce: `X-${brand}-Nonce`,
    signature: `X-${brand}-Signature`,
  };
}

/** @throws Refusal `missing_credentials`, naming what is missing; where the key is known, it is kept for the debugger. */
async function readArrival(door: Door, passage: Passage, body: Uint8Array): Promise<SignedArrival> {
  const { raw } = passage;
  const names = headerNames(door.settings);
  const read = (name: string) => headerOf(raw, name.toLowerCase());
  const missing = Object.values(names).filter((name) => read(name) === null);
  const arrival = {
    apiKey: read(names.apiKey) ?? "",
    timestamp: read(names.timestamp) ?? "",
    nonce: read(names.nonce) ?? "",
    signature: read(names.signature) ?? "",
    ...{ method: raw.method, path: raw.path, query: raw.query, body },
  };
  if (missing.length === 0) return arrival;
  const refusal = new Refusal("missing_credentials", { detail: `Missing: ${missing.join(", ")}.` });
  const key = await findKeyOf(door.ctx, arrival.apiKey);
  if (key !== null) {
    noteKey(passage, key);
    passage.refused = refusedSignature(refusal, passage, arrival, missing);
  }
  throw refusal;
}
