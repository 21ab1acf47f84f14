import { spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { addToRepository } from "./apt-repository.ts";
import { fingerprintOf, signText } from "./openpgp.ts";

/** apt itself reads what is published, with nothing of this machine's settings. */

const { privateKey: KEY } = generateKeyPairSync("ed25519");
const NOW = new Date("2026-11-29T12:00:00Z");
let work: string;
let repository: string;

beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), "settlement-apt-"));
  chmodSync(work, 0o755);
  repository = join(work, "published");
});
afterEach(() => rmSync(work, { recursive: true, force: true }));

function pack(version: string, name = "settlement-service"): string {
  const tree = join(work, `${name}-${version}`);
  mkdirSync(join(tree, "DEBIAN"), { recursive: true });
  const control = `Package: ${name}\nVersion: ${version}\nArchitecture: all\nMaintainer: Nobody <nobody@localhost>\nDescription: a package\n of two lines\n`;
  writeFileSync(join(tree, "DEBIAN", "control"), control);
  const file = join(work, `${name}_${version}_all.deb`);
  expect(spawnSync("dpkg-deb", ["--root-owner-group", "--build", tree, file]).status).toBe(0);
  return file;
}

/** An apt of its own: its source is written as the runbook has it. */
function apt(program: "apt-get" | "apt-cache", ...args: string[]): { status: number | null; said: string } {
  const home = join(work, "apt");
  for (const folder of ["lists/partial", "cache/archives/partial"]) mkdirSync(join(home, folder), { recursive: true });
  writeFileSync(join(home, "status"), "");
  writeFileSync(join(home, "sources.list"), `deb [signed-by=${repository}/settlement-service.asc] file:${repository} stable main\n`);
  const settings = {
    "Dir::Etc::SourceList": join(home, "sources.list"),
    "Dir::Etc::SourceParts": "/dev/null",
    "Dir::Etc::Parts": "/dev/null",
    "Dir::Etc::Preferences": "/dev/null",
    "Dir::Etc::PreferencesParts": "/dev/null",
    "Dir::State::Lists": join(home, "lists"),
    "Dir::State::Status": join(home, "status"),
    "Dir::Cache": join(home, "cache"),
    "APT::Sandbox::User": "root",
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ["-o", `${name}=${value}`]);
  const { status, stdout, stderr } = spawnSync(program, [...options, ...args], {
    cwd: work,
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C" },
  });
  return { status, said: `${stdout}${stderr}` };
}

test("apt takes the newest version, and an older one where it is asked for it", () => {
  addToRepository(repository, [pack("1.2.0")], KEY, NOW);
  addToRepository(repository, [pack("1.10.0")], KEY, NOW);
  expect(apt("apt-get", "update")).toEqual({ status: 0, said: expect.not.stringMatching(/W:|E:/) });
  expect(apt("apt-cache", "policy", "settlement-service").said).toContain("Candidate: 1.10.0");
  for (const version of ["1.10.0", "1.2.0"]) {
    const file = join(work, `settlement-service_${version}_all.deb`);
    const bytes = readFileSync(file);
    rmSync(file);
    expect(apt("apt-get", "download", `settlement-service=${version}`).status).toBe(0);
    expect(readFileSync(file).equals(bytes)).toBe(true);
  }
});

test("apt refuses a changed list, a changed package and another key", () => {
  const file = pack("1.2.0");
  addToRepository(repository, [file], KEY, NOW);
  rmSync(file);
  const release = join(repository, "dists", "stable", "InRelease");
  const signed = readFileSync(release, "utf8");
  writeFileSync(release, signed.replace("Label: settlement-service", "Label: settlement-servicf"));
  expect(apt("apt-get", "update").said).toMatch(/BADSIG|invalid|Bad signature/i);
  const { privateKey: other } = generateKeyPairSync("ed25519");
  writeFileSync(release, signText(readFileSync(join(repository, "dists", "stable", "Release"), "utf8"), other, NOW.getTime() / 1_000));
  expect(apt("apt-get", "update").said).toMatch(new RegExp(`(?:NO_PUBKEY|Missing key) .*${fingerprintOf(other).slice(-16)}`));
  writeFileSync(release, signed);
  expect(apt("apt-get", "update").status).toBe(0);
  appendFileSync(join(repository, "pool", "main", "settlement-service", "settlement-service_1.2.0_all.deb"), "!");
  const changed = apt("apt-get", "download", "settlement-service");
  expect([changed.status === 0, changed.said]).toEqual([false, expect.stringMatching(/unexpected size|Hash Sum mismatch/)]);
});

test("a package of the same version with other bytes is refused, and so is another package", () => {
  const file = pack("1.2.0");
  addToRepository(repository, [file], KEY, NOW);
  appendFileSync(file, "!");
  expect(() => addToRepository(repository, [file], KEY, NOW)).toThrow(/give it a new version/);
  expect(() => addToRepository(repository, [pack("1.2.0", "something-else")], KEY, NOW)).toThrow(/is no package of settlement-service/);
});
