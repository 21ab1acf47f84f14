import { readdirSync } from "node:fs";
import { join } from "node:path";
import { CHECKSUMS } from "#packaging/checksums.ts";
import { hashOf } from "#scripts/prepare/official-node.mjs";
import { imageDigest } from "./image-digest.ts";
import { MINISIGN } from "./minisign.ts";

export const SIGNATURE = `${CHECKSUMS}.sig`;
export const statementName = (version: string) => `settlement-service_${version}.provenance.json`;
export const bundleName = (version: string) => `settlement-service_${version}.sigstore.json`;

const IMAGE = /^settlement-service-image_.*\.tar$/;

/** What every release has, besides what proves it. */
const KINDS: readonly { what: string; name: RegExp }[] = [
  { what: "the Debian package (npm run package)", name: /^settlement-service_.*\.deb$/ },
  { what: "its SBOM (npm run package)", name: /\.deb\.cdx\.json$/ },
  { what: "the image's archive, settlement-service-image_VERSION_ARCHITECTURE.tar", name: IMAGE },
  { what: "the SDK for TypeScript (npm run build:sdk -- dist)", name: /^settlement-sdk-\d.*\.tgz$/ },
  { what: "the wheel of the SDK for Python (npm run build:sdk -- dist)", name: /^settlement_sdk-.*\.whl$/ },
  { what: "its source distribution (npm run build:sdk -- dist)", name: /^settlement_sdk-.*\.tar\.gz$/ },
  { what: "the SDK for Go (npm run build:sdk -- dist)", name: /^settlement-sdk-go-.*\.zip$/ },
  { what: "the SDK for PHP (npm run build:sdk -- dist)", name: /^settlement-sdk-php-.*\.zip$/ },
];

/** The kinds of files that a release lacks. */
export function missingKinds(names: Iterable<string>): string[] {
  const given = [...names];
  return KINDS.filter(({ name }) => !given.some((one) => name.test(one))).map(({ what }) => what);
}

/**
 * The files of a release with their SHA-256, without statement, bundle, checksums and signatures.
 *
 * @throws Error where the folder is empty or has a file of another version
 */
export function releaseFiles(folder: string, version: string): Map<string, string> {
  const own: readonly string[] = [CHECKSUMS, SIGNATURE, statementName(version), bundleName(version)];
  const names = readdirSync(folder)
    .filter((name) => !own.includes(name) && !name.endsWith(MINISIGN))
    .toSorted();
  if (names.length === 0) throw new Error(`${folder} has no file to sign.`);
  const others = names.filter((name) => !new RegExp(`[-_]${version.replaceAll(".", "\\.")}(?![\\d])(?!\\.\\d)`).test(name));
  if (others.length > 0) throw new Error(`These files are not of ${version}: ${others.join(", ")}.`);
  return new Map(names.map((name) => [name, hashOf(join(folder, name))]));
}

/**
 * The images in those archives, by the SHA-256 under which a registry has them.
 *
 * @throws Error where an archive is none of one OCI image
 */
export function releaseImages(folder: string, names: Iterable<string>): Map<string, string> {
  const archives = [...names].filter((name) => IMAGE.test(name));
  return new Map(archives.map((name) => [imageOf(name), imageDigest(join(folder, name)).slice("sha256:".length)]));
}

const imageOf = (archive: string) => `oci:${archive.replace(/\.tar$/, "")}`;
