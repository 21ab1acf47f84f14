/**
 * Prepares a fresh clone, before `npm start` and `npm test`. It installs the packages (with `--live`, and for a start in live mode, only
 * the service's own). `--build` builds the pages (with `--start` only once nothing else prevents a start), `--pkcs11` the driver for
 * tokens, and `--tests` prepares what only tests need. It skips what is done already. It has no dependencies and runs on the machine's own
 * Node (18 or newer); everything after it runs on the Node that comes with the packages.
 */
import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { installPackages } from "./prepare/packages.mjs";
import { buildPkcs11 } from "./prepare/pkcs11.mjs";
import { hash, ROOT, readText, run, Trouble, together } from "./prepare/step.mjs";
import { findBrowser, findHttpx, findPrograms } from "./prepare/tools.mjs";

const LOCK = join(ROOT, ".prepare.lock");
const BUILT_FROM = ["app", "contract", "db", "domain", "server", "next.config.mjs", "package-lock.json", "package.json", "tsconfig.json"];

async function main() {
  if (Number(process.versions.node.split(".")[0]) < 18) throw new Trouble(`Node 18 or newer is needed, this is ${process.version}.`);
  await takeLock();
  const node = await installPackages({ live: process.argv.includes("--live") || isLiveStart() });
  const asked = (...options) => options.some((option) => process.argv.includes(option));
  const works = [];
  if (asked("--build") && !isBuilt())
    works.push(async () => {
      if (asked("--start")) checkStart(node);
      await build(node);
    });
  if (asked("--tests", "--browser", "--pkcs11"))
    works.push(async () => {
      if (asked("--tests")) await findPrograms();
      if (asked("--tests", "--browser")) await findBrowser(node);
      if (asked("--tests")) await findHttpx();
      if (asked("--tests", "--pkcs11")) await buildPkcs11(node);
    });
  await together(works);
}

const isLiveStart = () => process.argv.includes("--start") && process.env.MODE === "live";

/** Two of these in the same clone would undo each other's work: the second waits. */
async function takeLock() {
  for (let reported = false; ; reported = true) {
    try {
      const handle = openSync(LOCK, "wx");
      writeFileSync(handle, String(process.pid));
      closeSync(handle);
      process.once("exit", () => rmSync(LOCK, { force: true }));
      for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => process.exit(130));
      return;
    } catch (error) {
      if (error.code !== "EEXIST") throw new Trouble(`This clone cannot be written (${error.code}): make ${ROOT} writable for this user.`);
    }
    if (!isAlive(Number(readText(LOCK)))) rmSync(LOCK, { force: true });
    else if (!reported) process.stdout.write("  Waiting for another command that prepares this clone …\n");
    await sleep(300);
  }
}

function isAlive(pid) {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

// --- pages ---

const BUILT_STAMP = join(ROOT, ".next", "built-from");

/** A reason that would prevent the start is reported before the long step, not after it. */
function checkStart(node) {
  const { status, stderr } = spawnSync(node, [join("scripts", "check-start.ts")], { cwd: ROOT, encoding: "utf8" });
  if (status !== 0) throw new Trouble(stderr.trim());
}

function isBuilt() {
  return readText(BUILT_STAMP) === sourcesHash() && existsSync(join(ROOT, ".next", "BUILD_ID"));
}

function sourcesHash() {
  const files = BUILT_FROM.flatMap((path) => listFiles(join(ROOT, path)));
  return hash(files.map((file) => `${file.slice(ROOT.length)} ${hash(readFileSync(file))}`).join("\n"));
}

async function build(node) {
  const mark = sourcesHash();
  const env = { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" };
  await run("Building the pages", node, [join("node_modules", "next", "dist", "bin", "next"), "build"], { env, fix: "see above" });
  writeFileSync(BUILT_STAMP, mark);
}

function listFiles(path) {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return existsSync(path) ? [path] : [];
  return readdirSync(path)
    .sort()
    .filter((name) => !/\.test\.tsx?$/.test(name))
    .flatMap((name) => listFiles(join(path, name)));
}

try {
  await main();
} catch (error) {
  process.stderr.write(`\n${error instanceof Trouble ? error.message : error.stack}\n`);
  process.exit(1);
}
