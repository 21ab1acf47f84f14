/**
 * `npm run test:packages` (root, Debian; needs debootstrap and systemd-container): tests the package on a machine that boots systemd. It
 * installs it, sets it up, starts two web processes and two workers, and pays a settlement on a local chain. It upgrades from the previous
 * version with its migration, pays again, downgrades and pays again, audits the books, removes and purges. Part of every release. `--
 * FOLDER` keeps the packages there, and reuses them.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import { findFreePort } from "#sandbox/free-port.ts";
import { startTemporaryPostgres } from "#sandbox/postgres/temporary.ts";
import { readVersions } from "#scripts/versions.ts";
import { startTestChain } from "#testing/chain.ts";
import { firstOperatorKey, firstPartner, type LiveService, settle } from "#testing/live-partner.ts";
import { callOverTls, createOwnedDatabase, serveRates } from "#testing/live-stage.ts";
import { expectApart, expectOnlyTheSigner } from "./apart.ts";
import { buildDeb } from "./deb.ts";
import { boot, expectPrograms, installDebian, type Machine } from "./machine.ts";
import { balance, CHAIN, CHAIN_ID, SETTINGS, setUp, unbroken } from "./walk-stage.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const DEBIAN = join(ROOT, "node_modules", ".cache", "settlement", "debian");
const [VERSION = ""] = readVersions(ROOT).flatMap(({ versions }) => versions);
/** Above the last release, which may still have that version: before it is prepared, the next one is no other. */
const AFTER = `${VERSION}+walk`;
/** As dpkg sorts versions, just before it. */
const BEFORE = `${AFTER}~before`;

const SIGNER = "settlement-signer";
const ends: (() => unknown)[] = [];
let steps = 0;

async function step<Result>(title: string, work: () => Result): Promise<Awaited<Result>> {
  const started = Date.now();
  const result = await work();
  steps += 1;
  process.stdout.write(`✓ ${title}: ${((Date.now() - started) / 1_000).toFixed(1)} s\n`);
  return result;
}

function must(held: boolean, sentence: string): void {
  if (!held) throw new Error(sentence);
}

try {
  await walk();
  process.stdout.write(`${steps} passed, 0 failed\n`);
} catch (error) {
  process.stdout.write(`✗ ${error instanceof Error ? error.message : error}\n${steps} passed, 1 failed\n`);
  process.exitCode = 1;
} finally {
  for (const end of ends.toReversed()) await end();
}

async function walk(): Promise<void> {
  expectPrograms();
  const folder = mkdtempSync(join(tmpdir(), "settlement-packages-"));
  ends.push(() => rmSync(folder, { recursive: true, force: true }));
  const packed = process.argv[2] === undefined ? folder : resolve(process.argv[2]);
  const [before, after] = await step("Two versions are packed", () => packBoth(packed));
  await step("Debian is installed", () => installDebian(DEBIAN));
  const server = await startTemporaryPostgres();
  ends.push(() => server.stop());
  const database = await createOwnedDatabase(server.adminUrl);
  const chain = await startTestChain({ blockTimeSeconds: 1 });
  ends.push(() => chain.stop());
  const rates = await serveRates();
  ends.push(() => rates.close());
  const ports = [await findFreePort(), await findFreePort()];
  const balancer = await balance(ports);
  ends.push(() => balancer.close());
  const machine = await step("A machine boots", () => boot(DEBIAN, packed));
  ends.push(() => machine.stop());

  await step("The version before is installed; it starts nothing, and says what is missing", async () => {
    await machine.run(["dpkg", "-i", before]);
    must((await unitsOf(machine)) === "", "something runs unasked");
    must(
      (await machine.tryRun(["settlement-service", "audit"])).stderr.includes("DATABASE_URL is missing"),
      "an empty configuration is taken",
    );
    await machine.run([
      "systemd-analyze",
      "verify",
      "settlement-web@3000.service",
      "settlement-worker@1.service",
      "settlement-signer.service",
      "settlement.target",
    ]);
  });
  const passwords = await step("It is set up by its commands", () =>
    setUp(machine, { ownerUrl: database.url, chain, rates, origin: balancer.origin, secretFiles: true }),
  );
  await chain.call("anvil_setChainId", CHAIN_ID);
  const units = [...ports.map((port) => `settlement-web@${port}`), "settlement-worker@1", "settlement-worker@2"];
  await step("Two web processes and two workers start", async () => {
    const { status, stderr } = await machine.tryRun(["systemctl", "enable", "--now", "settlement.target", ...units]);
    must(
      status === 0,
      `${stderr}${(await machine.tryRun(["journalctl", "--no-pager", "-o", "cat", "-n", "15", "-u", "settlement-web@*"])).stdout}`,
    );
    // The workers want it.
    for (const unit of [...units, SIGNER]) await machine.run(["systemctl", "is-active", unit]);
  });
  await step("No process gets another's secrets, and none is root", () => expectApart(machine, [...units, SIGNER], passwords));

  await work(machine, units, { origin: balancer.origin, ownerUrl: database.url }, [before, after]);
  await goAway(machine);
}

