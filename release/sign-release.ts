/**
 * `RELEASE_KEY=key.pem npm run release:sign -- 1.2.0 [FOLDER]`, on the machine that has the key: compares each file of FOLDER (default
 * `dist`) with the statement of the build, signs the statement, writes `SHA256SUMS` of everything, and `SHA256SUMS.sig`, its Ed25519
 * signature, which any OpenSSL 3 verifies (docs/runbooks/packages.md), and a signature of each file for minisign. The key is a PKCS#8 PEM; `RELEASE_KEY_PASSPHRASE` decrypts it. It
 * refuses a key that does not match `release-key.pub.pem`, and a statement of another commit than the version's tag. It adds the release to
 * `releases.txt`, which is committed and published.
 */
import { execFileSync } from "node:child_process";
import { createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { CHECKSUMS, writeChecksums } from "#packaging/checksums.ts";
import { runCommand } from "#scripts/command.ts";
import { ROOT } from "#scripts/suites.ts";
import { MINISIGN, signFile } from "./minisign.ts";
import { readStatement, signStatement } from "./provenance.ts";
import { bundleName, releaseFiles, releaseImages, SIGNATURE, statementName } from "./release-files.ts";
import { RELEASES, withRelease } from "./release-list.ts";

export const PUBLIC_KEY = join(ROOT, "release-key.pub.pem");

/**
 * Writes bundle, checksums and signature for the files of that version. Returns their names.
 *
 * @throws Error where the folder is empty or has a file of another version, where a file is not the one that was built or the statement is
 * of another commit, or where the key is no Ed25519 key
 */
export function signRelease(folder: string, version: string, key: KeyObject, commit: string): string[] {
  if (key.asymmetricKeyType !== "ed25519") throw new Error("RELEASE_KEY is no Ed25519 key: openssl genpkey -algorithm ed25519.");
  const files = releaseFiles(folder, version);
  const path = join(folder, statementName(version));
  if (!existsSync(path)) throw new Error(`${path} is missing: npm run release:attest -- ${version}, on the machine that builds.`);
  const statement = readStatement(readFileSync(path, "utf8"));
  const { externalParameters, resolvedDependencies } = statement.predicate.buildDefinition;
  const source = resolvedDependencies.find(({ name }) => name === "source")?.digest.gitCommit;
  if (externalParameters.version !== version || source !== commit)
    throw new Error(`The statement is of ${externalParameters.version} at ${source}, not of ${version} at ${commit}.`);
  const built = new Map(statement.subject.map(({ name, digest }) => [name, digest.sha256]));
  const all = new Map([...files, ...releaseImages(folder, files.keys())]);
  const others = [...new Set([...built.keys(), ...all.keys()])].filter((name) => built.get(name) !== all.get(name));
  if (others.length > 0) throw new Error(`These files are not those that were built: ${others.join(", ")}.`);
  writeFileSync(join(folder, bundleName(version)), signStatement(statement, key));
  const names = [...files.keys(), statementName(version), bundleName(version)].toSorted();
  writeFileSync(join(folder, SIGNATURE), sign(null, readFileSync(writeChecksums(folder, names)), key));
  for (const name of files.keys())
    writeFileSync(join(folder, `${name}${MINISIGN}`), signFile(join(folder, name), key, `${name} of settlement-service ${version}`));
  return names;
}

/** @throws Error where this is not the private half of `release-key.pub.pem` */
export function expectPublished(key: KeyObject): void {
  if (!existsSync(PUBLIC_KEY)) throw new Error(`release-key.pub.pem is missing. For this key it is:\n${publicPem(key)}`);
  if (publicPem(createPublicKey(readFileSync(PUBLIC_KEY))) !== publicPem(key))
    throw new Error("RELEASE_KEY is not the key of release-key.pub.pem.");
}

const publicPem = (key: KeyObject): string => createPublicKey(key).export({ type: "spki", format: "pem" }).toString();

if (import.meta.main)
  await runCommand(async () => {
    const [version = "", folder = join(ROOT, "dist")] = process.argv.slice(2);
    const { RELEASE_KEY: file, RELEASE_KEY_PASSPHRASE: passphrase } = process.env;
    if (!/^\d+\.\d+\.\d+$/.test(version) || !file) throw new Error("Usage: RELEASE_KEY=key.pem npm run release:sign -- 1.2.0 [FOLDER]");
    const key = createPrivateKey({ key: readFileSync(file), passphrase });
    expectPublished(key);
    const commit = execFileSync("git", ["rev-parse", "--verify", `v${version}^{commit}`], { cwd: ROOT, encoding: "utf8" }).trim();
    const names = signRelease(resolve(folder), version, key, commit);
    const list = existsSync(RELEASES) ? readFileSync(RELEASES, "utf8") : "";
    writeFileSync(RELEASES, withRelease(list, version, readFileSync(join(resolve(folder), CHECKSUMS))));
    process.stdout.write(`Commit releases.txt. Signed in ${folder}/${CHECKSUMS}.sig:\n${names.map((name) => `  ${name}\n`).join("")}`);
    return 0;
  });
