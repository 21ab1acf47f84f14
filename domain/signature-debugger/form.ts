import { type Bytes, base64Bytes, hexBytes, latin1Text } from "#domain/bytes.ts";
import type { SignatureMistake } from "./drafts.ts";

/** One reading of the signature header: its digest by that hash, and what is wrong with its form. */
export type ReadSignature = { digest: Bytes; hash: string; mistakes: readonly SignatureMistake[] };

const HEX_SHA256 = "Send the HMAC-SHA256 as 64 hexadecimal digits and nothing else.";

const IN_BASE64 = { id: "signature_in_base64", found: "the signature is encoded in base64", advice: HEX_SHA256 };
const HEX_IN_BASE64 = {
  id: "signature_hex_in_base64",
  found: "the hexadecimal signature is encoded in base64 once more",
  advice: HEX_SHA256,
};
const DECORATED = { id: "signature_decorated", found: "the signature has something before or around it", advice: HEX_SHA256 };

/** By the length of what they answer, in bytes; the first of 32 is the right one. */
const HASHES: Readonly<Record<number, readonly string[]>> = {
  16: ["md5"],
  20: ["sha1"],
  28: ["sha224"],
  32: ["sha256", "sha3-256", "sha512-256"],
  48: ["sha384"],
  64: ["sha512", "sha3-512"],
};

/** Every way to read the text of a signature header, the right one first; empty when it can be no digest. */
export function readSignature(text: string): ReadSignature[] {
  const bare = text
    .trim()
    .replace(/^(?:(?:hmac-?)?sha-?256|hmac|v\d+|signature)\s*[=:,\s]\s*|^0x/i, "")
    .replace(/^(["'])(.*)\1$/, "$2");
  const decoration = bare === text ? [] : [DECORATED];
  return encodings(bare).flatMap(({ bytes, mistake }) =>
    (HASHES[bytes.length] ?? []).map((hash) => ({
      digest: bytes,
      hash,
      mistakes: [...decoration, ...(mistake ? [mistake] : []), ...(hash === "sha256" ? [] : [otherHash(hash)])],
    })),
  );
}

function encodings(text: string): { bytes: Bytes; mistake: SignatureMistake | null }[] {
  if (isHex(text)) return [{ bytes: hexBytes(text), mistake: null }];
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return [];
  const bytes = base64Bytes(text);
  const inner = latin1Text(bytes).trim();
  if (isHex(inner)) return [{ bytes: hexBytes(inner), mistake: HEX_IN_BASE64 }];
  return [{ bytes, mistake: IN_BASE64 }];
}

function isHex(text: string): boolean {
  return /^(?:[0-9a-f]{2})+$/i.test(text);
}

function otherHash(hash: string): SignatureMistake {
  return { id: "other_hash", found: `the hash was ${hash.toUpperCase()} instead of SHA-256`, advice: "Compute the HMAC with SHA-256." };
}
