/**
 * `npm run release:attest -- 1.2.0 [FOLDER]`, on the machine that builds, once FOLDER (default `dist`) has every file of the release: writes
 * the statement about where they come from (`settlement-service_1.2.0.provenance.json`, SLSA's predicate), for `release:sign`. It refuses a
 * tree with changes, a missing kind of file, and a package whose Node is not the one of nodejs.org. `RELEASE_BUILDER` names the build
 * platform by a URI; left out, it is a maintainer's machine.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { runCommand } from "#scripts/command.ts";
import { hashOf, OFFICIAL, officialProgram, refuseOtherNode } from "#scripts/prepare/official-node.mjs";
import { ROOT } from "#scripts/suites.ts";
import { type Materials, makeStatement } from "./provenance.ts";
import { missingKinds, releaseFiles, releaseImages, statementName } from "./release-files.ts";

/** Debian's names of what Node calls otherwise. */
const ARCHITECTURES: Readonly<Record<string, string>> = { amd64: "x64", arm64: "arm64" };

/** @throws Trouble where the Node in the package differs by a byte from that program */
export function refuseOtherNodeIn(deb: string, program: { sha256: string }): void {
  const folder = mkdtempSync(join(tmpdir(), "settlement-attest-"));
  try {
    const unpacked = spawnSync("dpkg-deb", ["--extract", deb, folder], { encoding: "utf8" });
    if (unpacked.status !== 0) throw new Error(`${deb} cannot be unpacked: ${unpacked.stderr}`);
    refuseOtherNode(join(folder, "usr", "lib", "settlement-service", "bin", "node"), program);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The image's base, from the Dockerfile. @throws Error where it is not named by digest */
export function baseImageOf(dockerfile: string): string {
  const image = /^ARG NODE_IMAGE=(\S+:\S+@sha256:[0-9a-f]{64})$/m.exec(dockerfile)?.[1];
  if (image === undefined) throw new Error("The Dockerfile does not name its base image by digest.");
  return image;
}

function attest(folder: string, version: string): string {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).trim();
  if (git("status", "--porcelain") !== "") throw new Error("This tree has changes that no commit has: build from a clean one.");
  const files = releaseFiles(folder, version);
  const missing = missingKinds(files.keys());
  if (missing.length > 0) throw new Error(`${folder} lacks ${missing.join("; ")}.`);
  const debs = [...files.keys()].filter((name) => name.endsWith(".deb"));
  const programs = debs.map((name) => {
    const architecture = /_([a-z0-9]+)\.deb$/.exec(name)?.[1] ?? "";
    const program = officialProgram("linux", ARCHITECTURES[architecture] ?? "unknown");
    if (program === undefined) throw new Error(`No hash of the official Node is kept for ${architecture}.`);
    refuseOtherNodeIn(join(folder, name), program);
    return program;
  });
  const materials: Materials = {
    version,
    commit: git("rev-parse", "HEAD"),
    lockfileSha256: hashOf(join(ROOT, "package-lock.json")),
    nodes: programs.map(({ published, published_sha256 }) => ({ version: OFFICIAL.version, published, published_sha256 })),
    baseImage: baseImageOf(readFileSync(join(ROOT, "Dockerfile"), "utf8")),
    builder: process.env.RELEASE_BUILDER || "urn:settlement-service:builder:maintainer",
    finishedOn: new Date().toISOString(),
  };
  const path = join(folder, statementName(version));
  const all = new Map([...files, ...releaseImages(folder, files.keys())]);
  writeFileSync(path, `${JSON.stringify(makeStatement(all, materials), null, 2)}\n`);
  return path;
}

if (import.meta.main)
  await runCommand(async () => {
    const [version = "", folder = join(ROOT, "dist")] = process.argv.slice(2);
    if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error("Usage: npm run release:attest -- 1.2.0 [FOLDER]");
    process.stdout.write(`${attest(resolve(folder), version)}\n`);
    return 0;
  });
