import { spawnSync } from "node:child_process";
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ROOT } from "#scripts/suites.ts";
import { publicKeyOf } from "./minisign.ts";
import { makeStatement, signStatement } from "./provenance.ts";
import { bundleName, releaseFiles, releaseImages, statementName } from "./release-files.ts";
import { signRelease } from "./sign-release.ts";
import { verifyRelease } from "./verify-release.ts";

/** Signs a release and verifies it with the runbook's own commands: a fresh machine has both programs. */

const FILES = ["settlement-sdk-1.2.0.tgz", "settlement-service_1.2.0_amd64.deb", "settlement-service_1.2.0_amd64.deb.cdx.json"];
const page = (...path: string[]) => readFileSync(join(ROOT, ...path), "utf8");
let work: string;
let folder: string;
let key: KeyObject;

beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), "settlement-release-"));
  folder = join(work, "given-out");
  mkdirSync(folder);
  for (const name of FILES) writeFileSync(join(folder, name), `bytes of ${name}`);
  key = makeKey();
  attest("1.2.0");
});
afterEach(() => rmSync(work, { recursive: true, force: true }));

/** Made with the commands on the page about releases: `release-key.pem`, and `release-key.pub.pem`. */
function makeKey(): KeyObject {
  const [, commands = ""] = /`(openssl genpkey [^`]*openssl pkey [^`]*)`/.exec(page("CONTRIBUTING.md")) ?? [];
  expect(commands).toContain("release-key.pub.pem");
  const { status, stderr } = spawnSync("/bin/sh", ["-c", commands], { cwd: work });
  expect([status, stderr.toString()]).toEqual([0, ""]);
  return createPrivateKey(readFileSync(join(work, "release-key.pem")));
}

const COMMIT = "c".repeat(40);

function attest(version: string): void {
  const materials = { version, commit: COMMIT, lockfileSha256: "b".repeat(64), nodes: [], finishedOn: "2026-11-28T10:00:00.000Z" };
  const from = { ...materials, baseImage: `node:24.21.0-bookworm-slim@sha256:${"e".repeat(64)}`, builder: "urn:test" };
  const files = releaseFiles(folder, version);
  const all = new Map([...files, ...releaseImages(folder, files.keys())]);
  writeFileSync(join(folder, statementName(version)), JSON.stringify(makeStatement(all, from)));
}

/** Step 1 of the runbook, in the files' folder. */
function verify(): { status: number | null; said: string } {
  const [, commands = ""] = /^1\. `(openssl pkeyutl [^`]*sha256sum [^`]*)`/m.exec(page("docs", "runbooks", "packages.md")) ?? [];
  expect(commands).toContain("-inkey release-key.pub.pem");
  writeFileSync(join(folder, "release-key.pub.pem"), readFileSync(join(work, "release-key.pub.pem")));
  const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", commands], { cwd: folder, encoding: "utf8" });
  rmSync(join(folder, "release-key.pub.pem"));
  return { status, said: `${stdout}${stderr}` };
}

test("what is given out holds against its signature, and so does a part of it", () => {
  expect(signRelease(folder, "1.2.0", key, COMMIT)).toEqual([...FILES, statementName("1.2.0"), bundleName("1.2.0")].toSorted());
  expect(verify()).toEqual({ status: 0, said: expect.stringContaining("settlement-service_1.2.0_amd64.deb: OK") });
  rmSync(join(folder, "settlement-sdk-1.2.0.tgz"));
  expect(verify().status).toBe(0);
});

test("a file that was changed is found, and checksums that were changed with it are, too", () => {
  signRelease(folder, "1.2.0", key, COMMIT);
  appendFileSync(join(folder, "settlement-service_1.2.0_amd64.deb"), "!");
  const changed = verify();
  expect(changed.status).not.toBe(0);
  expect(changed.said).toContain("settlement-service_1.2.0_amd64.deb: FAILED");
  const sums = spawnSync("sha256sum", FILES, { cwd: folder, encoding: "utf8" }).stdout;
  writeFileSync(join(folder, "SHA256SUMS"), sums);
  const both = verify();
  expect([both.status === 0, both.said.includes("OK")]).toEqual([false, false]);
});

