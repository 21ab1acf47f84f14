import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import type { Seal } from "./audit-seal.ts";

/** An end of the audit log's chain at some time. Stored elsewhere, it shows later whether the chain still contains it. */
export type ChainEnd = Pick<Seal, "seq" | "hash">;

/** What the ends of the chain and the daily attestations are signed with, and known by (docs/decisions/audit-chain.md, attestations.md). */
export type AuditKey = {
  /** null: this process cannot sign. Only the worker can. */
  sign: ((end: ChainEnd) => string) | null;
  /** null: it is unknown here which key should have signed, so signatures are not verified. */
  holds: ((end: ChainEnd, signature: string) => boolean) | null;
  /** Signs the text of an attestation. null: as for `sign`. */
  attest: ((text: string) => string) | null;
  /** Whether it has signed that text of an attestation. null: as for `holds`. */
  attested: ((text: string, signature: string) => boolean) | null;
  /** Its public half in base64; null: unknown here. */
  publicKey: string | null;
  /**
   * Where the key may start to sign after seals that it has not signed: after seals without any signature (the sandbox), or exactly after
   * this end, which somebody has verified, no matter who signed it. Null: nowhere.
   */
  begins: ChainEnd | "behind unsigned" | null;
};

export const NO_AUDIT_KEY: AuditKey = { sign: null, holds: null, attest: null, attested: null, publicKey: null, begins: null };

/** The DER prefix of the 32 bytes of an Ed25519 key. */
const PRIVATE_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");
const PUBLIC_HEAD = Buffer.from("302a300506032b6570032100", "hex");

/** Ed25519 (RFC 8032); `secret` and `publicKey`: 32 bytes each. */
export function openAuditKey(parts: { secret: Uint8Array | null; publicKey: Uint8Array | null; begins: AuditKey["begins"] }): AuditKey {
  const secret = parts.secret === null ? null : signingKeyOf(parts.secret);
  const known =
    parts.publicKey === null ? null : createPublicKey({ key: Buffer.concat([PUBLIC_HEAD, parts.publicKey]), format: "der", type: "spki" });
  const verifier = known ?? (secret === null ? null : createPublicKey(secret));
  return {
    sign: secret === null ? null : (end) => sign(null, textOf(end), secret).toString("base64"),
    holds: verifier === null ? null : (end, signature) => verify(null, textOf(end), verifier, Buffer.from(signature, "base64")),
    attest: secret === null ? null : (text) => sign(null, attestationOf(text), secret).toString("base64"),
    attested: verifier === null ? null : (text, signature) => verify(null, attestationOf(text), verifier, Buffer.from(signature, "base64")),
    publicKey: verifier === null ? null : rawHalfOf(verifier).toString("base64"),
    begins: parts.begins,
  };
}

/** The public half, which may be known to everybody: 32 bytes. */
export function publicHalfOf(secret: Uint8Array): Buffer {
  return rawHalfOf(createPublicKey(signingKeyOf(secret)));
}

function rawHalfOf(key: KeyObject): Buffer {
  return key.export({ format: "der", type: "spki" }).subarray(PUBLIC_HEAD.length);
}

/** Ed25519 from its 32 secret bytes. */
export function signingKeyOf(secret: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PRIVATE_HEAD, secret]), format: "der", type: "pkcs8" });
}

function textOf({ seq, hash }: ChainEnd): Buffer {
  return Buffer.from(`audit log ${seq} ${hash}`);
}

/** Begins otherwise than the text of an end: neither signature can ever pass for the other's. */
function attestationOf(text: string): Buffer {
  return Buffer.from(`attestation ${text}`);
}

/** An end in a setting: `1234:9f86d0…`. Null: the text is malformed. */
export function readChainEnd(text: string): ChainEnd | null {
  const read = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text);
  return read?.[1] === undefined || read[2] === undefined ? null : { seq: Number(read[1]), hash: read[2] };
}

/** Whether the key may go on from that end of the chain. Anyone who wrote the chain again could not sign it. */
export function mayGoOn({ sign: signs, holds, begins }: AuditKey, last: (ChainEnd & { signature: string | null }) | null): boolean {
  if (signs === null || last === null) return true;
  if (last.signature !== null && holds?.(last, last.signature) === true) return true;
  if (begins === "behind unsigned") return last.signature === null;
  return begins?.seq === last.seq && begins.hash === last.hash;
}

/** The end configured for the key, if there is one. */
export function readConfiguredEnd({ begins }: AuditKey): ChainEnd | null {
  return begins === "behind unsigned" ? null : begins;
}
