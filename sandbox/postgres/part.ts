import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { logFile } from "#sandbox/data-directory.ts";
import { endLeftBehind } from "#sandbox/left-behind.ts";
import type { Part } from "#server/process/supervisor.ts";
import { postgresBinaries } from "./binaries.ts";
import { type Identity, mayEnter, postgresIdentity } from "./identity.ts";
import { initCluster, type ServerOptions, serverUrl, startServer } from "./server.ts";
import { SYSTEM_FOLDER } from "./temporary.ts";

export type EmbeddedPostgres = { part: Part; databaseUrl: string };

/** The sandbox's own PostgreSQL, its data in (or beside) the data directory, with the service's role and database in it. */
export async function embeddedPostgres(
  directory: string,
  port: number,
  passwords: { superuser: string; role: string },
): Promise<EmbeddedPostgres> {
  const identity = postgresIdentity();
  const options: ServerOptions = {
    binaries: postgresBinaries(identity, identity === null ? directory : SYSTEM_FOLDER),
    data: await dataPlace(directory, identity),
    logFile: logFile(directory, "postgres"),
    port,
    password: passwords.superuser,
    identity,
    durable: true,
  };
  const start = async () => {
    await initCluster(options);
    const server = await startServer(options);
    await ensureDatabase(options, passwords.role);
    return server;
  };
  return { part: { name: "PostgreSQL", start }, databaseUrl: `postgres://settlement:${passwords.role}@127.0.0.1:${port}/settlement` };
}

/**
 * Below the data directory, unless PostgreSQL's user cannot pass the directories above it (one below /root): then in a place of
 * the system's that belongs to this data directory, and is emptied when that one was removed to begin anew.
 */
async function dataPlace(directory: string, identity: Identity | null): Promise<string> {
  if (mayEnter(identity, directory)) return join(directory, "postgres");
  const mark = join(directory, "postgres-elsewhere");
  const place = join(SYSTEM_FOLDER, `data-${createHash("sha256").update(directory).digest("hex").slice(0, 16)}`);
  if (!existsSync(mark)) {
    await endLeftBehind(join(place, "postgres", "postmaster.pid"), place, "SIGINT");
    rmSync(place, { recursive: true, force: true });
    mkdirSync(place, { recursive: true });
    for (const made of [SYSTEM_FOLDER, place]) chmodSync(made, 0o711);
    writeFileSync(mark, `${place}\n`);
  }
  return join(place, "postgres");
}

/** The role owns its database and may create roles; it is no superuser: as in `DATABASE_URL`. */
async function ensureDatabase(options: ServerOptions, password: string): Promise<void> {
  const sql = postgres(serverUrl(options, "postgres"), { max: 1, onnotice: () => {} });
  try {
    const roles = await sql`select 1 from pg_roles where rolname = 'settlement'`;
    if (roles.length === 0) await sql.unsafe("create role settlement login createrole");
    await sql.unsafe(`alter role settlement password '${password}'`); // our own hexadecimal digits
    const databases = await sql`select 1 from pg_database where datname = 'settlement'`;
    if (databases.length === 0) await sql.unsafe("create database settlement owner settlement");
  } finally {
    await sql.end({ timeout: 1 });
  }
}
