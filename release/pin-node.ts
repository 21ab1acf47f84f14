/**
 * `npm run release:pin-node -- 24.22.0 SHASUMS256.txt ARCHIVE…`: keeps the hashes of the official Node, by the list that nodejs.org
 * publishes, once its signature is verified (CONTRIBUTING.md). ARCHIVEs are `node-v24.22.0-linux-x64.tar.xz` and the one for arm64. Windows'
 * program has a line of its own.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { runCommand } from "#scripts/command.ts";
import { hashOf } from "#scripts/prepare/official-node.mjs";
import { ROOT } from "#scripts/suites.ts";

type Program = { published: string; published_sha256: string; sha256: string };

/**
 * The hashes by machine.
 *
 * @throws Error where an archive is not the one on the list, or of another version or machine
 */
export function pinNode(
  version: string,
  list: string,
  archives: readonly string[],
): { version: string; programs: Record<string, Program> } {
  const published = new Map(
    list
      .trimEnd()
      .split("\n")
      .map((line) => [line.slice(66).trim(), line.slice(0, 64)]),
  );
  const programs: Record<string, Program> = {};
  for (const archive of archives) {
    const name = basename(archive);
    const machine = new RegExp(`^node-v${version.replaceAll(".", "\\.")}-(linux-(?:x64|arm64))\\.tar\\.[gx]z$`).exec(name)?.[1];
    if (machine === undefined) throw new Error(`${name} is no archive of Node ${version} for Linux.`);
    const hash = hashOf(archive);
    if (published.get(name) !== hash) throw new Error(`${name} is not what the list names: its SHA-256 is ${hash}.`);
    const program = execFileSync("tar", ["-xOf", archive, `node-v${version}-${machine}/bin/node`], { maxBuffer: 1 << 30 });
    programs[machine] = { published: name, published_sha256: hash, sha256: createHash("sha256").update(program).digest("hex") };
  }
  const windows = published.get("win-x64/node.exe");
  if (windows !== undefined) programs["win32-x64"] = { published: "win-x64/node.exe", published_sha256: windows, sha256: windows };
  return { version, programs };
}

if (import.meta.main)
  await runCommand(async () => {
    const [version = "", list = "", ...archives] = process.argv.slice(2);
    if (archives.length === 0) throw new Error("Usage: npm run release:pin-node -- 24.22.0 SHASUMS256.txt ARCHIVE…");
    const kept = join(ROOT, "scripts", "prepare", "official-node.json");
    writeFileSync(kept, `${JSON.stringify(pinNode(version, readFileSync(list, "utf8"), archives), null, 2)}\n`);
    process.stdout.write(`${kept}\n`);
    return 0;
  });
