/**
 * Makes a fresh clone ready, before `npm start` and `npm test`: installs the packages, with `--build` builds the pages, with
 * `--browser` sees to a browser. Does only what is not done yet. It depends on nothing and runs on the machine's own Node (18 or
 * newer); everything after it runs on the Node that comes with the packages.
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { closeSync, existsSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { mendPostgres } from "./mend-postgres.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const LOCKFILE = join(ROOT, "package-lock.json");
const LOCK = join(ROOT, ".prepare.lock");
const BUILT_FROM = ["app", "db", "server", "next.config.mjs", "package-lock.json", "package.json", "tsconfig.json"];
const DEBIAN_CHROMIUM = "/usr/bin/chromium";

class Trouble extends Error {}

async function main() {
  await takeLock();
  await installPackages();
  mendPostgres(ROOT);
  const node = findNode();
  if (process.argv.includes("--build")) await build(node);
  if (process.argv.includes("--browser")) await findBrowser(node);
}

/** Two of us in the same clone would undo each other's work: the second waits. */
async function takeLock() {
  for (let told = false; ; told = true) {
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
    else if (!told) process.stdout.write("  Waiting for another command that prepares this clone …\n");
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

// --- packages ---

async function installPackages() {
  const wanted = readText(LOCKFILE);
  if (wanted === null) throw new Trouble("package-lock.json is missing: this is no whole clone.");
  const stamp = join(ROOT, "node_modules", ".prepared");
  const mark = `${hash(wanted)} ${process.platform} ${process.arch}`;
  if (readText(stamp) === mark) return;
  if (!isInstalled(JSON.parse(wanted))) {
    // Nothing here needs an install script, and what is not run cannot do harm.
    const options = ["ci", "--include=dev", "--include=optional", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    const [command, ...first] = npmCommand();
    await run("Installing packages", command, [...first, ...options], { mend: "see above; it wants npm and its registry within reach" });
  }
  writeFileSync(stamp, mark);
}

/** The npm that called us, on the Node that it runs on: ours may lie in the very folder that is replaced. */
function npmCommand() {
  const cli = process.env.npm_execpath ?? "";
  const node = process.env.npm_node_execpath;
  if (!/npm-cli\.c?js$/.test(cli)) return ["npm"];
  return [node && existsSync(node) ? node : process.execPath, cli];
}

/** Whether npm's own note of what it has installed agrees with the lockfile; npm writes it last, so an interrupted installation has none. */
function isInstalled(lockfile) {
  const note = readText(join(ROOT, "node_modules", ".package-lock.json"));
  if (note === null) return false;
  const installed = JSON.parse(note).packages ?? {};
  return Object.entries(lockfile.packages).every(([path, entry]) => {
    if (path === "" || entry.link) return true;
    const found = installed[path];
    if (found !== undefined) return found.version === entry.version && found.integrity === entry.integrity;
    return entry.optional === true && !isForHere(entry);
  });
}

function isForHere(entry) {
  const fits = (list, own) => !list || list.length === 0 || (list.includes(own) && !list.includes(`!${own}`));
  if (!fits(entry.os, process.platform) || !fits(entry.cpu, process.arch)) return false;
  // Without a word on the platform it is a mere companion of a package that may not be for here.
  if (!entry.os && !entry.cpu) return false;
  if (!entry.libc || process.platform !== "linux") return true;
  const libc = process.report.getReport().header.glibcVersionRuntime ? "glibc" : "musl";
  return fits(entry.libc, libc);
}

// --- Node ---

/** The Node that all scripts run on. npm puts the installed one first on their PATH. */
function findNode() {
  const carried = join(ROOT, "node_modules", ".bin", "node");
  for (const node of [carried, process.execPath]) {
    const version = spawnSync(node, ["--version"], { encoding: "utf8" }).stdout?.trim().slice(1) ?? "";
    const [major, minor] = version.split(".").map(Number);
    // For macOS on ARM the registry holds none newer than 22.
    if (major >= 24 || (major === 22 && minor >= 18 && process.platform === "darwin" && process.arch === "arm64")) return node;
  }
  throw new Trouble(
    `Node 24 is needed, this is ${process.version}, and the package that carries it is not installed for ${process.platform}-${process.arch}: ` +
      "run `npm ci --include=optional`, or install Node 24.",
  );
}

// --- pages ---

async function build(node) {
  const stamp = join(ROOT, ".next", "built-from");
  const mark = BUILT_FROM.flatMap((path) => listFiles(join(ROOT, path)))
    .map((file) => `${file.slice(ROOT.length)} ${hash(readFileSync(file))}`)
    .join("\n");
  if (readText(stamp) === hash(mark) && existsSync(join(ROOT, ".next", "BUILD_ID"))) return;
  const env = { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" };
  await run("Building the pages", node, [join("node_modules", "next", "dist", "bin", "next"), "build"], { env, mend: "see above" });
  writeFileSync(stamp, hash(mark));
}

function listFiles(path) {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return existsSync(path) ? [path] : [];
  return readdirSync(path)
    .sort()
    .filter((name) => !/\.test\.tsx?$/.test(name))
    .flatMap((name) => listFiles(join(path, name)));
}

// --- browser ---

async function findBrowser(node) {
  if (hasBrowser(node)) return;
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const install = "apt-get update -q && apt-get install -q -y --no-install-recommends chromium";
    await run("Installing Chromium (apt)", "/bin/sh", ["-c", install], { env, mend: "install the package chromium by hand" });
  } else {
    const cli = join("node_modules", "@playwright", "test", "cli.js");
    const mend = "as root `apt-get install chromium`, elsewhere `npx playwright install chromium`";
    await run("Installing Chromium (Playwright)", node, [cli, "install", "chromium"], { mend });
  }
  if (!hasBrowser(node))
    throw new Trouble(
      "No Chromium was found, and the browser tests need one: as root `apt-get install chromium`, elsewhere `npx playwright install chromium`.",
    );
}

function hasBrowser(node) {
  if (existsSync(DEBIAN_CHROMIUM)) return true;
  const ask = "import('playwright-core').then(({ chromium }) => console.log(chromium.executablePath()))";
  const path = spawnSync(node, ["--input-type=module", "-e", ask], { cwd: ROOT, encoding: "utf8" }).stdout?.trim();
  return Boolean(path) && existsSync(path);
}

// --- means ---

/** Runs a long step and shows that it goes on. What it prints is shown only when it fails. */
async function run(title, command, args, { env = process.env, mend }) {
  const started = Date.now();
  const elapsed = () => `${Math.round((Date.now() - started) / 1000)} s`;
  const live = process.stdout.isTTY === true;
  process.stdout.write(`  ${title} …${live ? "" : "\n"}`);
  const tick = setInterval(
    () => process.stdout.write(live ? `\r  ${title} … ${elapsed()} ` : `  ${title} … ${elapsed()}\n`),
    live ? 500 : 10_000,
  );
  let output = "";
  const code = await new Promise((resolve) => {
    const child = spawn(command, args, { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        output = (output + chunk).slice(-100_000);
      });
    }
    child.once("error", (error) => {
      output += error.message;
      resolve(1);
    });
    child.once("close", (exit) => resolve(exit ?? 1));
  });
  clearInterval(tick);
  process.stdout.write(`${live ? "\r\x1b[K" : ""}  ${title}: ${code === 0 ? elapsed() : "failed"}\n`);
  if (code === 0) return;
  process.stderr.write(output);
  throw new Trouble(`${title} did not work: ${mend}.`);
}

function readText(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}

function hash(content) {
  return createHash("sha256").update(content).digest("hex");
}

try {
  await main();
} catch (error) {
  process.stderr.write(`\n${error instanceof Trouble ? error.message : error.stack}\n`);
  process.exit(1);
}
