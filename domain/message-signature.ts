import { createHash, createHmac, type KeyObject, timingSafeEqual } from "node:crypto";
import { type Bare, type InnerList, type Item, isInnerList, parseDictionary, writeInnerList, writeItem } from "./structured-fields.ts";

/** HTTP Message Signatures (RFC 9421) with `hmac-sha256`, accepted in place of the five headers. */

/** A request as on the wire; texts have one character for each byte. */
export type HttpMessage = {
  method: string;
  /** As callers write it: `https`, whatever a proxy has made of it. */
  scheme: string;
  path: string;
  /** Without the `?`; empty when there is none. */
  query: string;
  headers: ReadonlyMap<string, readonly string[]>;
  body: Uint8Array;
};

export type MessageSignature = {
  label: string;
  /** The signed bytes. */
  base: Buffer;
  signature: Buffer;
  /** Unix epoch seconds after which it does not count; null: it does not say. */
  expires: number | null;
  /** Whether the body is the one whose digest is signed. */
  digestHolds: boolean;
};

/** A request's `Signature-Input` entry for one of our keys; `wrong`: why it cannot be verified. */
export type SignatureHeaders = { keyId: string; created: string; nonce: string } & (
  | { wrong: string }
  | { wrong: null; message: MessageSignature }
);

/** Null: there is none, or none with a key of ours. Proxies and crawlers also sign requests. */
export function readMessageSignature(message: HttpMessage, isKey: (keyId: string) => boolean): SignatureHeaders | null {
  const inputs = dictionaryOf(message, "signature-input");
  const own = [...(inputs ?? [])].filter(
    (entry): entry is [string, InnerList] => isInnerList(entry[1]) && isKey(textOf(entry[1], "keyid")),
  );
  const [first] = own;
  if (first === undefined) return null;
  const [label, input] = first;
  const [created, expires] = [paramOf(input, "created"), paramOf(input, "expires")];
  const sent = {
    keyId: textOf(input, "keyid"),
    created: typeof created === "number" ? String(created) : "",
    nonce: textOf(input, "nonce"),
  };
  const given = dictionaryOf(message, "signature")?.get(label);
  const signature = given === undefined || isInnerList(given) ? null : bytesOf(given.value);
  const wrong =
    own.length > 1
      ? "Signature-Input names two signatures with a keyid of yours."
      : (wrongOf(input) ?? uncovered(message, input) ?? (signature === null ? `Signature holds no bytes for ${label}.` : null));
  if (wrong !== null || signature === null) return { ...sent, wrong: wrong ?? "" };
  const base = signatureBase(message, input);
  if (typeof base === "string") return { ...sent, wrong: base };
  const digestHolds = message.body.length === 0 && !covers(input, "content-digest") ? true : digestFits(message);
  return { ...sent, wrong: null, message: { label, base, signature, digestHolds, expires: typeof expires === "number" ? expires : null } };
}

/** In constant time. */
export function messageSignatureMatches(secret: string | KeyObject, { base, signature, digestHolds }: MessageSignature): boolean {
  const right = createHmac("sha256", secret).update(base).digest();
  return signature.length === right.length && timingSafeEqual(right, signature) && digestHolds;
}

/** More components than anybody needs; each is looked up before the request is authenticated. */
const MOST_COMPONENTS = 32;

/** The signature base (RFC 9421, 2.5), or why there is none. */
export function signatureBase(message: HttpMessage, input: InnerList): Buffer | string {
  if (input.items.length > MOST_COMPONENTS) return `Signature-Input names more than ${MOST_COMPONENTS} components.`;
  const queryParams = queryParamsOf(message, input);
  const lines: string[] = [];
  const seen = new Set<string>();
  for (const item of input.items) {
    const name = writeItem(item);
    const value = item.value === "@query-param" ? queryParamOf(queryParams, item.params) : componentOf(message, item);
    if (seen.has(name)) return `Signature-Input names ${name} twice.`;
    if (value === null) return `Signature-Input names ${name}, which this request does not have or which is not known here.`;
    seen.add(name);
    lines.push(`${name}: ${value}`);
  }
  lines.push(`"@signature-params": ${writeInnerList(input)}`);
  return Buffer.from(lines.join("\n"), "latin1");
}

function wrongOf(input: InnerList): string | null {
  const [alg, created, expires] = [paramOf(input, "alg"), paramOf(input, "created"), paramOf(input, "expires")];
  if (alg !== undefined && alg !== "hmac-sha256") return "The signature's alg must be hmac-sha256.";
  if (typeof created !== "number") return "The signature has no created.";
  if (expires !== undefined && typeof expires !== "number") return "The signature's expires must be a number.";
  return textOf(input, "nonce") === "" ? "The signature has no nonce." : null;
}