test("minisign itself verifies each file, and refuses a changed one, a changed comment and another key", () => {
  signRelease(folder, "1.2.0", key, COMMIT);
  const [file = ""] = FILES;
  const by = (word: string) => spawnSync("minisign", ["-V", "-P", word, "-m", file], { cwd: folder, encoding: "utf8" });
  const own = publicKeyOf(createPublicKey(key));
  for (const name of FILES) expect(readFileSync(join(folder, `${name}.minisig`), "utf8")).toContain(`${name} of settlement-service 1.2.0`);
  const good = by(own);
  expect([good.status, good.stdout]).toEqual([0, expect.stringContaining(`Trusted comment: ${file} of settlement-service 1.2.0`)]);
  expect(by(publicKeyOf(createPublicKey(generateKeyPairSync("ed25519").privateKey))).status).not.toBe(0);
  const signature = join(folder, `${file}.minisig`);
  const text = readFileSync(signature, "utf8");
  writeFileSync(signature, text.replace("service 1.2.0", "service 1.2.1"));
  expect(by(own).status).not.toBe(0);
  expect(() => verifyRelease(folder, "1.2.0", createPublicKey(key))).toThrow(/not those of the release: .*\.minisig/);
  writeFileSync(signature, text);
  appendFileSync(join(folder, file), "!");
  expect(by(own).status).not.toBe(0);
});

/** An archive of one image, as `buildah push oci-archive:` writes it. */
function packImage(layer: string): void {
  const layout = join(work, "layout");
  rmSync(layout, { recursive: true, force: true });
  mkdirSync(join(layout, "blobs", "sha256"), { recursive: true });
  const put = (text: string) => {
    const hex = createHash("sha256").update(text).digest("hex");
    writeFileSync(join(layout, "blobs", "sha256", hex), text);
    return { digest: `sha256:${hex}`, size: text.length };
  };
  const type = (what: string) => `application/vnd.oci.image.${what}`;
  const config = { mediaType: type("config.v1+json"), ...put('{"os":"linux"}') };
  const layers = [{ mediaType: type("layer.v1.tar"), ...put(layer) }];
  const manifest = put(JSON.stringify({ schemaVersion: 2, config, layers }));
  const index = { schemaVersion: 2, manifests: [{ mediaType: type("manifest.v1+json"), ...manifest }] };
  writeFileSync(join(layout, "oci-layout"), '{"imageLayoutVersion":"1.0.0"}');
  writeFileSync(join(layout, "index.json"), JSON.stringify(index));
  expect(spawnSync("tar", ["-cf", join(folder, IMAGE), "-C", layout, "oci-layout", "index.json", "blobs"]).status).toBe(0);
}
const IMAGE = "settlement-service-image_1.2.0_amd64.tar";

test("the attestation names the image by the digest that a registry has it under, and refuses an archive with another content", () => {
  packImage("one layer");
  attest("1.2.0");
  signRelease(folder, "1.2.0", key, COMMIT);
  const { statement } = verifyRelease(folder, "1.2.0", createPublicKey(key));
  const index = JSON.parse(readFileSync(join(work, "layout", "index.json"), "utf8"));
  const named = statement.subject.find(({ name }) => name === "oci:settlement-service-image_1.2.0_amd64");
  expect(`sha256:${named?.digest.sha256}`).toBe(index.manifests[0].digest);
  const layer = createHash("sha256").update("one layer").digest("hex");
  writeFileSync(join(work, "layout", "blobs", "sha256", layer), "another layer");
  spawnSync("tar", ["-cf", join(folder, IMAGE), "-C", join(work, "layout"), "oci-layout", "index.json", "blobs"]);
  expect(() => attest("1.2.0")).toThrow(/has another content/);
  writeFileSync(join(folder, IMAGE), "no archive");
  expect(() => attest("1.2.0")).toThrow(/is no OCI archive/);
});

test("what another key has signed is found", () => {
  signRelease(folder, "1.2.0", generateKeyPairSync("ed25519").privateKey, COMMIT);
  expect(verify().status).not.toBe(0);
});

