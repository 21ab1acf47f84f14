/**
 * `npm run package` builds the package for Debian and its derivatives into `dist`, with its SBOM (CycloneDX) and SHA256SUMS of both. The
 * same build, packed twice, has the same bytes; times are those of the last commit (or SOURCE_DATE_EPOCH).
 *
 * `-- --version 1.2.3` sets another version than package.json's, `--target FOLDER` another folder. `--tree FOLDER` lays out an installation
 * there instead, without a Node, for a container image.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { z } from "zod";
import { runCommand } from "#scripts/command.ts";
import { writeChecksums } from "./checksums.ts";
import { buildDeb } from "./deb.ts";
import { layOut } from "./lay-out.ts";
import { sbomOf } from "./sbom-of.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const text = { type: "string" } as const;

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { version: text, target: text, tree: text } });
  if (values.tree !== undefined) {
    layOut(ROOT, resolve(values.tree), { withNode: false });
    return 0;
  }
  const version =
    values.version ?? z.object({ version: z.string() }).parse(JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"))).version;
  const target = resolve(values.target ?? join(ROOT, "dist"));
  const epochSeconds = lastChange();
  const work = mkdtempSync(join(tmpdir(), "settlement-package-"));
  try {
    const file = buildDeb({ root: ROOT, work, version, epochSeconds, target });
    const sbom = `${file}.cdx.json`;
    writeFileSync(sbom, `${JSON.stringify(sbomOf(ROOT, epochSeconds), null, 2)}\n`);
    const sums = writeChecksums(
      target,
      [file, sbom].map((one) => basename(one)),
    );
    process.stdout.write(`${[file, sbom, sums].join("\n")}\n`);
    return 0;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function lastChange(): number {
  const epoch = process.env.SOURCE_DATE_EPOCH ?? "";
  if (/^\d+$/.test(epoch)) return Number(epoch);
  try {
    return Number(execFileSync("git", ["log", "-1", "--format=%ct"], { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
  } catch {
    throw new Error("This is no clone of git: say when it was changed, in SOURCE_DATE_EPOCH (seconds since 1970).");
  }
}

await runCommand(main);
