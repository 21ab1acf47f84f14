import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { ROOT } from "./suites.ts";

const LAWLESS = join(ROOT, "scripts", "fixtures", "lawless");

/**
 * A rule that catches nothing looks like a rule that nobody breaks. So this tests the import map of `biome.json` on files that break it:
 * exactly the lines marked `// forbidden` must be reported, and none marked `// allowed`.
 *
 * @returns the problems, a line each; empty when the map works
 */
export async function checkImportMap(): Promise<string> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "settlement-lawless-")));
  try {
    layOut(folder);
    for (const file of ["biome.json", "biome.imports.json"]) copyFileSync(join(ROOT, file), join(folder, file));
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
    const caught = new Set(complaintsIn(folder));
    const wrong = namesOfNothing(folder);
    for (const { place, forbidden } of markedLines(folder)) {
      if (forbidden && !caught.has(place)) wrong.push(`not caught: ${place}`);
      if (!forbidden && caught.has(place)) wrong.push(`refused though allowed: ${place}`);
    }
    return wrong.join("\n");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** They carry `.txt` behind their names, so that no other tool takes them for code. */
function layOut(folder: string): void {
  for (const file of readdirSync(LAWLESS, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts.txt"))) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    copyFileSync(join(LAWLESS, file), join(folder, file.slice(0, -".txt".length)));
  }
}

/** A line that names what is gone would be refused, or allowed, for nothing. */
function namesOfNothing(folder: string): string[] {
  return lawlessFiles(folder).flatMap((file) =>
    [...readFileSync(join(folder, file), "utf8").matchAll(/"#([^"]+)"/g)].flatMap(([, name = ""]) =>
      existsSync(join(ROOT, name)) ? [] : [`${file} names ${name}, which is not there`],
    ),
  );
}

function lawlessFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !file.startsWith("node_modules"),
  );
}

function complaintsIn(folder: string): string[] {
  const biome = join(ROOT, "node_modules", "@biomejs", "biome", "bin", "biome");
  const args = [
    biome,
    "lint",
    "--vcs-enabled=false",
    "--only=style/noRestrictedImports",
    "--reporter=github",
    "--max-diagnostics=none",
    ".",
  ];
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  return [...stdout.matchAll(/^::error title=lint\/style\/noRestrictedImports,file=(.+?),line=(\d+),/gm)].map(
    ([, file = "", line]) => `${relative(folder, file)}:${line}`,
  );
}

function markedLines(folder: string): { place: string; forbidden: boolean }[] {
  const marked = lawlessFiles(folder).flatMap((file) =>
    readFileSync(join(folder, file), "utf8")
      .split("\n")
      .map((text, index) => ({ place: `${file}:${index + 1}`, text }))
      .filter(({ text }) => /\/\/ (forbidden|allowed)$/.test(text))
      .map(({ place, text }) => ({ place, forbidden: text.endsWith("forbidden") })),
  );
  if (marked.length === 0) throw new Error("the lawless files are missing");
  return marked;
}
