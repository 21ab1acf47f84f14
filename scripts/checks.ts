import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { findUntruths } from "./documents.ts";
import { checkImportMap } from "./import-map.ts";
import { type Outcome, ROOT } from "./suites.ts";
import { findUntidiness } from "./tidy.ts";

/** A check returns its findings; empty: passed. */
type Check = { name: string; find: () => Promise<string> };

const bin = (...path: string[]) => join(ROOT, "node_modules", ...path);

const CHECKS: readonly Check[] = [
  { name: "Types (tsc)", find: () => complaints(bin("typescript", "bin", "tsc"), "--noEmit", "-p", ".") },
  {
    name: "Format, lint and imports (biome)",
    find: () => complaints(bin("@biomejs", "biome", "bin", "biome"), "check", "--error-on-warnings", "."),
  },
  { name: "The import map refuses the lawless", find: checkImportMap },
  { name: "Unused code and dependencies (knip)", find: () => complaints(bin("knip", "bin", "knip.js")) },
  { name: "Migrations in step with the schema", find: () => complaints(join("scripts", "migration.ts"), "--check") },
  { name: "Generated documents in step with the code", find: checkGenerated },
  { name: "Rooms and paths that documents name", find: async () => findUntruths(ROOT).join("\n") },
  { name: "House rules (tidy)", find: async () => findUntidiness(ROOT).join("\n") },
];

/** Runs every check and shows each with its time; what one found is shown below it. */
export async function runChecks(): Promise<Outcome> {
  let failed = 0;
  for (const { name, find } of CHECKS) {
    const started = Date.now();
    const found = await find().catch((error: unknown) => String(error));
    if (found !== "") failed += 1;
    process.stdout.write(`  ${found === "" ? "✓" : "✗"} ${name} ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
    if (found !== "") process.stdout.write(`${found}\n`);
  }
  return { name: "Checks", passed: CHECKS.length - failed, failed, remark: null };
}

/** The output of a program of the project that failed. */
function complaints(...args: string[]): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        output += String(chunk);
      });
    }
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code) => resolve(code === 0 ? "" : output.trim() || `exit code ${code}`));
  });
}

/** Scripts that write a document out of the code, and with `--check` only compare. */
const GENERATORS = ["import-rules", "lifecycle", "openapi", "dashboards"];

async function checkGenerated(): Promise<string> {
  const found: string[] = [];
  for (const name of GENERATORS) {
    const script = join("scripts", `${name}.ts`);
    if (existsSync(join(ROOT, script))) found.push(await complaints(script, "--check"));
  }
  return found.filter((text) => text !== "").join("\n");
}
