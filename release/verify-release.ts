/**
 * `npm run release:verify -- 1.2.0 FOLDER`, in a clone: verifies downloaded files of a release by `release-key.pub.pem`, and prints where
 * they come from. The release must be the one that `releases.txt` of this clone lists. FOLDER needs `SHA256SUMS`, `SHA256SUMS.sig` and the attestation (`….sigstore.json`), and any of the files.
 */
import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { CHECKSUMS } from "#packaging/checksums.ts";
import { runCommand } from "#scripts/command.ts";
import { hashOf } from "#scripts/prepare/official-node.mjs";
import { isSignedFile, MINISIGN } from "./minisign.ts";
import { openBundle, type Statement } from "./provenance.ts";
import { bundleName, releaseImages, SIGNATURE, statementName } from "./release-files.ts";
import { expectListed, RELEASES } from "./release-list.ts";
import { PUBLIC_KEY } from "./sign-release.ts";

/**
 * The names of the verified files, and the statement about them. Files that are not there are no trouble.
 *
 * @throws Error that names what was changed, added or signed by another key
 */
export function verifyRelease(folder: string, version: string, key: KeyObject): { names: string[]; statement: Statement } {
  const sums = readFileSync(join(folder, CHECKSUMS));
  if (!verify(null, sums, key, readFileSync(join(folder, SIGNATURE)))) throw new Error(`The signature of ${CHECKSUMS} does not verify.`);
  const signed = new Map(
    sums
      .toString()
      .trimEnd()
      .split("\n")
      .map((line) => [line.slice(66), line.slice(0, 64)]),
  );
  const names = readdirSync(folder)
    .filter((name) => name !== CHECKSUMS && name !== SIGNATURE && !name.endsWith(MINISIGN))
    .toSorted();
  const statement = openBundle(readFileSync(join(folder, bundleName(version)), "utf8"), key);
  const built = new Map(statement.subject.map(({ name, digest }) => [name, digest.sha256]));
  const proofs = [bundleName(version), statementName(version)];
  const bad = names.filter((name) => {
    const hash = hashOf(join(folder, name));
    return signed.get(name) !== hash || (!proofs.includes(name) && built.get(name) !== hash);
  });
  for (const name of names) {
    const signature = join(folder, `${name}${MINISIGN}`);
    if (existsSync(signature) && !isSignedFile(join(folder, name), readFileSync(signature, "utf8"), key)) bad.push(`${name}${MINISIGN}`);
  }
  for (const [image, digest] of releaseImages(folder, names)) if (built.get(image) !== digest) bad.push(image);
  if (bad.length > 0) throw new Error(`These files are not those of the release: ${bad.join(", ")}.`);
  if (statement.predicate.buildDefinition.externalParameters.version !== version) throw new Error(`The attestation is not of ${version}.`);
  return { names, statement };
}

if (import.meta.main)
  await runCommand(async () => {
    const [version = "", folder = ""] = process.argv.slice(2);
    if (version === "" || folder === "") throw new Error("Usage: npm run release:verify -- 1.2.0 FOLDER");
    if (!existsSync(PUBLIC_KEY)) throw new Error("release-key.pub.pem is missing: nothing has been signed yet.");
    const { names, statement } = verifyRelease(resolve(folder), version, createPublicKey(readFileSync(PUBLIC_KEY)));
    expectListed(existsSync(RELEASES) ? readFileSync(RELEASES, "utf8") : "", version, readFileSync(join(resolve(folder), CHECKSUMS)));
    const { buildDefinition, runDetails } = statement.predicate;
    const from = buildDefinition.resolvedDependencies.map(({ name, digest }) => `  ${name} ${Object.values(digest).join(" ")}`);
    const images = statement.subject.filter(({ name }) => name.startsWith("oci:"));
    const digests = images.map(({ name, digest }) => `  ${name} @sha256:${digest.sha256}\n`).join("");
    process.stdout.write(
      `Verified:\n${names.map((name) => `  ${name}`).join("\n")}\n${digests === "" ? "" : `In a registry:\n${digests}`}Built by ${runDetails.builder.id} from:\n${from.join("\n")}\n`,
    );
    return 0;
  });
