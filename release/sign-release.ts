/**
 * `RELEASE_KEY=key.pem npm run release:sign -- 1.2.0 [FOLDER]`: writes `SHA256SUMS` of every file of FOLDER (default `dist`), and
 * `SHA256SUMS.sig`, its Ed25519 signature, which any OpenSSL 3 verifies (docs/runbooks/packages.md). The key is a PKCS#8 PEM;
 * `RELEASE_KEY_PASSPHRASE` decrypts it. It refuses a key that does not match `release-key.pub.pem`.
 */
import { createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { CHECKSUMS, writeChecksums } from "#packaging/checksums.ts";
import { runCommand } from "#scripts/command.ts";
import { ROOT } from "#scripts/suites.ts";

const SIGNATURE = `${CHECKSUMS}.sig`;
const PUBLIC_KEY = join(ROOT, "release-key.pub.pem");

/**
 * Writes checksums and signature for the files of that version. Returns their names.
 *
 * @throws Error where the folder is empty, contains a file of another version, or the key is not an Ed25519 key
 */
export function signRelease(folder: string, version: string, key: KeyObject): string[] {
  if (key.asymmetricKeyType !== "ed25519") throw new Error("RELEASE_KEY is no Ed25519 key: openssl genpkey -algorithm ed25519.");
  const names = readdirSync(folder)
    .filter((name) => name !== CHECKSUMS && name !== SIGNATURE)
    .toSorted();
  if (names.length === 0) throw new Error(`${folder} has no file to sign.`);
  const others = names.filter((name) => !new RegExp(`[-_]${version.replaceAll(".", "\\.")}(?![\\d])(?!\\.\\d)`).test(name));
  if (others.length > 0) throw new Error(`These files are not of ${version}: ${others.join(", ")}.`);
  writeFileSync(join(folder, SIGNATURE), sign(null, readFileSync(writeChecksums(folder, names)), key));
  return names;
}

const publicPem = (key: KeyObject): string => createPublicKey(key).export({ type: "spki", format: "pem" }).toString();

if (import.meta.main)
  await runCommand(async () => {
    const [version = "", folder = join(ROOT, "dist")] = process.argv.slice(2);
    const { RELEASE_KEY: file, RELEASE_KEY_PASSPHRASE: passphrase } = process.env;
    if (!/^\d+\.\d+\.\d+$/.test(version) || !file) throw new Error("Usage: RELEASE_KEY=key.pem npm run release:sign -- 1.2.0 [FOLDER]");
    const key = createPrivateKey({ key: readFileSync(file), passphrase });
    if (!existsSync(PUBLIC_KEY)) throw new Error(`release-key.pub.pem is missing. For this key it is:\n${publicPem(key)}`);
    if (publicPem(createPublicKey(readFileSync(PUBLIC_KEY))) !== publicPem(key))
      throw new Error("RELEASE_KEY is not the key of release-key.pub.pem.");
    const names = signRelease(resolve(folder), version, key);
    process.stdout.write(`Signed in ${folder}/${SIGNATURE}:\n${names.map((name) => `  ${name}\n`).join("")}`);
    return 0;
  });
