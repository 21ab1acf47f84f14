/**
 * `npm run release -- 1.1.0`, on the commit to release, checks everything that a release promises, one thing after the other, and exits
 * with 1 if one fails. It publishes nothing and only changes the pages of results. Passed checks are remembered for that commit: a repeat
 * only runs the rest. `-- 1.1.0 --only state,licences` runs some of them. All together take some hours on two cores, mostly the long form
 * of the faults, and need root, for the packages.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { runChecks } from "#scripts/checks.ts";
import { findLicenceTrouble } from "#scripts/licences.ts";
import { makeSbom, missingFrom } from "#scripts/sbom.ts";
import { ROOT, runShown } from "#scripts/suites.ts";
import { findReleaseTrouble } from "./release-state.ts";

/** Returns the failures; empty: passed. */
type Step = { name: string; promises: string; find(version: string): Promise<readonly string[]> };

const program = (...path: string[]) => join(ROOT, ...path);
const ends = async (what: string, args: readonly string[], env: Record<string, string> = {}): Promise<string[]> =>
  (await runShown(args, env)) === 0 ? [] : [`${what} did not hold, see above`];

const STEPS: readonly Step[] = [
  {
    name: "state",
    promises: "one version everywhere, in the changelog too, with its migrations, documents and rows frozen",
    find: async (version) => findReleaseTrouble(ROOT, version),
  },
  {
    name: "checks",
    promises: "types, lint, imports, generated documents",
    find: async () => ((await runChecks()).failed === 0 ? [] : ["npm run check"]),
  },
  {
    name: "licences",
    promises: "the list of packages is whole, and each is under a licence that is allowed",
    find: async () => {
      const sbom = makeSbom();
      return [...missingFrom(sbom).map((each) => `the list lacks ${each}`), ...findLicenceTrouble(sbom)];
    },
  },
  {
    name: "upgrade",
    promises: "a database of every release comes to this one under load, with clean books",
    find: () => ends("the upgrade", [program("node_modules", "vitest", "vitest.mjs"), "run", "db/upgrade.test.ts"]),
  },
  { name: "suite", promises: "npm test", find: () => ends("npm test", [program("scripts", "test.ts")]) },
  {
    name: "postgres",
    promises: "the tests of money on each PostgreSQL that SECURITY.md names, and on the machine's",
    find: () => ends("a PostgreSQL", [program("testing", "test-postgres.ts")]),
  },
  {
    name: "citus",
    promises: "the layout of Citus on a coordinator and two workers",
    find: () => ends("Citus", [program("testing", "test-citus.ts")]),
  },
  {
    name: "providers",
    promises: "signing in at identity providers that others wrote, as Debian brings them",
    find: () => ends("a provider", [program("testing", "test-providers.ts")]),
  },
  {
    name: "install",
    promises: "the README's two commands in a fresh clone, under every Node and npm of the matrix",
    find: async () => [
      ...(await ends("what npm alone can break", [program("node_modules", "vitest", "vitest.mjs"), "run", "scripts/install.test.ts"], {
        INSTALL_MATRIX: "1",
      })),
      ...(await ends("the matrix", [program("scripts", "test-install.ts")])),
    ],
  },
  {
    name: "packages",
    promises: "the Debian package is built twice the same, installed, pays, is upgraded and removed; with its SBOM and checksums",
    find: async () => [
      ...(await ends("building", [program("packaging", "main.ts")])),
      ...(await ends("the walk with the package", [program("packaging", "test-packages.ts")])),
    ],
  },
  {
    name: "speed",
    promises: "no ratio is more than a tenth below the last release's",
    find: (version) => ends("the speed", ["--expose-gc", program("bench", "main.ts"), "--write", "--against", lastResults(version)]),
  },
  {
    name: "faults",
    promises: "the long form of every experiment: nothing lost, nothing doubled",
    find: () => ends("an experiment", [program("fault", "main.ts"), "--seed", "1", "--write"]),
  },
];

const git = (...args: string[]) => execFileSync("git", args, { cwd: ROOT, encoding: "utf8", maxBuffer: 16 * 1_024 * 1_024 }).trim();

/** The page of results as the last release had it; before the first one, as this commit has it, whatever a try has written since. */
function lastResults(version: string): string {
  const page = "docs/performance.md";
  const tags = git("tag", "--list", "v*", "--sort=-version:refname").split("\n");
  const last = tags.find((tag) => tag !== "" && tag !== `v${version}`);
  const file = program(".data", "release", "performance-before.md");
  writeFileSync(file, git("show", `${last ?? "HEAD"}:${page}`));
  return file;
}

const Held = z.record(z.string(), z.string());

async function main(): Promise<number> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { only: { type: "string" } } });
  const [version = ""] = positionals;
  const names = STEPS.map(({ name }) => name);
  const wanted = values.only?.split(",") ?? names;
  if (!/^\d+\.\d+\.\d+$/.test(version) || wanted.some((name) => !names.includes(name))) {
    process.stderr.write(`Usage: npm run release -- 1.1.0 [--only ${names.join(",")}]\n`);
    return 2;
  }
  const commit = git("rev-parse", "HEAD");
  const folder = program(".data", "release");
  mkdirSync(folder, { recursive: true });
  const kept = join(folder, `${commit}.json`);
  const held = existsSync(kept) ? Held.parse(JSON.parse(readFileSync(kept, "utf8"))) : {};
  const lines: string[] = [];
  for (const { name, promises, find } of STEPS.filter((step) => wanted.includes(step.name))) {
    process.stdout.write(`\n── ${name} ── ${promises}\n`);
    const before = held[name];
    const found = before === undefined ? await find(version).catch((error: unknown) => [String(error)]) : [];
    if (found.length === 0) held[name] ??= new Date().toISOString();
    writeFileSync(kept, `${JSON.stringify(held, null, 2)}\n`);
    lines.push(`  ${found.length === 0 ? "✓" : "✗"} ${name}: ${promises}${before === undefined ? "" : ` (held on ${before})`}`);
    lines.push(...found.map((trouble) => `      ${trouble}`));
  }
  process.stdout.write(`\n── Release ${version} at ${commit.slice(0, 12)} ──\n${lines.join("\n")}\n`);
  const isWhole = names.every((name) => held[name] !== undefined);
  process.stdout.write(isWhole ? `Everything held: tag it v${version}.\n` : "Not everything was seen to hold yet.\n");
  return lines.some((line) => line.startsWith("  ✗")) ? 1 : 0;
}

process.exitCode = await main();
