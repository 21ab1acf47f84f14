/** Programs that only tests need, and that npm does not have: installed if we may, otherwise requested in a sentence. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { ROOT, run, Trouble } from "./step.mjs";

const DEBIAN_CHROMIUM = "/usr/bin/chromium";
/** Chromium without windows: a browser context, of which a story has several, costs a sixth of the CPU with it. */
const DEBIAN_SHELL = "/usr/bin/chromium-headless-shell";

export const mayUseApt = () => process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");

export async function installFromDebian(title, names) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const install = `apt-get update -q && apt-get install -q -y --no-install-recommends ${names}`;
  await run(`Installing ${title} (apt)`, "/bin/sh", ["-c", install], { env, fix: `install ${names} manually` });
}

/**
 * Playwright's browser is as good as Debian's shell; Debian's full browser will do where there is no shell. Last, when earlier
 * installations have fetched Debian's list of packages.
 *
 * @param {string} node the Node to ask Playwright with
 */
export async function findBrowser(node) {
  if (hasPlaywrights(node) || existsSync(DEBIAN_SHELL)) return;
  if (mayUseApt() && isInDebian("chromium-headless-shell"))
    await installFromDebian("Chromium", "chromium-headless-shell").catch((error) => {
      if (!existsSync(DEBIAN_CHROMIUM)) throw error;
    });
  if (existsSync(DEBIAN_SHELL) || existsSync(DEBIAN_CHROMIUM)) return;
  const fix = "as root `apt-get install chromium`, elsewhere `npx playwright install chromium`";
  if (mayUseApt()) await installFromDebian("Chromium", "chromium");
  else
    await run("Installing Chromium (Playwright)", node, [join("node_modules", "@playwright", "test", "cli.js"), "install", "chromium"], {
      fix,
    });
  if (!existsSync(DEBIAN_CHROMIUM) && !hasPlaywrights(node))
    throw new Trouble(`No Chromium was found, and the browser tests need one: ${fix}.`);
}

function hasPlaywrights(node) {
  const ask = "import('playwright-core').then(({ chromium }) => console.log(chromium.executablePath()))";
  const path = spawnSync(node, ["--input-type=module", "-e", ask], { cwd: ROOT, encoding: "utf8" }).stdout?.trim();
  return Boolean(path) && existsSync(path);
}

/** Whether apt could install it, by the list that it has. */
function isInDebian(name) {
  return /Candidate: \d/.test(spawnSync("apt-cache", ["policy", name], { encoding: "utf8" }).stdout ?? "");
}

/** The pooler that the service is tried behind. */
export async function findPgbouncer() {
  if (hasPgbouncer()) return;
  if (mayUseApt()) await installFromDebian("PgBouncer", "pgbouncer");
  if (!hasPgbouncer())
    throw new Trouble("No PgBouncer was found, and the tests need one: `apt-get install pgbouncer`, or `brew install pgbouncer`.");
}

function hasPgbouncer() {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"];
  return folders.some((folder) => existsSync(join(folder, "pgbouncer")));
}

/** PostgreSQL as an operator has it, which can do what the embedded one cannot: compile statements. */
export async function findPostgres() {
  if (hasPostgres()) return;
  if (mayUseApt()) await installFromDebian("PostgreSQL", "postgresql");
  if (!hasPostgres())
    throw new Trouble("No PostgreSQL was found, and the tests need one: `apt-get install postgresql`, or `brew install postgresql`.");
}

/** The places that `testing/machine-postgres.ts` checks. */
function hasPostgres() {
  const debian = "/usr/lib/postgresql";
  if (existsSync(debian) && readdirSync(debian).some((release) => existsSync(join(debian, release, "bin", "postgres")))) return true;
  const folder = spawnSync("pg_config", ["--bindir"], { encoding: "utf8" }).stdout?.trim();
  return Boolean(folder) && existsSync(join(folder, "postgres"));
}

/** What plays the rules for Prometheus. */
export async function findPromtool() {
  if (hasPromtool()) return;
  if (mayUseApt()) await installFromDebian("promtool", "prometheus");
  if (!hasPromtool())
    throw new Trouble("No promtool was found, and the tests need one: `apt-get install prometheus`, or `brew install prometheus`.");
}

function hasPromtool() {
  return [...(process.env.PATH ?? "").split(delimiter), "/usr/local/bin"].some((folder) => existsSync(join(folder, "promtool")));
}

/** What the async client of the SDK for Python is tried with. */
const HTTPX = "httpx==0.28.1";
const PYTHON_PACKAGES = join(ROOT, "node_modules", ".cache", "settlement", "python");

export async function findHttpx() {
  if (hasHttpx()) return;
  spawnSync("python3", ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", PYTHON_PACKAGES, HTTPX]);
  if (!hasHttpx() && mayUseApt()) await installFromDebian("httpx", "python3-httpx");
  if (!hasHttpx())
    throw new Trouble(`No httpx was found, and the tests need it: \`pip install ${HTTPX}\`, or \`apt-get install python3-httpx\`.`);
}

function hasHttpx() {
  const env = { ...process.env, PYTHONPATH: PYTHON_PACKAGES };
  return spawnSync("python3", ["-c", "import httpx"], { env }).status === 0;
}

/** The proxies that `ops/proxy` has files for. */
export async function findProxies() {
  const lacking = () => ["nginx", "haproxy"].filter((name) => !isProgram(name));
  if (lacking().length > 0 && mayUseApt()) await installFromDebian("nginx and HAProxy", "nginx haproxy");
  if (lacking().length > 0)
    throw new Trouble(`The tests need ${lacking().join(" and ")}: \`apt-get install nginx haproxy\`, or \`brew install nginx haproxy\`.`);
}

const isProgram = (name) =>
  [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"].some((at) => existsSync(join(at, name)));

/** What packs for Debian, and judges units. */
export async function findPackers() {
  const lacking = () => ["dpkg-deb", "systemd-analyze"].filter((name) => spawnSync(name, ["--version"]).error !== undefined);
  if (lacking().length > 0 && mayUseApt()) await installFromDebian("what packs", "dpkg systemd");
  if (lacking().length > 0) throw new Trouble(`The tests of packages need ${lacking().join(" and ")}: run them on Debian or its kin.`);
}

/** The token that the signer for tokens is tried with. */
export async function findSoftHsm() {
  if (hasSoftHsm()) return;
  if (mayUseApt()) await installFromDebian("SoftHSM", "softhsm2");
  if (!hasSoftHsm())
    throw new Trouble("No SoftHSM was found, and the tests need one: `apt-get install softhsm2`, or `brew install softhsm`.");
}

function hasSoftHsm() {
  return [...(process.env.PATH ?? "").split(delimiter), "/usr/local/bin"].some((folder) => existsSync(join(folder, "softhsm2-util")));
}
