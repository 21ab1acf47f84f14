/**
 * The Node that everything runs on. It comes with the packages, one for each platform, all under the bin name `node`. npm 10 and
 * older, having left out the other platforms' packages, remove the link `node_modules/.bin/node` with them: so the runtime is found
 * by its package, and the link is put back.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { OFFICIAL, officialProgram, refuseOtherNode } from "./official-node.mjs";
import { ROOT, run, Trouble } from "./step.mjs";

const LINK = join(ROOT, "node_modules", ".bin", "node");

/**
 * The path of the package with Node for this machine, in the lockfile and below the project's folder.
 *
 * @param {{ packages: Record<string, any> }} lockfile
 * @returns {string | null} null where the registry has none
 */
export function runtimePackage(lockfile) {
  const found = Object.entries(lockfile.packages).find(([path, entry]) => path !== "" && entry.bin?.node && entry.os && isForHere(entry));
  return found ? found[0] : null;
}

/** Whether a package of the lockfile is made for this platform. */
export function isForHere(entry) {
  const fits = (said, own) =>
    said === undefined || said.length === 0 || ([said].flat().includes(own) && ![said].flat().includes(`!${own}`));
  if (!fits(entry.os, process.platform) || !fits(entry.cpu, process.arch)) return false;
  if (!entry.libc || process.platform !== "linux") return true;
  const libc = process.report.getReport().header.glibcVersionRuntime ? "glibc" : "musl";
  return fits(entry.libc, libc);
}

/** Whether that is a Node which runs this code. @param {string} node */
export function isNewEnough(node) {
  const version = spawnSync(node, ["--version"], { encoding: "utf8" }).stdout?.trim().slice(1) ?? "";
  const [major, minor] = version.split(".").map(Number);
  // For macOS on ARM the registry has none newer than 22.
  return major >= 24 || (major === 22 && minor >= 18 && process.platform === "darwin" && process.arch === "arm64");
}

/**
 * npm silently skips optional packages whose `engines` do not match its own Node. On an older machine it therefore runs on the project's
 * Node, which is first fetched separately, to a folder that the installation leaves alone.
 *
 * @returns {Promise<{ node: string, remove: () => void } | null>} null: npm's own Node will do, or there is no other
 */
export async function borrowRuntime(lockfile, npm) {
  const place = runtimePackage(lockfile);
  // Not this process's Node, which may be the project's already, while npm itself still runs on the machine's.
  if (place === null || isNewEnough(npm.node)) return null;
  const folder = join(ROOT, ".runtime");
  const remove = () => rmSync(folder, { recursive: true, force: true });
  remove();
  mkdirSync(folder);
  process.once("exit", remove);
  const entry = lockfile.packages[place];
  const root = { name: "runtime", private: true, dependencies: { [place.slice("node_modules/".length)]: entry.version } };
  writeFileSync(join(folder, "package.json"), JSON.stringify(root));
  // With the lockfile's own entry, so that what comes is what was locked, by its hash.
  const lock = { name: "runtime", lockfileVersion: 3, requires: true, packages: { "": root, [place]: { ...entry, optional: undefined } } };
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify(lock));
  const options = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  await run("Fetching Node", npm.command, [...npm.args, ...options], {
    cwd: folder,
    fix: "see above; it wants npm and its registry within reach",
  });
  verifyRuntime(lockfile, folder);
  return { node: join(folder, place, entry.bin.node), remove };
}

/**
 * Before it runs for the first time. A platform without a kept hash has only the lockfile's (macOS, for the sandbox).
 *
 * @param {{ packages: Record<string, any> }} lockfile
 * @throws Trouble where the installed Node is not the official one
 */
export function verifyRuntime(lockfile, folder = ROOT) {
  const place = runtimePackage(lockfile);
  const program = officialProgram();
  if (place === null || program === undefined) return;
  const entry = lockfile.packages[place];
  if (entry.version !== OFFICIAL.version)
    throw new Trouble(
      `scripts/prepare/official-node.json is of Node ${OFFICIAL.version}, the lockfile of ${entry.version}: npm run release:pin-node`,
    );
  refuseOtherNode(join(folder, place, entry.bin.node), program);
}

/** The Node that all scripts run on. npm puts `node_modules/.bin` first on their PATH. */
export function findNode(lockfile) {
  const place = runtimePackage(lockfile);
  const carried = place === null ? null : join(ROOT, place, lockfile.packages[place].bin.node);
  if (carried !== null && existsSync(carried) && isNewEnough(carried)) {
    repairLink(carried);
    return carried;
  }
  if (isNewEnough(process.execPath)) return process.execPath;
  const here = `${process.platform}-${process.arch}`;
  throw new Trouble(
    place === null
      ? `Node 24 is needed, this is ${process.version}, and there is no package that carries it for ${here}: install Node 24.`
      : `Node 24 is needed, this is ${process.version}, and ${carried} does not run: remove node_modules and start again, or install Node 24.`,
  );
}

function repairLink(carried) {
  if (existsSync(LINK)) return;
  mkdirSync(dirname(LINK), { recursive: true });
  rmSync(LINK, { force: true }); // a dangling one
  symlinkSync(relative(dirname(LINK), carried), LINK);
}
