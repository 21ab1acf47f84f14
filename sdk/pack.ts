/** `node sdk/pack.ts [FOLDER]`: the SDKs as they are given to partners: npm tarball, wheel, source distribution, and zips for Go and PHP. */
import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { zipOf } from "./zip.ts";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("..", import.meta.url));

/**
 * Compiles the TypeScript SDK, as ES module and for CommonJS, and packs it; answers the tarball's path. All of it happens in a folder of its
 * own, so that several may pack at once.
 */
export async function packTypeScript(folder: string): Promise<string> {
  const source = join(ROOT, "sdk", "typescript");
  const home = mkdtempSync(join(tmpdir(), "settlement-sdk-pack-"));
  try {
    for (const name of ["package.json", ...OTHER_FILES]) copyFileSync(join(source, name), join(home, name));
    const compiler = join(ROOT, "node_modules", "typescript", "bin", "tsc");
    const compile = (...how: string[]) => run(process.execPath, [compiler, "-p", source, ...how]);
    const required = join(home, "dist", "cjs");
    await compile("--outDir", join(home, "dist"));
    await compile("--module", "commonjs", "--verbatimModuleSyntax", "false", "--outDir", required);
    // In an ES module's package, this folder is what its own file says.
    writeFileSync(join(required, "package.json"), '{ "type": "commonjs" }\n');
    const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", resolve(folder)], {
      cwd: home,
      shell: process.platform === "win32",
    });
    const [{ filename }]: [{ filename: string }] = JSON.parse(stdout);
    return join(folder, filename);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const OTHER_FILES = ["CHANGELOG.md", "LICENSE", "README.md"];

/** Builds the Python SDK's wheel; answers its path. */
export async function packPython(folder: string): Promise<string> {
  return await buildPython(folder);
}

/** Builds the Python SDK's source distribution, for registries and for those who build their own wheels; answers its path. */
export async function packPythonSource(folder: string): Promise<string> {
  return await buildPython(folder, "--sdist");
}

async function buildPython(folder: string, ...options: string[]): Promise<string> {
  const { stdout } = await run("python3", [join(ROOT, "sdk", "python", "build_backend.py"), folder, ...options]);
  return join(folder, stdout.trim());
}

/** Archives the Go module without its tests; answers the archive's path. */
export function packGo(folder: string): string {
  return packZip(folder, "go");
}

/** Archives the package for PHP without its tests; answers the archive's path. */
export function packPhp(folder: string): string {
  return packZip(folder, "php");
}

/** Of the same version as the service. */
export function sdkVersion(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  return version;
}

/** The same files make the same archive, in a folder of its name. */
function packZip(folder: string, language: "go" | "php"): string {
  const name = `settlement-sdk-${language}-${sdkVersion()}`;
  const archive = join(folder, `${name}.zip`);
  writeFileSync(archive, zipOf(sourcesOf(language).map(({ path, content }) => ({ name: `${name}/${path}`, content }))));
  return archive;
}

/** Writes what the archive of a language contains, unpacked. */
export function unpackTo(folder: string, language: "go" | "php"): void {
  for (const { path, content } of sourcesOf(language)) {
    const file = join(folder, `settlement-sdk-${language}-${sdkVersion()}`, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

/** The files of an SDK without its tests. */
function sourcesOf(language: "go" | "php"): { path: string; content: Buffer }[] {
  const home = join(ROOT, "sdk", language);
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(home, join(entry.parentPath, entry.name)).replaceAll(sep, "/"))
    .filter((path) => !path.endsWith("_test.go") && !path.startsWith("tests/"))
    .toSorted()
    .map((path) => ({ path, content: readFileSync(join(home, path)) }));
}

if (import.meta.main) {
  const folder = resolve(process.argv[2] ?? join(ROOT, "sdk", "dist"));
  mkdirSync(folder, { recursive: true });
  for (const pack of [packTypeScript, packPython, packPythonSource, packGo, packPhp]) process.stdout.write(`${await pack(folder)}\n`);
}
