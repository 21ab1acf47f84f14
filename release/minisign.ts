/**
 * Minisign's form of a signature over one file, under the release's own Ed25519 key. `node release/minisign.ts` prints the public key of
 * `release-key.pub.pem` for `minisign -V -P`.
 */
import { createHash, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { basename, join } from "node:path";
import { runCommand } from "#scripts/command.ts";
import { ROOT } from "#scripts/suites.ts";

export const MINISIGN = ".minisig";
/** Over BLAKE2b-512 of the file, which minisign has made by default since 0.11. */
const PREHASHED = Buffer.from("ED");
const KEY_ID_BYTES = 8;
const SIGNATURE_BYTES = 64;
const TRUSTED = "trusted comment: ";
const CHUNK_BYTES = 1 << 20;

/** The text of `FILE.minisig`. `comment`: signed with it, one line. */
export function signFile(path: string, key: KeyObject, comment: string): string {
  const signature = sign(null, digestOf(path), key);
  const all = sign(null, Buffer.concat([signature, Buffer.from(comment)]), key);
  const head = Buffer.concat([PREHASHED, keyIdOf(createPublicKey(key)), signature]);
  return `untrusted comment: signature of ${basename(path)}\n${head.toString("base64")}\n${TRUSTED}${comment}\n${all.toString("base64")}\n`;
}

/** Whether it is that key's signature over that file and over its own comment. */
export function isSignedFile(path: string, text: string, key: KeyObject): boolean {
  const [, first = "", comment = "", second = ""] = text.split("\n");
  const head = Buffer.from(first, "base64");
  if (head.length !== PREHASHED.length + KEY_ID_BYTES + SIGNATURE_BYTES || !comment.startsWith(TRUSTED)) return false;
  const begins = Buffer.concat([PREHASHED, keyIdOf(key)]);
  const signature = head.subarray(begins.length);
  const said = Buffer.concat([signature, Buffer.from(comment.slice(TRUSTED.length))]);
  return (
    head.subarray(0, begins.length).equals(begins) &&
    verify(null, digestOf(path), key, signature) &&
    verify(null, said, key, Buffer.from(second, "base64"))
  );
}

/** The public key as minisign writes it: one word. */
export function publicKeyOf(key: KeyObject): string {
  return Buffer.concat([Buffer.from("Ed"), keyIdOf(key), rawOf(key)]).toString("base64");
}

/** A file may be larger than the memory that one may take. */
function digestOf(path: string): Buffer {
  const [hash, chunk, file] = [createHash("blake2b512"), Buffer.alloc(CHUNK_BYTES), openSync(path, "r")];
  try {
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk)) hash.update(chunk.subarray(0, read));
  } finally {
    closeSync(file);
  }
  return hash.digest();
}

const rawOf = (key: KeyObject): Buffer => Buffer.from(key.export({ format: "jwk" }).x ?? "", "base64url");
const keyIdOf = (key: KeyObject): Buffer => createHash("sha256").update(rawOf(key)).digest().subarray(0, KEY_ID_BYTES);

if (import.meta.main)
  await runCommand(async () => {
    process.stdout.write(`${publicKeyOf(createPublicKey(readFileSync(join(ROOT, "release-key.pub.pem"))))}\n`);
    return 0;
  });