/** Money moves through it, before and after an upgrade. */
async function work(
  machine: Machine,
  units: readonly string[],
  at: Pick<LiveService, "origin" | "ownerUrl">,
  [before, after]: readonly [before: string, after: string],
): Promise<void> {
  const live: LiveService = { ...at, command: (name, args) => machine.tryRun(["settlement-service", name, ...args]) };
  const key = await step("Two admins, an operator's key, a partner", async () => await firstPartner(live, await firstOperatorKey(live)));
  await step("It is ready: workers run, and rates are fresh", () => untilReady(machine, at.origin));
  await step("A settlement is paid on the chain", () => settle(live, key, { chain: CHAIN, reference: "order-1" }));
  const all = [SIGNER, ...units];
  await step("Only the signer's user reads keys, journal and seal, only the workers' reaches its socket, and its log-in only reads", () =>
    expectOnlyTheSigner(machine, all, at.ownerUrl),
  );
  const first = await pidsOf(machine, all);
  await step("A new version that cannot migrate leaves the one before running", async () => {
    const migrating = `${SETTINGS}/migrate.env`;
    const right = await machine.run(["cat", migrating]);
    await machine.write(migrating, right.replace(/:[^:@]+@/, ":wrong@"), "0600", "root:root");
    await refused(machine, at.origin, ["dpkg", "-i", after], "The database was not migrated.");
    await machine.write(migrating, right, "0600", "root:root");
  });
  await step("So does one that cannot use the settings", async () => {
    const serving = `${SETTINGS}/service.env`;
    const right = await machine.run(["cat", serving]);
    await machine.write(serving, `${right}DRAIN_SECONDS=soon\n`, "0600", "root:root");
    await refused(machine, at.origin, ["dpkg", "--configure", "-a"], "cannot use the settings of the web processes");
    await machine.write(serving, right, "0600", "root:root");
    must(`${await pidsOf(machine, all)}` === `${first}`, "a process was replaced");
    must((await migrated(at.ownerUrl)) === 0, "the database was migrated");
  });
  await step("The new version migrates and replaces each process, and every request is answered", async () => {
    await unbroken(at.origin, () => machine.run(["dpkg", "--configure", "-a"]));
    const second = await pidsOf(machine, all);
    const isReplaced = second.every((pid, index) => pid !== first[index] && pid !== "0");
    must(isReplaced, "a process is still the one before");
    must((await migrated(at.ownerUrl)) === 1, "the new version's migration is missing");
  });
  await step("Another settlement is paid", () => settle(live, key, { chain: CHAIN, reference: "order-2" }));
  await step("The version before is put back, and works with the newer schema", async () => {
    await unbroken(at.origin, () => machine.run(["dpkg", "-i", before]));
    for (const unit of units) await machine.run(["systemctl", "is-active", unit]);
    await settle(live, key, { chain: CHAIN, reference: "order-3" });
    await unbroken(at.origin, () => machine.run(["dpkg", "-i", after]));
    must((await machine.run(["ls", "/usr/lib/settlement-releases"])).split("\n").filter(Boolean).length === 2, "an old release is left");
  });
  await step("The books are right", () => machine.run(["settlement-service", "audit"]));
  const restartAll = async () => void (await machine.run(["sh", "-c", 'for unit; do systemctl restart "$unit"; done', "sh", ...units]));
  await step("A web process is replaced after the other, and every request is answered", () => unbroken(at.origin, restartAll));
}

