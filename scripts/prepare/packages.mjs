/**
 * Installs what the lockfile says, whatever Node and npm the machine has: all of it, or, for a live service, without what only
 * development, tests and the sandbox use.
 */
import { existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { patchPostgres } from "#scripts/patch-postgres.mjs";
import { shortenDrizzleExports } from "#scripts/shorten-exports.mjs";
import { borrowRuntime, findNode, isForHere, verifyRuntime } from "./runtime.mjs";
import { hash, ROOT, readText, run, Trouble } from "./step.mjs";

/**
 * @param {{ live: boolean }} kind
 * @returns {Promise<string>} the Node to run everything on
 */
export async function installPackages({ live }) {
  const wanted = readText(join(ROOT, "package-lock.json"));
  if (wanted === null) throw new Trouble("package-lock.json is missing: this clone is incomplete.");
  const lockfile = JSON.parse(wanted);
  const stamp = join(ROOT, "node_modules", ".prepared");
  const whole = `${hash(wanted)} ${process.platform} ${process.arch}`;
  const mark = live ? `${whole} live` : whole;
  const isDone = [whole, mark].includes(readText(stamp) ?? "");
  if (!isDone && missing(lockfile, live).length > 0) await install(lockfile, live);
  if (!isDone) verifyRuntime(lockfile);
  patchPostgres(ROOT);
  shortenDrizzleExports(ROOT);
  const node = findNode(lockfile);
  // Last: an incomplete installation is repeated.
  if (!isDone) writeFileSync(stamp, mark);
  return node;
}

async function install(lockfile, live) {
  const runtime = await borrowRuntime(lockfile, npmOn(null));
  // No package here needs an install script, and scripts that do not run cannot do harm.
  const options = [
    "ci",
    live ? "--omit=dev" : "--include=dev",
    "--include=optional",
    "--ignore-scripts",
    "--prefer-offline",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ];
  const npm = npmOn(runtime?.node ?? null);
  const env = runtime ? { ...process.env, PATH: `${dirname(runtime.node)}:${process.env.PATH}` } : process.env;
  await run("Installing packages", npm.command, [...npm.args, ...options], {
    env,
    fix: "see above; it wants npm and its registry within reach",
  });
  runtime?.remove();
  const left = missing(lockfile, live);
  if (left.length > 0)
    throw new Trouble(`npm left out what this machine needs, ${left.join(", ")}: look whether its registry holds them, and start again.`);
}

/**
 * The npm that called us, on that Node, or on its own: ours may be in the very folder that is replaced.
 *
 * @param {string | null} runtime
 * @returns {{ command: string, args: string[], node: string }}
 */
export function npmOn(runtime) {
  const cli = process.env.npm_execpath ?? "";
  if (!/npm-cli\.c?js$/.test(cli)) return { command: "npm", args: [], node: runtime ?? process.execPath };
  const ours = process.env.npm_node_execpath;
  const node = runtime ?? (ours && existsSync(ours) ? ours : process.execPath);
  return { command: node, args: [cli], node };
}

/**
 * The packages of the lockfile to install; folders of this project are only linked.
 *
 * @param {{ packages: Record<string, any> }} lockfile
 * @param {boolean} live
 */
export function wantedPackages(lockfile, live) {
  return Object.entries(lockfile.packages).filter(([path, entry]) => path.includes("node_modules/") && !entry.link && !(live && entry.dev));
}

/**
 * The packages of the lockfile that are missing in npm's own record of the installation. npm writes it last, so an interrupted installation
 * has none.
 */
function missing(lockfile, live) {
  const note = readText(join(ROOT, "node_modules", ".package-lock.json"));
  const installed = note === null ? {} : (JSON.parse(note).packages ?? {});
  return wantedPackages(lockfile, live)
    .filter(([path, entry]) => {
      const found = installed[path];
      if (found !== undefined) return found.version !== entry.version || found.integrity !== entry.integrity;
      // Without a word on the platform it is a mere companion of a package that may not be for here.
      return !(entry.optional === true && (!(entry.os || entry.cpu) || !isForHere(entry)));
    })
    .map(([path]) => path.replace(/^.*node_modules\//, ""));
}
