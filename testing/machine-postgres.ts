import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { startTemporaryPostgres, type TemporaryPostgres } from "#sandbox/postgres/temporary.ts";

/** Debian installs each release of PostgreSQL in its own folder. */
const DEBIAN = "/usr/lib/postgresql";
/** As Debian makes a cluster; the socket is in a folder that only its user enters. */
export const MACHINE_INITDB = ["-E", "UTF8", "--locale=C.UTF-8", "--auth-local=trust"];

/**
 * The folder with `bin` of the machine's newest PostgreSQL: Debian's, or else the one whose `pg_config` is on the path. Null: there is
 * none.
 */
export function findMachinePostgres(): string | null {
  const releases = existsSync(DEBIAN) ? readdirSync(DEBIAN).map(Number).filter(Number.isInteger) : [];
  const found = releases
    .toSorted((one, other) => other - one)
    .find((release) => existsSync(join(DEBIAN, String(release), "bin", "postgres")));
  if (found !== undefined) return join(DEBIAN, String(found));
  const folder = spawnSync("pg_config", ["--bindir"], { encoding: "utf8" }).stdout?.trim();
  return folder && existsSync(join(folder, "postgres")) ? dirname(folder) : null;
}

/** The machine's PostgreSQL, as it is installed. */
export function machinePostgres(): string {
  const folder = findMachinePostgres();
  if (folder === null) throw new Error("PostgreSQL is not installed: `apt-get install postgresql`.");
  return folder;
}

/**
 * A temporary server of the machine's PostgreSQL with a feature that the embedded one lacks: it compiles statements (`jit`). `settings` are
 * additional; `durable` as for `startTemporaryPostgres`.
 */
export function startMachinePostgres(settings: Readonly<Record<string, string>> = {}, durable = false): Promise<TemporaryPostgres> {
  return startTemporaryPostgres({
    durable,
    other: { binaries: machinePostgres(), initdb: MACHINE_INITDB },
    settings: () => settings,
  });
}
