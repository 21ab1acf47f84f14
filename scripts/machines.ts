import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { ROOT } from "./suites.ts";

/** A typical machine: a Node, and the npm that comes with it. */
export type Machine = { node: string; npm: string };

export const MACHINES: readonly Machine[] = [
  { node: "18.20.8", npm: "9.9.4" },
  { node: "18.20.8", npm: "10.8.2" },
  { node: "20.20.2", npm: "10.8.2" },
  { node: "22.22.3", npm: "10.9.9" },
  { node: "24.18.0", npm: "11.19.1" },
];

const FOLDER = join(ROOT, "node_modules", ".cache", "settlement", "machines");
const Runtime = z.object({ bin: z.object({ node: z.string() }) });

/** Makes sure that all of them are here: fetched once, through npm, from where the packages come. */
export function fetchMachines(): void {
  const wanted = Object.fromEntries([
    ...MACHINES.map(({ node }) => [`node-${node}`, `npm:${runtimeName()}@${node}`]),
    ...MACHINES.map(({ npm }) => [`npm-${npm}`, `npm:npm@${npm}`]),
  ]);
  const content = JSON.stringify({ private: true, dependencies: wanted });
  const done = join(FOLDER, "fetched");
  if (existsSync(done) && readFileSync(done, "utf8") === content) return;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, "package.json"), content);
  const options = ["install", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status, stderr } = spawnSync("npm", options, { cwd: FOLDER, encoding: "utf8" });
  if (status !== 0) throw new Error(`The Nodes and npms to try the installation with cannot be had: npm wants its registry.\n${stderr}`);
  for (const machine of MACHINES) layOut(machine);
  writeFileSync(done, content);
}

/** A folder for the PATH, with that Node and that npm in it. */
function layOut(machine: Machine): void {
  const bin = binOf(machine);
  rmSync(bin, { recursive: true, force: true });
  mkdirSync(bin, { recursive: true });
  const runtime = join(FOLDER, "node_modules", `node-${machine.node}`);
  const { bin: programs } = Runtime.parse(JSON.parse(readFileSync(join(runtime, "package.json"), "utf8")));
  symlinkSync(join(runtime, programs.node), join(bin, "node"));
  symlinkSync(join(FOLDER, "node_modules", `npm-${machine.npm}`, "bin", "npm-cli.js"), join(bin, "npm"));
}

function binOf({ node, npm }: Machine): string {
  return join(FOLDER, `${node}-${npm}`);
}

/** The package that carries Node for this platform is also there in older versions. */
function runtimeName(): string {
  const Lockfile = z.object({
    packages: z.record(z.string(), z.looseObject({ os: z.unknown(), cpu: z.unknown(), bin: z.unknown() }).partial()),
  });
  const { packages } = Lockfile.parse(JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")));
  const isOurs = (value: unknown, own: string) => [value].flat().includes(own);
  const found = Object.entries(packages).find(
    ([, entry]) => Runtime.safeParse(entry).success && isOurs(entry.os, process.platform) && isOurs(entry.cpu, process.arch),
  );
  if (!found) throw new Error(`no package carries Node for ${process.platform}-${process.arch}`);
  return found[0].replace("node_modules/", "");
}

/** The packages of a scope that are installed in a clone. An npm before 11 leaves the empty folder of a skipped one. */
export function installedOf(scope: string, clone: string): string[] {
  const folder = join(clone, "node_modules", scope);
  return existsSync(folder) ? readdirSync(folder) : [];
}

export type OnMachine = { output: () => string; exit: Promise<number | string>; end(signal: NodeJS.Signals): void };

/**
 * Runs npm like a user of that machine: without our own Node or npm on its PATH, and in its environment. The trusted certificates stay:
 * without them npm tries for minutes to reach a registry behind a local proxy.
 */
export function npmOn(machine: Machine, cwd: string, args: readonly string[], env: Record<string, string> = {}): OnMachine {
  const own: NodeJS.ProcessEnv = { ...process.env, PATH: `${binOf(machine)}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin`, ...env };
  for (const name of Object.keys(own))
    if (/^(npm_(?!config_)|NODE(?!_EXTRA_CA_CERTS$)|INIT_CWD$|VITEST|VITE_)/i.test(name)) delete own[name];
  const child = spawn(join(binOf(machine), "npm"), args, {
    cwd,
    env: own,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += String(chunk);
    });
  }
  const exit = new Promise<number | string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code, signal) => resolve(code ?? signal ?? ""));
  });
  // As Ctrl-C in a terminal does: to all of its group, since npm 9 passes nothing on.
  const end = (signal: NodeJS.Signals) => void (child.pid !== undefined && process.kill(-child.pid, signal));
  return { output: () => output, exit, end };
}
