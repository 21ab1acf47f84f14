/** `node scripts/pack-sdks.ts [FOLDER]`: the SDKs as they are given to partners, an npm tarball and a wheel. */
import { execFile } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "./suites.ts";

const run = promisify(execFile);

/** Compiles and packs the TypeScript SDK; answers the tarball's path. */
export async function packTypeScript(folder: string): Promise<string> {
  const home = join(ROOT, "sdk", "typescript");
  rmSync(join(home, "dist"), { recursive: true, force: true });
  await run(process.execPath, [join(ROOT, "node_modules", "typescript", "bin", "tsc"), "-p", home]);
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", folder], { cwd: home, shell: process.platform === "win32" });
  const [{ filename }]: [{ filename: string }] = JSON.parse(stdout);
  return join(folder, filename);
}

/** Builds the Python SDK's wheel; answers its path. */
export async function packPython(folder: string): Promise<string> {
  const { stdout } = await run("python3", [join(ROOT, "sdk", "python", "build_backend.py"), folder]);
  return join(folder, stdout.trim());
}

if (import.meta.main) {
  const folder = resolve(process.argv[2] ?? join(ROOT, "sdk", "dist"));
  mkdirSync(folder, { recursive: true });
  for (const pack of [packTypeScript, packPython]) process.stdout.write(`${await pack(folder)}\n`);
}