test("a file of another version, an empty folder and a key of another kind are not signed", () => {
  writeFileSync(join(folder, "settlement-service_1.2.01_amd64.deb"), "");
  expect(() => signRelease(folder, "1.2.0", key, COMMIT)).toThrow(/not of 1\.2\.0: settlement-service_1\.2\.01_amd64\.deb/);
  expect(() => signRelease(folder, "1.1.0", key, COMMIT)).toThrow(/not of 1\.1\.0/);
  mkdirSync(join(work, "empty"));
  expect(() => signRelease(join(work, "empty"), "1.2.0", key, COMMIT)).toThrow(/no file to sign/);
  expect(() => signRelease(folder, "1.2.0", generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey, COMMIT)).toThrow(
    /no Ed25519 key/,
  );
});

test("nothing is signed that was changed, added or lost since it was built, or was built from another commit", () => {
  appendFileSync(join(folder, "settlement-sdk-1.2.0.tgz"), "!");
  expect(() => signRelease(folder, "1.2.0", key, COMMIT)).toThrow(/not those that were built: settlement-sdk-1\.2\.0\.tgz/);
  writeFileSync(join(folder, "settlement-sdk-1.2.0.tgz"), "bytes of settlement-sdk-1.2.0.tgz");
  writeFileSync(join(folder, "more_1.2.0.txt"), "");
  expect(() => signRelease(folder, "1.2.0", key, COMMIT)).toThrow(/not those that were built: more_1\.2\.0\.txt/);
  rmSync(join(folder, "more_1.2.0.txt"));
  rmSync(join(folder, "settlement-service_1.2.0_amd64.deb"));
  expect(() => signRelease(folder, "1.2.0", key, COMMIT)).toThrow(/not those that were built: settlement-service_1\.2\.0_amd64\.deb/);
  writeFileSync(join(folder, "settlement-service_1.2.0_amd64.deb"), "bytes of settlement-service_1.2.0_amd64.deb");
  expect(() => signRelease(folder, "1.2.0", key, "d".repeat(40))).toThrow(/not of 1\.2\.0 at dddd/);
  rmSync(join(folder, statementName("1.2.0")));
  expect(() => signRelease(folder, "1.2.0", key, COMMIT)).toThrow(/release:attest/);
});

test("a clone verifies any of the files with the attestation, and refuses a changed byte in each, a file more and another key", () => {
  signRelease(folder, "1.2.0", key, COMMIT);
  const open = createPublicKey(key);
  const { names, statement } = verifyRelease(folder, "1.2.0", open);
  expect([names.length, statement.predicate.buildDefinition.resolvedDependencies[0]?.digest]).toEqual([5, { gitCommit: COMMIT }]);
  for (const name of [...names, "SHA256SUMS", "SHA256SUMS.sig"]) {
    const bytes = readFileSync(join(folder, name));
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(changed.length >> 1) ^ 1, changed.length >> 1);
    writeFileSync(join(folder, name), changed);
    expect(() => verifyRelease(folder, "1.2.0", open), name).toThrow();
    writeFileSync(join(folder, name), bytes);
  }
  // A correct signature over another statement, put in place of the first one.
  const bundle = readFileSync(join(folder, bundleName("1.2.0")));
  writeFileSync(join(folder, bundleName("1.2.0")), signStatement({ ...statement, subject: statement.subject.slice(1) }, key));
  expect(() => verifyRelease(folder, "1.2.0", open)).toThrow(/not those of the release/);
  writeFileSync(join(folder, bundleName("1.2.0")), bundle);
  writeFileSync(join(folder, "more_1.2.0.txt"), "");
  expect(() => verifyRelease(folder, "1.2.0", open)).toThrow(/not those of the release: more_1\.2\.0\.txt/);
  rmSync(join(folder, "more_1.2.0.txt"));
  expect(() => verifyRelease(folder, "1.2.0", generateKeyPairSync("ed25519").publicKey)).toThrow(/does not verify/);
  rmSync(join(folder, "settlement-sdk-1.2.0.tgz"));
  expect(verifyRelease(folder, "1.2.0", open).names).toHaveLength(4);
});
