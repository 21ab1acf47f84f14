import { CallbackRefused } from "./errors.ts";
import type { Webhooks as FiatWebhooks } from "./generated/partner.ts";
import type { Event, Webhooks as SettlementWebhooks } from "./generated/settlement.ts";
import type { PublicKeys } from "./proofs.ts";
import { asBytes, fromBase64, fromBase64Url, fromHex, joined, signingBytes, verifyEd25519, verifyHmac } from "./signing.ts";

type Bodies = SettlementWebhooks & FiatWebhooks;

/** The callback, typed by its event. `id` is the same in every attempt: do not act on it twice. */
export type Callback<Of extends keyof Bodies = keyof Bodies> = { [Event in Of]: { id: string; event: Event; body: Bodies[Event] } }[Of];

export type Delivery = {
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The raw bytes: a body that was parsed and written again differs. */
  body: string | Uint8Array;
};

/** The most signatures under public keys that are checked: anyone without a secret can still send a header full of them. */
const MOST_PUBLIC = 8;

/** At least one of the two: one valid signature is enough. */
export type Secrets = {
  /** `whsec_…`; several during a rotation. */
  callbackSecret?: string | readonly string[];
  /**
   * Instead of a secret, or in addition: the keys that the service publishes for you at `/.well-known/jwks.json?partner=…`, or a key of it
   * in the form `whpk_…`.
   */
  publicKeys?: PublicKeys | string | readonly string[];
  /** The largest accepted age. */
  toleranceSeconds?: number;
  /** Milliseconds since 1970; default: the machine's clock. */
  now?: number;
};

/**
 * Reads a callback of the service. @throws CallbackRefused if it is not genuine or is an event, TypeError if it cannot be checked at all: a
 * missing or malformed secret or key, or a parsed body. Answer a CallbackRefused with 400, a TypeError with 500: the callback comes again.
 */
export async function verifyCallback(delivery: Delivery, secrets: Secrets): Promise<Callback> {
  return readCallback(await verified(delivery, secrets), delivery.body);
}

/**
 * Reads an event that an event destination was sent. `callbackSecret` is the destination's own secret. @throws as {@link verifyCallback},
 * CallbackRefused also for a callback. An event can come again under the same `id`: do not act on it twice.
 */
export async function verifyEvent(delivery: Delivery, secrets: Secrets): Promise<Event> {
  const id = await verified(delivery, secrets);
  const event = parse(delivery.body);
  if (!isEvent(event) || event.id !== id) throw new CallbackRefused("it is a callback, and not an event");
  return event;
}

/** The id of what was sent. */
async function verified(
  { headers, body }: Delivery,
  { callbackSecret = [], publicKeys = [], toleranceSeconds = 300, now = Date.now() }: Secrets,
): Promise<string> {
  const [secrets, keys] = [[callbackSecret].flat().map(keyOfSecret), publicKeysOf(publicKeys)];
  if (secrets.length + keys.length === 0) throw new TypeError("there is neither a callbackSecret nor a public key to check it with");
  refuseParsed(body);
  const id = header(headers, "webhook-id");
  const timestamp = header(headers, "webhook-timestamp");
  refuseOld(timestamp, toleranceSeconds, now);
  const signed = joined(asBytes(`${id}.${timestamp}.`), asBytes(body));
  const signatures = header(headers, "webhook-signature").split(" ");
  const given = (scheme: "v1" | "v1a") =>
    signatures.flatMap((each) => (each.startsWith(`${scheme},`) ? [fromBase64(each.slice(scheme.length + 1))] : []));
  for (const key of secrets)
    for (const signature of given("v1")) if (signature !== null && (await verifyHmac(key, signature, signed))) return id;
  for (const key of keys)
    for (const signature of given("v1a").slice(0, MOST_PUBLIC))
      if (signature !== null && (await verifyEd25519(key, signature, signed))) return id;
  throw new CallbackRefused("no signature fits");
}

