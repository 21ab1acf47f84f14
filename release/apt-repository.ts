/**
 * `RELEASE_KEY=key.pem npm run release:apt -- FOLDER FILE.deb …`, on the machine that has the key: adds packages to a repository for apt, and
 * signs it. FOLDER is served as it is by any web server. Packages that it has stay, so that an operator can go back. Lists are there under
 * their hashes as well (`Acquire-By-Hash`): publish `pool` and `by-hash` first, then the rest, and no reader meets half of an update.
 */
import { execFileSync } from "node:child_process";
import { createHash, createPrivateKey, type KeyObject } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { runCommand } from "#scripts/command.ts";
import { hashOf } from "#scripts/prepare/official-node.mjs";
import { fingerprintOf, openPgpKey, signBytes, signText } from "./openpgp.ts";
import { expectPublished } from "./sign-release.ts";

const NAME = "settlement-service";
const SUITE = "stable";
const COMPONENT = "main";
const POOL = join("pool", COMPONENT, NAME);
const KEY = `${NAME}.asc`;

/**
 * Adds these files, and writes the lists and signatures again. `now`: the date of the lists. It answers the fingerprint of the key.
 *
 * @throws Error where a file is no package of the service, or has the version of another file in the repository
 */
export function addToRepository(folder: string, files: readonly string[], key: KeyObject, now: Date): string {
  mkdirSync(join(folder, POOL), { recursive: true });
  for (const file of files) {
    if (!new RegExp(`^Package: ${NAME}$`, "m").test(controlOf(file))) throw new Error(`${file} is no package of ${NAME}.`);
    const target = join(folder, POOL, basename(file));
    if (existsSync(target) && hashOf(target) !== hashOf(file))
      throw new Error(`The repository has another ${basename(file)}: give it a new version.`);
    copyFileSync(file, target);
  }
  const suite = join(folder, "dists", SUITE);
  const lists = [...byArchitecture(folder)].flatMap(([architecture, stanzas]) => {
    const text = Buffer.from(stanzas.join("\n"));
    const at = join(COMPONENT, `binary-${architecture}`);
    return [writeList(suite, at, "Packages", text), writeList(suite, at, "Packages.gz", gzipSync(text, { level: 9 }))];
  });
  const release = releaseOf([...byArchitecture(folder).keys()], lists, now);
  const seconds = Math.floor(now.getTime() / 1_000);
  writeFileSync(join(suite, "Release"), release);
  writeFileSync(join(suite, "Release.gpg"), signBytes(Buffer.from(release), key, seconds));
  writeFileSync(join(suite, "InRelease"), signText(release, key, seconds));
  writeFileSync(join(folder, KEY), openPgpKey(key));
  return fingerprintOf(key);
}

/** What dpkg knows of a package, in the form of a list. */
function controlOf(file: string): string {
  return execFileSync("dpkg-deb", ["--field", file], { encoding: "utf8" }).trimEnd();
}

/** The stanzas of all packages, in the order of their names. */
function byArchitecture(folder: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const name of readdirSync(join(folder, POOL)).toSorted()) {
    const file = join(folder, POOL, name);
    const control = controlOf(file);
    const [, architecture = ""] = /^Architecture: (\S+)$/m.exec(control) ?? [];
    const stanza = `${control}\nFilename: ${POOL}/${name}\nSize: ${statSync(file).size}\nSHA256: ${hashOf(file)}\n`;
    found.set(architecture, [...(found.get(architecture) ?? []), stanza]);
  }
  return found;
}

/** Writes a list, also under its hash; answers its line in `Release`. */
function writeList(suite: string, at: string, name: string, bytes: Buffer): string {
  const hash = createHash("sha256").update(bytes).digest("hex");
  const byHash = join(suite, at, "by-hash", "SHA256");
  mkdirSync(byHash, { recursive: true });
  for (const path of [join(byHash, hash), join(suite, at, name)]) writeFileSync(path, bytes);
  return ` ${hash} ${bytes.length} ${at}/${name}`;
}

function releaseOf(architectures: readonly string[], lists: readonly string[], now: Date): string {
  const fields = [
    `Origin: ${NAME}`,
    `Label: ${NAME}`,
    `Suite: ${SUITE}`,
    `Codename: ${SUITE}`,
    `Date: ${now.toUTCString().replace("GMT", "UTC")}`,
    "Acquire-By-Hash: yes",
    `Architectures: ${architectures.join(" ")}`,
    `Components: ${COMPONENT}`,
    "SHA256:",
  ];
  return `${[...fields, ...lists].join("\n")}\n`;
}

if (import.meta.main)
  await runCommand(async () => {
    const [folder, ...files] = process.argv.slice(2);
    const { RELEASE_KEY: file, RELEASE_KEY_PASSPHRASE: passphrase } = process.env;
    if (folder === undefined || files.length === 0 || !file)
      throw new Error("Usage: RELEASE_KEY=key.pem npm run release:apt -- FOLDER FILE.deb …");
    const key = createPrivateKey({ key: readFileSync(file), passphrase });
    expectPublished(key);
    const fingerprint = addToRepository(resolve(folder), files, key, new Date());
    process.stdout.write(`Signed by ${fingerprint}. Publish ${folder}: pool and by-hash first.\n`);
    return 0;
  });
