import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort } from "#sandbox/free-port.ts";
import { memoryFolder } from "#sandbox/memory-folder.ts";
import { Trouble } from "#server/process/trouble.ts";
import { postgresBinaries } from "./binaries.ts";
import { SYSTEM_FOLDER } from "./data-place.ts";
import { type Identity, mayEnter, postgresIdentity } from "./identity.ts";
import { initCluster, type ServerOptions, serverUrl, startServer, withConnection } from "./server.ts";

export type TemporaryPostgres = {
  adminUrl: string;
  /** As the superuser, who may end others' sessions and can connect when no other role can. */
  superuserUrl: string;
  /** The process that the others are children of. */
  postmaster(): number;
  /** Its data directory. */
  data: string;
  /** Settles when the server ends, anyone who ended it. */
  ended(): Promise<string>;
  /** Ends it in good order, and leaves its data. */
  halt(): Promise<void>;
  /** After it has ended: the same server on the same data. */
  startAgain(): Promise<void>;
  stop(): Promise<void>;
};

type Options = {
  durable?: boolean;
  /** The folder that its own is made in; left out: where the machine has temporary files. */
  below?: string;
  /** Another PostgreSQL than the installed package's, with options for its `initdb`: the folder with its `bin`, or that of a package. */
  other?: { binaries: string; initdb: readonly string[] } | { package: string; initdb: readonly string[] };
  /** Settings besides the usual ones, from the server's own folder, which its user owns. */
  settings?: (folder: string, port: number) => Readonly<Record<string, string>>;
};

/**
 * A PostgreSQL server for a test run: in a temporary folder that is removed at the end; without fsync and, if there is space, in memory,
 * unless `durable`. The role of `adminUrl` may create databases and roles, and is not a superuser, as in other installations.
 */
export async function startTemporaryPostgres({ durable = false, below, other, settings }: Options = {}): Promise<TemporaryPostgres> {
  const identity = postgresIdentity();
  const folder = makeTemporaryFolder(identity, below ?? (durable ? null : memoryFolder()));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    const copyBelow = identity === null ? folder : SYSTEM_FOLDER;
    const from = other && "package" in other ? other.package : undefined;
    const binaries = other && "binaries" in other ? other.binaries : postgresBinaries(identity, copyBelow, from);
    const password = randomBytes(12).toString("hex");
    const port = await findFreePort();
    const options: ServerOptions = {
      binaries,
      data: join(folder, "data"),
      logFile: join(folder, "postgres.log"),
      port,
      password,
      identity,
      durable,
      ...(other && { initdb: other.initdb }),
      ...(settings && { settings: settings(folder, port) }),
    };
    await initCluster(options);
    let server = await startServer(options);
    await createRole(options);
    return {
      adminUrl: `postgres://tests:${password}@127.0.0.1:${options.port}/tests`,
      superuserUrl: serverUrl(options, "postgres"),
      postmaster: () => Number(readFileSync(join(options.data, "postmaster.pid"), "utf8").split("\n")[0]),
      data: options.data,
      ended: () => server.exited,
      halt: () => server.stop(),
      startAgain: async () => {
        server = await startServer(options);
      },
      stop: async () => {
        await server.stop();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

async function createRole(options: ServerOptions): Promise<void> {
  await withConnection(serverUrl(options, "postgres"), async (sql) => {
    // Tests open many connections, and each would cost milliseconds on both sides. PostgreSQL 15 has no such setting.
    await sql`select set_config(name, '1', false) from pg_settings where name = 'scram_iterations'`;
    await sql.unsafe(`create role tests login createdb createrole password '${options.password}'`);
    await sql.unsafe("create database tests owner tests");
  });
}

function makeTemporaryFolder(identity: Identity | null, below: string | null): string {
  const parent = below ?? [tmpdir(), "/tmp", "/var/tmp"].find((path) => mayEnter(identity, path));
  if (parent === undefined)
    throw new Trouble(`PostgreSQL runs as ${identity?.name}, who cannot enter any folder for temporary files: set TMPDIR to one.`);
  const folder = mkdtempSync(join(parent, "settlement-postgres-"));
  chmodSync(folder, 0o711); // PostgreSQL's user passes through; what lies within is protected by itself
  if (identity !== null) chownSync(folder, identity.uid, identity.gid);
  return folder;
}