/** This must cover everything that the five headers sign. Missing parts need not be named, and count as missing. */
function uncovered({ query, body }: HttpMessage, input: InnerList): string | null {
  const whole = covers(input, "@target-uri") || covers(input, "@request-target");
  const missing = [
    ...(covers(input, "@method") ? [] : ["@method"]),
    ...(whole || covers(input, "@path") ? [] : ["@target-uri (or @path and @query)"]),
    ...(whole || query === "" || covers(input, "@query") || !covers(input, "@path") ? [] : ["@query"]),
    ...(body.length === 0 || covers(input, "content-digest") ? [] : ["content-digest"]),
  ];
  return missing.length === 0 ? null : `The signature does not cover ${missing.join(", ")}.`;
}

function covers({ items }: InnerList, name: string): boolean {
  return items.some(({ value, params }) => value === name && params.length === 0);
}

/** The value of a component (RFC 9421, 2.1 and 2.2); null: missing, or unknown here. */
function componentOf(message: HttpMessage, { value: name, params }: Item): string | null {
  const { method, scheme, path, query } = message;
  if (typeof name !== "string") return null;
  if (params.length > 0) return null;
  const target = query === "" ? path : `${path}?${query}`;
  switch (name) {
    case "@method":
      return method;
    case "@scheme":
      return scheme;
    case "@authority":
      return authorityOf(message);
    case "@target-uri":
      return `${scheme}://${authorityOf(message)}${target}`;
    case "@request-target":
      return target;
    case "@path":
      return path;
    case "@query":
      return `?${query}`;
    default:
      return name.startsWith("@") ? null : (fieldOf(message, name) ?? null);
  }
}

function authorityOf(message: HttpMessage): string {
  const host = (message.headers.get("host")?.[0] ?? "").toLowerCase();
  return host.replace(message.scheme === "https" ? /:443$/ : /:80$/, "");
}

/** The query's parameters by their names as RFC 9421 writes them, read once for all components that name one. */
function queryParamsOf({ query }: HttpMessage, { items }: InnerList): ReadonlyMap<string, readonly string[]> {
  if (!items.some(({ value }) => value === "@query-param")) return new Map();
  const read = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(query)) {
    const values = read.get(written(name));
    if (values === undefined) read.set(written(name), [value]);
    else values.push(value);
  }
  return read;
}

function queryParamOf(read: ReadonlyMap<string, readonly string[]>, params: Item["params"]): string | null {
  const [only, ...more] = params;
  if (only === undefined || only[0] !== "name" || typeof only[1] !== "string" || more.length > 0) return null;
  const [value, ...others] = read.get(only[1]) ?? [];
  return value === undefined || others.length > 0 ? null : written(value);
}

function written(text: string): string {
  return encodeURIComponent(text).replace(/[!'()~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

function fieldOf({ headers }: HttpMessage, name: string): string | undefined {
  return headers
    .get(name)
    ?.map((value) => value.replace(/^[ \t]+|[ \t]+$/g, ""))
    .join(", ");
}

function dictionaryOf(message: HttpMessage, name: string): Map<string, InnerList | Item> | null {
  const text = fieldOf(message, name);
  return text === undefined ? null : parseDictionary(text);
}

const DIGESTS = { "sha-256": "sha256", "sha-512": "sha512" } as const;

/** Whether `Content-Digest` (RFC 9530) is of this body: in one algorithm that is known at least, and in all of them. */
function digestFits(message: HttpMessage): boolean {
  const digests = dictionaryOf(message, "content-digest");
  const known = Object.entries(DIGESTS).flatMap(([name, algorithm]) => {
    const member = digests?.get(name);
    return member === undefined ? [] : [{ algorithm, bytes: isInnerList(member) ? null : bytesOf(member.value) }];
  });
  return (
    known.length > 0 && known.every(({ algorithm, bytes }) => bytes?.equals(createHash(algorithm).update(message.body).digest()) === true)
  );
}

function paramOf({ params }: InnerList, name: string): Bare | undefined {
  return params.find(([each]) => each === name)?.[1];
}

function textOf(input: InnerList, name: string): string {
  const value = paramOf(input, name);
  return typeof value === "string" ? value : "";
}

function bytesOf(value: Bare): Buffer | null {
  return typeof value === "object" && "bytes" in value ? Buffer.from(value.bytes, "base64") : null;
}
