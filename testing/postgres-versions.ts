import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { POSTGRES_PACKAGE } from "#sandbox/postgres/binaries.ts";
import { startTemporaryPostgres, type TemporaryPostgres } from "#sandbox/postgres/temporary.ts";
import { ROOT } from "#scripts/suites.ts";
import { MACHINE_INITDB, startMachinePostgres } from "./machine-postgres.ts";

/** The PostgreSQL that this machine has installed, with what its distribution switches on. */
export const MACHINE = "machine";

/** The releases of PostgreSQL that the service supports, and the package that carries each. */
export const PACKAGED: Readonly<Record<string, string>> = {
  "15": "15.18.0-beta.17",
  "16": "16.14.0-beta.17",
  "17": "17.10.0-beta.17",
  "18": "18.4.0-beta.17",
};

export const POSTGRES_VERSIONS: readonly string[] = [MACHINE, ...Object.keys(PACKAGED)];

/** A temporary server of that version (`POSTGRES_VERSIONS`). Its package is fetched at the first use, through npm. */
export async function startPostgresVersion(version: string): Promise<TemporaryPostgres> {
  if (version === MACHINE) return await startMachinePostgres();
  return await startTemporaryPostgres({ other: { package: fetchPackage(version), initdb: MACHINE_INITDB } });
}

/** The folder of the package, fetched into the cache unless it is there. @throws Error where npm does not get it */
function fetchPackage(version: string): string {
  const folder = join(ROOT, "node_modules", ".cache", "settlement", `postgres-${version}`);
  const done = join(folder, "fetched");
  const content = JSON.stringify({ private: true, dependencies: { [POSTGRES_PACKAGE]: PACKAGED[version] } });
  if (!existsSync(done) || readFileSync(done, "utf8") !== content) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), content);
    const options = ["install", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
    const { status, stderr } = spawnSync("npm", options, { cwd: folder, encoding: "utf8" });
    if (status !== 0) throw new Error(`npm does not get PostgreSQL ${version} (${POSTGRES_PACKAGE}).\n${stderr}`);
    writeFileSync(done, content);
  }
  return join(folder, "node_modules", POSTGRES_PACKAGE);
}
