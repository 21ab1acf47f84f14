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

function isProgram(name) {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin", "/usr/local/bin"];
  return folders.some((folder) => existsSync(join(folder, name)));
}

/** The places that `testing/machine-postgres.ts` checks. */
function hasPostgres() {
  const debian = "/usr/lib/postgresql";
  if (existsSync(debian) && readdirSync(debian).some((release) => existsSync(join(debian, release, "bin", "postgres")))) return true;
  const folder = spawnSync("pg_config", ["--bindir"], { encoding: "utf8" }).stdout?.trim();
  return Boolean(folder) && existsSync(join(folder, "postgres"));
}

function hasPhp() {
  const ask = "exit((int) (PHP_VERSION_ID < 80200 || !extension_loaded('curl') || !extension_loaded('sodium')));";
  return spawnSync("php", ["-r", ask]).status === 0;
}

const hasPackers = () => ["dpkg-deb", "systemd-analyze", "minisign"].every((name) => spawnSync(name, ["--version"]).error === undefined);

/** What tests need: how it is recognised, Debian's packages, and how people install it where that differs. */
const PROGRAMS = [
  // The pooler that the service is tried behind.
  { title: "PgBouncer", isThere: () => isProgram("pgbouncer"), debian: "pgbouncer" },
  // PostgreSQL as an operator has it, which can do what the embedded one cannot: compile statements.
  { title: "PostgreSQL", isThere: hasPostgres, debian: "postgresql" },
  // The token that the signer for tokens is tried with.
  {
    title: "SoftHSM",
    isThere: () => isProgram("softhsm2-util"),
    debian: "softhsm2",
    fix: "`apt-get install softhsm2`, or `brew install softhsm`",
  },
  // What plays the rules for Prometheus.
  { title: "promtool", isThere: () => isProgram("promtool"), debian: "prometheus" },
  // What the SDKs are tried with.
  { title: "Go", isThere: () => isProgram("go"), debian: "golang-go", fix: "`apt-get install golang-go`, or `brew install go`" },
  {
    title: "PHP with curl",
    isThere: hasPhp,
    debian: "php-cli php-curl",
    fix: "`apt-get install php-cli php-curl`, or `brew install php`",
  },
  // The proxies that `ops/proxy` has files for.
  { title: "nginx and HAProxy", isThere: () => isProgram("nginx") && isProgram("haproxy"), debian: "nginx haproxy" },
  // The brokers that events are sent to.
  {
    title: "RabbitMQ and NATS",
    isThere: () => existsSync("/usr/lib/rabbitmq/bin/rabbitmq-server") && isProgram("nats-server"),
    debian: "rabbitmq-server nats-server",
  },
  // What packs for Debian, judges units, and verifies what a release signs.
  {
    title: "dpkg, systemd and minisign",
    isThere: () => process.platform !== "linux" || hasPackers(),
    debian: "dpkg systemd minisign",
    fix: "run the tests of packages on Debian or its kin",
  },
];

/** Every program that tests need. What apt may install it installs at once, because each call of apt costs seconds. */
export async function findPrograms() {
  const lacking = PROGRAMS.filter(({ isThere }) => !isThere());
  const packages = lacking.map(({ debian }) => debian).join(" ");
  if (lacking.length > 0 && mayUseApt()) await installFromDebian("what tests need", packages);
  for (const { title, isThere, debian, fix = `\`apt-get install ${debian}\`, or \`brew install ${debian}\`` } of lacking)
    if (!isThere()) throw new Trouble(`The tests need ${title}, which this machine lacks: ${fix}.`);
}

/** What the async client of the SDK for Python is tried with. */
const HTTPX = "httpx==0.28.1";
const PYTHON_PACKAGES = join(ROOT, "node_modules", ".cache", "settlement", "python");

export async function findHttpx() {
  if (hasHttpx()) return;
  const quick = ["--quiet", "--disable-pip-version-check", "--retries", "1"];
  await run("Installing httpx (pip)", "python3", ["-m", "pip", "install", ...quick, "--target", PYTHON_PACKAGES, HTTPX], {
    fix: "see above",
  }).catch((error) => {
    if (!mayUseApt()) throw error;
  });
  if (!hasHttpx() && mayUseApt()) await installFromDebian("httpx", "python3-httpx");
  if (!hasHttpx())
    throw new Trouble(`No httpx was found, and the tests need it: \`pip install ${HTTPX}\`, or \`apt-get install python3-httpx\`.`);
}

function hasHttpx() {
  const env = { ...process.env, PYTHONPATH: PYTHON_PACKAGES };
  return spawnSync("python3", ["-c", "import httpx"], { env }).status === 0;
}
