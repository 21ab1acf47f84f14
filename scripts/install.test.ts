import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { fetchMachines, installedOf, MACHINES, type Machine, npmOn } from "./machines.ts";
import { ROOT } from "./suites.ts";

const folder = mkdtempSync(join(tmpdir(), "settlement-install-"));
beforeAll(() => fetchMachines(), 600_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SANDBOX_PACKAGES = "sandbox/packages";
const CHAINS = "node_modules/@foundry-rs/";
const Lockfile = z.looseObject({ packages: z.record(z.string(), z.looseObject({ bin: z.unknown() }).partial()) });

/**
 * The project with few packages: those with which npm has trouble (the runtime, the local chain), and those that the preparation patches.
 * `npm run test:install` does the same with the whole project, and starts it.
 */
function cutProject(name: string): string {
  const clone = join(folder, name);
  cpSync(join(ROOT, "scripts"), join(clone, "scripts"), { recursive: true });
  const lockfile = Lockfile.parse(JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")));
  const isKept = ([path, entry]: [string, { bin?: unknown }]) =>
    path === "node_modules/postgres" || path.startsWith(CHAINS) || JSON.stringify(entry.bin)?.includes('"node"');
  const packages = Object.fromEntries(Object.entries(lockfile.packages).filter(isKept));
  const versions = (isWanted: (path: string) => boolean) => {
    const wanted = Object.entries(packages).filter(([path]) => isWanted(path));
    return Object.fromEntries(wanted.map(([path, entry]) => [path.replace("node_modules/", ""), entry.version]));
  };
  const root = {
    name: "settlement-service",
    dependencies: versions((path) => path === "node_modules/postgres"),
    devDependencies: { "settlement-sandbox": `file:${SANDBOX_PACKAGES}` },
    optionalDependencies: versions((path) => path !== "node_modules/postgres" && !path.startsWith(CHAINS)),
  };
  const sandbox = { name: "settlement-sandbox", version: "0.1.0", optionalDependencies: versions((path) => path.startsWith(CHAINS)) };
  const folders = {
    "node_modules/settlement-sandbox": { resolved: SANDBOX_PACKAGES, link: true },
    [SANDBOX_PACKAGES]: { ...sandbox, dev: true },
  };
  mkdirSync(join(clone, SANDBOX_PACKAGES), { recursive: true });
  writeFileSync(join(clone, SANDBOX_PACKAGES, "package.json"), JSON.stringify(sandbox));
  writeFileSync(join(clone, "package-lock.json"), JSON.stringify({ ...lockfile, packages: { "": root, ...packages, ...folders } }));
  const scripts = { prestart: "node scripts/prepare.mjs --start", start: "exec node --version" };
  writeFileSync(join(clone, "package.json"), JSON.stringify({ ...root, private: true, engines: { node: ">=24" }, scripts }));
  return clone;
}

async function start(machine: Machine, clone: string, env: Record<string, string> = {}): Promise<string> {
  const npm = npmOn(machine, clone, ["start"], env);
  expect(await npm.exit, npm.output()).toBe(0);
  return npm.output();
}

const chainsOf = (clone: string) => installedOf("@foundry-rs", clone);

describe.each(MACHINES)("on a machine with Node $node and npm $npm, npm start in a fresh clone", (machine) => {
  it("installs all that this platform needs, runs on the Node that it brought, and has nothing to do the next time", async () => {
    const clone = cutProject(`${machine.node}-${machine.npm}`);
    const first = await start(machine, clone);
    expect(first).toContain("Installing packages");
    expect(first).toMatch(/^v24\./m);
    expect(chainsOf(clone)).toHaveLength(1);
    expect(existsSync(join(clone, ".runtime"))).toBe(false);

    const second = await start(machine, clone);
    expect(second).not.toContain("Installing");
    expect(second).toMatch(/^v24\./m);

    // Somebody's own `npm ci` takes the link away again.
    rmSync(join(clone, "node_modules", ".bin", "node"));
    expect(await start(machine, clone)).toMatch(/^v24\./m);
    rmSync(clone, { recursive: true });
  }, 300_000);

  it("in live mode leaves out what only the sandbox runs, and a sandbox in the same clone fetches it", async () => {
    const clone = cutProject(`live-${machine.node}-${machine.npm}`);
    expect(await start(machine, clone, { MODE: "live" })).toMatch(/^v24\./m);
    expect(chainsOf(clone)).toEqual([]);
    expect(await start(machine, clone, { MODE: "live" })).not.toContain("Installing");

    expect(await start(machine, clone)).toContain("Installing packages");
    expect(chainsOf(clone)).toHaveLength(1);
    expect(await start(machine, clone, { MODE: "live" })).not.toContain("Installing");
    rmSync(clone, { recursive: true });
  }, 300_000);
});

it("an installation that is not whole is not taken for done", async () => {
  const machine = MACHINES[1];
  if (!machine) throw new Error("no machine");
  const clone = cutProject("broken");
  await start(machine, clone);
  const [chain = ""] = chainsOf(clone);
  const note = join(clone, "node_modules", ".package-lock.json");
  const { packages, ...rest } = Lockfile.parse(JSON.parse(readFileSync(note, "utf8")));
  delete packages[`node_modules/@foundry-rs/${chain}`];
  writeFileSync(note, JSON.stringify({ ...rest, packages }));
  rmSync(join(clone, "node_modules", ".prepared"));
  expect(await start(machine, clone)).toContain("Installing packages");
}, 300_000);
