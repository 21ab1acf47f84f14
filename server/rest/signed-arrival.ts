import { hasKeyForm } from "#domain/api-key.ts";
import { readMessageSignature, type SignatureHeaders } from "#domain/message-signature.ts";
import type { SignedArrival } from "#server/services/access/authenticate-signed-request.ts";
import { headerOf, type RawRequest } from "./raw-request.ts";
import type { RequestContext } from "./request-context.ts";
import type { SurfaceContext, SurfaceSettings } from "./surface-context.ts";

type HeaderNames = { shown: readonly string[]; lower: readonly string[] };
const namesOf = new WeakMap<SurfaceSettings, HeaderNames>();

/** The names of the headers that sign a request: of timestamp, nonce and signature. `Service` is configuration (contract, part 3). */
export function signingHeaders(settings: SurfaceSettings): HeaderNames {
  const known = namesOf.get(settings);
  if (known !== undefined) return known;
  const shown = ["Timestamp", "Nonce", "Signature"].map((name) => `X-${settings.brand}-${name}`);
  const names = { shown, lower: shown.map((name) => name.toLowerCase()) };
  namesOf.set(settings, names);
  return names;
}

/**
 * The signature of a request. `missing`: the names of missing signing headers; `wrong`: why an RFC 9421 signature, if there is one, cannot
 * be verified.
 */
export type ReadArrival = { arrival: SignedArrival; missing: readonly string[]; wrong: string | null };

/**
 * A request's signing headers. If any of the three of part 3 is present, only they count: another signature, for example a proxy's, is
 * ignored.
 */
export function readArrival(surfaceContext: SurfaceContext, { raw }: RequestContext, apiKey: string | null, body: Uint8Array): ReadArrival {
  const { shown, lower } = signingHeaders(surfaceContext.settings);
  const said = lower.map((name) => headerOf(raw, name) ?? "");
  const [timestamp = "", nonce = "", signature = ""] = said;
  const { method, path, query } = raw;
  const asMessage = said.every((text) => text === "") && raw.headers.has("signature-input") ? readMessage(surfaceContext, raw, body) : null;
  if (asMessage !== null) return arrivedAsMessage(asMessage, raw, apiKey, body);
  return {
    arrival: { apiKey: apiKey ?? "", timestamp, nonce, signature, method, path, query, body, message: null },
    missing: shown.filter((_name, index) => said[index] === ""),
    wrong: null,
  };
}

function readMessage(
  { settings }: SurfaceContext,
  { method, path, query, headers }: RawRequest,
  body: Uint8Array,
): SignatureHeaders | null {
  const scheme = settings.baseUrl.slice(0, settings.baseUrl.indexOf(":"));
  return readMessageSignature({ method, scheme, path, query, headers, body }, hasKeyForm);
}

/** The key is named by `keyid`, and need not be said again; if it is, it is the same one. */
function arrivedAsMessage(
  sent: SignatureHeaders,
  { method, path, query }: RawRequest,
  apiKey: string | null,
  body: Uint8Array,
): ReadArrival {
  const { keyId, created: timestamp, nonce } = sent;
  const message = sent.wrong === null ? sent.message : null;
  const differs = apiKey !== null && apiKey !== keyId ? "The API key in its own header and the keyid of the signature are two." : null;
  return {
    arrival: { apiKey: keyId, timestamp, nonce, signature: "", method, path, query, body, message },
    missing: [],
    wrong: differs ?? sent.wrong,
  };
}
