import { spawnSync } from "node:child_process";
import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ROOT } from "#scripts/suites.ts";
import { signRelease } from "./sign-release.ts";

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
  expect(signRelease(folder, "1.2.0", key)).toEqual(FILES);
  expect(verify()).toEqual({ status: 0, said: expect.stringContaining("settlement-service_1.2.0_amd64.deb: OK") });
  rmSync(join(folder, "settlement-sdk-1.2.0.tgz"));
  expect(verify().status).toBe(0);
});

test("a file that was changed is found, and checksums that were changed with it are, too", () => {
  signRelease(folder, "1.2.0", key);
  appendFileSync(join(folder, "settlement-service_1.2.0_amd64.deb"), "!");
  const changed = verify();
  expect(changed.status).not.toBe(0);
  expect(changed.said).toContain("settlement-service_1.2.0_amd64.deb: FAILED");
  const sums = spawnSync("sha256sum", FILES, { cwd: folder, encoding: "utf8" }).stdout;
  writeFileSync(join(folder, "SHA256SUMS"), sums);
  const both = verify();
  expect([both.status === 0, both.said.includes("OK")]).toEqual([false, false]);
});

test("what another key has signed is found", () => {
  signRelease(folder, "1.2.0", generateKeyPairSync("ed25519").privateKey);
  expect(verify().status).not.toBe(0);
});

test("a file of another version, an empty folder and a key of another kind are not signed", () => {
  writeFileSync(join(folder, "settlement-service_1.2.01_amd64.deb"), "");
  expect(() => signRelease(folder, "1.2.0", key)).toThrow(/not of 1\.2\.0: settlement-service_1\.2\.01_amd64\.deb/);
  expect(() => signRelease(folder, "1.1.0", key)).toThrow(/not of 1\.1\.0/);
  mkdirSync(join(work, "empty"));
  expect(() => signRelease(join(work, "empty"), "1.2.0", key)).toThrow(/no file to sign/);
  expect(() => signRelease(folder, "1.2.0", generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey)).toThrow(/no Ed25519 key/);
});
