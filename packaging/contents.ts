import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { wantedPackages } from "#scripts/prepare/packages.mjs";
import { runtimePackage } from "#scripts/prepare/runtime.mjs";
import { COMMANDS } from "./commands.ts";

/** What an installation from a package consists of: the built pages, the code that runs, the packages that it loads, the Node it runs on. */

const Lockfile = z.looseObject({
  packages: z.record(z.string(), z.looseObject({ version: z.string().optional(), optional: z.boolean().optional() })),
});

/** Rooms whose code runs in live mode. The pages are in the build. */
const ROOMS = ["contract", "db", "domain", "server"];
const FILES = [
  "package.json",
  "next.config.mjs",
  "LICENSE",
  "scripts/archive-files.ts",
  "scripts/books.ts",
  "scripts/compare-lapsing.ts",
  "scripts/command.ts",
  "scripts/finding-line.ts",
  "scripts/kept-evidence.ts",
  "scripts/put-in-place.ts",
  "scripts/restored-copy.ts",
  "scripts/wired.ts",
  "packaging/check-health.ts",
  "packaging/commands.ts",
  "packaging/pause-between-starts.ts",
  "packaging/run-command.ts",
  ...Object.values(COMMANDS),
];
/**
 * Documentation for operators, and the files for Prometheus, Grafana and PostgreSQL, in the same places as here, so that their links work.
 */
const DOCUMENTS = [".env.example", "CHANGELOG.md", "SECURITY.md"];
/** For who works on the code, and pictures. */
const NOT_OF_DOCUMENTS = /^docs\/(?:architecture|console)\.md$|^docs\/images\//;
/** Parts of the build that only the build or a debugger uses. */
const NOT_OF_BUILD = /^\.next\/(?:cache|diagnostics|types|trace|trace-build|turbopack|built-from|lock)(?:\/|$)|\.map$|\.nft\.json$/;
/** Tests, what only they read, and the databases that upgrades are tried on. */
const NOT_OF_ROOMS = /\.test\.tsx?$|-fixture\.ts$|^db\/migrations\/seeds\//;

/** What Next and TypeScript need only for building and tests; images are served unoptimised (`images.unoptimized`). */
export const BUILD_ONLY =
  /^(?:@playwright\/test|playwright|playwright-core|typescript|@typescript\/.*|@types\/.*|undici-types|csstype|@next\/swc-.*|@swc\/helpers-.*|sharp|@img\/.*|baseline-browser-mapping|caniuse-lite)$/;
/** Of packages: what C++ was compiled in, and what only a debugger or a compiler reads. */
const NOT_OF_PACKAGES = /\.(?:map|d\.[cm]?ts|tsbuildinfo)$|^node_modules\/pkcs11js\/build\/(?!Release\/[^/]+\.node$)/;

/** The installation's own Node. */
export const NODE = "bin/node";

export type Package = { name: string; version: string; folder: string };

/** The packages of a live installation on this machine, by the lockfile, without those for other machines. */
export function livePackages(root: string): { runtime: Package; packages: Package[] } {
  const lockfile = Lockfile.parse(JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")));
  const place = runtimePackage(lockfile);
  if (place === null) throw new Error("There is no package with a Node for this machine: build the package on Linux, x64 or arm64.");
  const all = wantedPackages(lockfile, true).map(([folder, { version, optional }]) => {
    return { name: folder.split("node_modules/").at(-1) ?? "", version: version ?? "", folder, optional: optional === true };
  });
  const gone = all.filter(({ name, folder, optional }) => !optional && !BUILD_ONLY.test(name) && !existsSync(join(root, folder)));
  if (gone.length > 0) throw new Error(`node_modules lacks ${gone.map(({ name }) => name).join(", ")}: npm ci --omit=dev`);
  const here = all.filter(({ folder }) => existsSync(join(root, folder)));
  const runtime = here.find(({ folder }) => folder === place);
  if (runtime === undefined) throw new Error(`node_modules lacks ${place}: npm ci --omit=dev --include=optional`);
  const isRuntime = (name: string) => /^node-(?:bin-)?(?:linux|darwin|win)-/.test(name);
  return { runtime, packages: here.filter(({ name }) => !BUILD_ONLY.test(name) && !isRuntime(name)) };
}

/** Every file of an installation, by its path there and in the project. Links are named as what they are, and lead where they led. */
export function contents(root: string): Map<string, string> {
  const { runtime, packages } = livePackages(root);
  if (!existsSync(join(root, ".next", "BUILD_ID"))) throw new Error("The pages are not built: npm run build.");
  const found = new Map<string, string>([[NODE, join(runtime.folder, "bin", "node")]]);
  const add = (paths: readonly string[]) => {
    for (const path of paths) found.set(path, path);
  };
  add(codeOf(root));
  add(walk(root, ".next").filter((path) => !NOT_OF_BUILD.test(path)));
  for (const { folder } of packages) add(walk(root, folder, "node_modules").filter((path) => !NOT_OF_PACKAGES.test(path)));
  return new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Its own code, besides the build. */
export function codeOf(root: string): string[] {
  return [...FILES, ...ROOMS.flatMap((room) => walk(root, room).filter((path) => !NOT_OF_ROOMS.test(path)))];
}

/** Documentation in an installation. */
export function documentsOf(root: string): string[] {
  return [...DOCUMENTS, ...["docs", "ops"].flatMap((folder) => walk(root, folder)).filter((path) => !NOT_OF_DOCUMENTS.test(path))];
}

/** Files and links below a folder, without nested packages, which the lockfile lists separately. */
function walk(root: string, folder: string, without?: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (!entry.isDirectory()) return [path];
    return entry.name === without ? [] : walk(root, path, without);
  });
}