async function goAway(machine: Machine): Promise<void> {
  await step("It is removed, and its processes end", async () => {
    await machine.run(["dpkg", "-r", "settlement-service"]);
    must((await unitsOf(machine)) === "", "something still runs");
    for (const folder of ["settlement-service", "settlement-releases"])
      must((await machine.tryRun(["test", "-e", `/usr/lib/${folder}`])).status === 1, `files are left in /usr/lib/${folder}`);
    for (const kept of ["service.env", "secrets/worker/AUDIT_KEY"])
      must((await machine.tryRun(["test", "-s", `/etc/settlement-service/${kept}`])).status === 0, `${kept} went with it`);
  });
  await step("It is purged; keys stay, and it says so", async () => {
    const { status, stderr } = await machine.tryRun(["dpkg", "-P", "settlement-service"]);
    must(status === 0 && stderr.includes("holds keys or settings and stays"), `purge: ${stderr}`);
    must(
      (await machine.tryRun(["test", "-s", "/var/lib/settlement-service/keys/treasury.json"])).status === 0,
      "the treasury's key is gone",
    );
    must(!(await machine.run(["dpkg", "-l"])).includes("settlement-service"), "dpkg still knows it");
  });
}

/** The version before, and one after it whose schema is a step further. */
function packBoth(folder: string): [before: string, after: string] {
  mkdirSync(folder, { recursive: true });
  const options = { root: ROOT, work: join(folder, "work"), epochSeconds: 1_795_000_000, target: folder };
  const kept = readdirSync(folder).filter((name) => name.endsWith(".deb"));
  const made = (version: string, amend?: (installation: string) => void) => {
    const found = kept.find((name) => name.startsWith(`settlement-service_${version}_`));
    return found === undefined ? buildDeb({ ...options, version, ...(amend && { amend }) }) : join(folder, found);
  };
  return [made(BEFORE), made(AFTER, addMigration)];
}

function addMigration(installation: string): void {
  const migrations = join(installation, "db", "migrations");
  const file = join(migrations, "meta", "_journal.json");
  const journal = JSON.parse(readFileSync(file, "utf8"));
  journal.entries.push({ idx: journal.entries.length, version: "7", when: Date.now(), tag: "9999_walk", breakpoints: true });
  writeFileSync(join(migrations, "9999_walk.sql"), 'CREATE TABLE "walked" ("id" integer PRIMARY KEY);\n');
  writeFileSync(file, JSON.stringify(journal));
}

async function untilReady(machine: Machine, origin: string): Promise<void> {
  const deadline = Date.now() + 120_000;
  for (;;) {
    const { status, body } = await callOverTls(origin, "GET", "/ready", {});
    if (status === 200) return;
    const journal = ["journalctl", "--no-pager", "-o", "cat", "-n", "10", "-u", "settlement-worker@*"];
    if (Date.now() > deadline) throw new Error(`it is not ready: ${body}\n${(await machine.tryRun(journal)).stdout}`);
    await sleep(500);
  }
}

async function migrated(url: string): Promise<number> {
  const owner = postgres(url, { max: 1, onnotice: () => {} });
  const [found] = await owner`select count(*)::int as count from pg_tables where tablename = 'walked'`;
  await owner.end();
  return found?.count ?? 0;
}

async function unitsOf(machine: Machine): Promise<string> {
  return (
    await machine.run(["systemctl", "list-units", "--plain", "--no-legend", "--state=active,activating,failed", "settlement-*.service"])
  ).trim();
}

async function refused(machine: Machine, origin: string, command: readonly string[], sentence: string): Promise<void> {
  await unbroken(origin, async () => {
    const { status, stderr } = await machine.tryRun(command);
    must(status !== 0 && stderr.includes(sentence) && stderr.includes("What ran before goes on."), `it ended with ${status}: ${stderr}`);
  });
}

async function pidsOf(machine: Machine, units: readonly string[]): Promise<string[]> {
  return Promise.all(units.map(async (unit) => (await machine.run(["systemctl", "show", "--value", "-p", "MainPID", unit])).trim()));
}
