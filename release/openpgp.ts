/**
 * The release's own Ed25519 key in the form that apt reads: OpenPGP, version 4 (RFC 4880 with EdDSA as in RFC 9580, 5.2.3.3). There is no
 * second key to keep, and the same key always has the same fingerprint.
 */
import { createHash, createPublicKey, type KeyObject, sign } from "node:crypto";

/** The name in the key. */
const USER = "settlement-service releases";
/** When the key says that it was made: a fixed day, because the fingerprint depends on it. */
const MADE_SECONDS = Date.UTC(2026, 0, 1) / 1_000;
const EDDSA = 22;
const SHA512 = 10;
const ED25519_OID = Buffer.from("2b06010401da470f01", "hex");

const TAG = { signature: 2, publicKey: 6, user: 13 } as const;
const SIGNATURE = { ofBytes: 0x00, ofText: 0x01, ofOwnName: 0x13 } as const;
const ABOUT = { madeAt: 2, keyFlags: 27, issuer: 16, fingerprint: 33 } as const;
const MAY_SIGN = 0x03;

/** `-----BEGIN PGP PUBLIC KEY BLOCK-----`: what apt's `Signed-By` names. */
export function openPgpKey(key: KeyObject): string {
  const body = keyBody(key);
  const user = Buffer.from(USER);
  const about = Buffer.concat([hashedKey(body), Buffer.from([0xb4]), uint32(user.length), user]);
  const own = signatureOf(SIGNATURE.ofOwnName, about, key, MADE_SECONDS, [field(ABOUT.keyFlags, Buffer.from([MAY_SIGN]))]);
  return armour("PUBLIC KEY BLOCK", Buffer.concat([packet(TAG.publicKey, body), packet(TAG.user, user), own]));
}

/** A detached signature over these bytes. `seconds`: when it is made, since 1970. */
export function signBytes(bytes: Buffer, key: KeyObject, seconds: number): string {
  return armour("SIGNATURE", signatureOf(SIGNATURE.ofBytes, bytes, key, seconds));
}

/** The text with its signature below. No line may begin with `-` or end with white space, because OpenPGP would change it. */
export function signText(text: string, key: KeyObject, seconds: number): string {
  if (/^-|[ \t]$/m.test(text)) throw new Error("A line of the text begins with `-` or ends with white space.");
  const canonical = Buffer.from(text.trimEnd().replaceAll("\n", "\r\n"));
  const signature = armour("SIGNATURE", signatureOf(SIGNATURE.ofText, canonical, key, seconds));
  return `-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n${text.trimEnd()}\n${signature}`;
}

/** Forty capital letters, as `gpg --fingerprint` shows them. */
export function fingerprintOf(key: KeyObject): string {
  return fingerprint(keyBody(key)).toString("hex").toUpperCase();
}

const fingerprint = (body: Buffer): Buffer => createHash("sha1").update(hashedKey(body)).digest();
const hashedKey = (body: Buffer): Buffer => Buffer.concat([Buffer.from([0x99]), uint16(body.length), body]);

function keyBody(key: KeyObject): Buffer {
  if (key.asymmetricKeyType !== "ed25519") throw new Error("The key is no Ed25519 key.");
  const open = key.type === "private" ? createPublicKey(key) : key;
  const point = Buffer.from(open.export({ format: "jwk" }).x ?? "", "base64url");
  const oid = Buffer.concat([Buffer.from([ED25519_OID.length]), ED25519_OID]);
  return Buffer.concat([
    Buffer.from([4]),
    uint32(MADE_SECONDS),
    Buffer.from([EDDSA]),
    oid,
    integer(Buffer.concat([Buffer.from([0x40]), point])),
  ]);
}

function signatureOf(kind: number, bytes: Buffer, key: KeyObject, seconds: number, more: readonly Buffer[] = []): Buffer {
  const print = fingerprint(keyBody(key));
  const hashed = Buffer.concat([
    field(ABOUT.madeAt, uint32(seconds)),
    field(ABOUT.fingerprint, Buffer.concat([Buffer.from([4]), print])),
    ...more,
  ]);
  const head = Buffer.concat([Buffer.from([4, kind, EDDSA, SHA512]), uint16(hashed.length), hashed]);
  const trailer = Buffer.concat([head, Buffer.from([4, 0xff]), uint32(head.length)]);
  const digest = createHash("sha512").update(bytes).update(trailer).digest();
  const unhashed = field(ABOUT.issuer, print.subarray(-8));
  const signature = sign(null, digest, key);
  const parts = [
    head,
    uint16(unhashed.length),
    unhashed,
    digest.subarray(0, 2),
    integer(signature.subarray(0, 32)),
    integer(signature.subarray(32)),
  ];
  return packet(TAG.signature, Buffer.concat(parts));
}

function packet(tag: number, body: Buffer): Buffer {
  const length = body.length < 192 ? Buffer.from([body.length]) : Buffer.concat([Buffer.from([255]), uint32(body.length)]);
  return Buffer.concat([Buffer.from([0xc0 | tag]), length, body]);
}

function field(about: number, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from([body.length + 1, about]), body]);
}

/** An integer of any length, without the zeros at its beginning. */
function integer(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const rest = first === -1 ? Buffer.alloc(0) : bytes.subarray(first);
  const bits = rest.length === 0 ? 0 : rest.length * 8 - Math.clz32(rest[0] ?? 0) + 24;
  return Buffer.concat([uint16(bits), rest]);
}

function armour(what: string, bytes: Buffer): string {
  const lines = bytes.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN PGP ${what}-----\n\n${lines.join("\n")}\n=${checksum(bytes)}\n-----END PGP ${what}-----\n`;
}

/** CRC-24 of RFC 4880, 6.1. */
function checksum(bytes: Buffer): string {
  let crc = 0xb704ce;
  for (const byte of bytes) {
    crc ^= byte << 16;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x800000 ? (crc << 1) ^ 0x1864cfb : crc << 1;
  }
  return Buffer.from([(crc >> 16) & 0xff, (crc >> 8) & 0xff, crc & 0xff]).toString("base64");
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