/** By default, frameworks pass a parsed body; without types, only this check refuses it. */
function refuseParsed(body: unknown): void {
  if (typeof body === "string" || ArrayBuffer.isView(body)) return;
  throw new TypeError("the body was parsed: give the raw bytes, as they came");
}

function keyOfSecret(secret: unknown): Uint8Array<ArrayBuffer> {
  const key = typeof secret === "string" ? fromBase64(secret.replace(/^whsec_/, "")) : null;
  if (key === null || key.length === 0) throw new TypeError("callbackSecret is missing, or is not whsec_ and base64");
  return key;
}

/** Only the published keys for callbacks: a key that signs proofs signs no callback. */
function publicKeysOf(publicKeys: NonNullable<Secrets["publicKeys"]>): Uint8Array<ArrayBuffer>[] {
  const isText = (each: PublicKeys | string | readonly string[]): each is string | readonly string[] =>
    typeof each === "string" || Array.isArray(each);
  const keys = isText(publicKeys)
    ? [publicKeys].flat().map((each) => fromBase64(each.replace(/^whpk_/, "")))
    : publicKeys.keys.filter(({ purpose }) => purpose === "callbacks").map(({ x }) => fromBase64Url(x));
  return keys.map((key) => {
    if (key?.length !== 32) throw new TypeError("a public key is whpk_ and base64 of 32 bytes");
    return key;
  });
}

/**
 * Verifies the request signature instead, for programs that already verify requests. @throws CallbackRefused, TypeError as {@link
 * verifyCallback} does.
 */
export async function verifyMirrored(
  { headers, body, method, target }: Delivery & { method: string; target: string },
  {
    apiSecret,
    brand = "Service",
    toleranceSeconds = 300,
    now = Date.now(),
  }: { apiSecret: string; brand?: string; toleranceSeconds?: number; now?: number },
): Promise<Callback> {
  if (typeof apiSecret !== "string" || apiSecret === "") throw new TypeError("apiSecret is missing");
  refuseParsed(body);
  const timestamp = header(headers, `x-${brand}-timestamp`);
  refuseOld(timestamp, toleranceSeconds, now);
  const [path = "", ...query] = target.split("?");
  const signature = fromHex(header(headers, `x-${brand}-signature`));
  const signed = signingBytes({ timestamp, method, path, query: query.join("?"), body });
  if (signature === null || !(await verifyHmac(asBytes(apiSecret), signature, signed)))
    throw new CallbackRefused("the signature does not fit");
  return readCallback(header(headers, "webhook-id"), body);
}

function readCallback(id: string, body: string | Uint8Array): Callback {
  const parsed = parse(body);
  if (isEvent(parsed)) throw new CallbackRefused("it is an event: verifyEvent reads it");
  // The end of a settlement names no event: its status does.
  return { id, event: parsed.event ?? `settlement.${parsed.status}`, body: parsed };
}

// biome-ignore lint/suspicious/noExplicitAny: the service's own tests check it against the documents of which the types are made
function parse(body: string | Uint8Array): any {
  return JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body));
}

/** Callbacks have no type. */
function isEvent(parsed: { id?: unknown; type?: unknown }): parsed is Event {
  return typeof parsed.id === "string" && parsed.id.startsWith("ev_") && typeof parsed.type === "string";
}

function refuseOld(timestamp: string, toleranceSeconds: number, now: number): void {
  if (!/^\d+$/.test(timestamp) || Math.abs(now / 1_000 - Number(timestamp)) > toleranceSeconds)
    throw new CallbackRefused("it is too old, or of a wrong time");
}

function header(headers: Delivery["headers"], name: string): string {
  const wanted = name.toLowerCase();
  const found =
    headers instanceof Headers ? headers.get(name) : Object.entries(headers).find(([each]) => each.toLowerCase() === wanted)?.[1];
  if (typeof found !== "string" || found === "") throw new CallbackRefused(`there is no header ${name}`);
  return found;
}
