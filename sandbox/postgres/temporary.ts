import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort } from "#sandbox/free-port.ts";
import { Trouble } from "#server/process/trouble.ts";
import { postgresBinaries } from "./binaries.ts";
import { SYSTEM_FOLDER } from "./data-place.ts";
import { type Identity, mayEnter, postgresIdentity } from "./identity.ts";
import { initCluster, type ServerOptions, serverUrl, startServer, withConnection } from "./server.ts";

export type TemporaryPostgres = {
  adminUrl: string;
  /** As the superuser, who may end others' sessions and is let in when nobody else is. */
  superuserUrl: string;
  /** The process that the others are children of. */
  postmaster(): number;
  /** Settles when the server ends, whoever ended it. */
  ended(): Promise<string>;
  /** After it has ended: the same server on the same data. */
  startAgain(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * A PostgreSQL server for a test run: in a temporary folder that is removed at the end; without fsync unless `durable`. The role of
 * `adminUrl` may create databases and roles, and is no superuser: as the service meets it elsewhere.
 */
export async function startTemporaryPostgres({ durable = false } = {}): Promise<TemporaryPostgres> {
  const identity = postgresIdentity();
  const folder = makeTemporaryFolder(identity);
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    const binaries = postgresBinaries(identity, identity === null ? folder : SYSTEM_FOLDER);
    const password = randomBytes(12).toString("hex");
    const options: ServerOptions = {
      binaries,
      data: join(folder, "data"),
      logFile: join(folder, "postgres.log"),
      port: await findFreePort(),
      password,
      identity,
      durable,
    };
    await initCluster(options);
    let server = await startServer(options);
    await createRole(options);
    return {
      adminUrl: `postgres://tests:${password}@127.0.0.1:${options.port}/tests`,
      superuserUrl: serverUrl(options, "postgres"),
      postmaster: () => Number(readFileSync(join(options.data, "postmaster.pid"), "utf8").split("\n")[0]),
      ended: () => server.exited,
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
    await sql.unsafe(`create role tests login createdb createrole password '${options.password}'`);
    await sql.unsafe("create database tests owner tests");
  });
}

function makeTemporaryFolder(identity: Identity | null): string {
  const parent = [tmpdir(), "/tmp", "/var/tmp"].find((path) => mayEnter(identity, path));
  if (parent === undefined)
    throw new Trouble(`PostgreSQL runs as ${identity?.name}, who cannot enter any folder for temporary files: set TMPDIR to one.`);
  const folder = mkdtempSync(join(parent, "settlement-postgres-"));
  chmodSync(folder, 0o711); // PostgreSQL's user passes through; what lies within is protected by itself
  if (identity !== null) chownSync(folder, identity.uid, identity.gid);
  return folder;
}
